import { z } from "../../common/zod";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { createdAt, idOf, name } from "../schemas/common";
import type { Tolerant } from "../values/tolerant";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const GlobalVolume = z.object({
  id: idOf("global volume", "`adoptId` of a GlobalVolume"),
  name,
  createdAt,
  createdByUserId: z.string().nullish().describe("Id of the user who created it; null if unknown."),
});
export type GlobalVolume = Tolerant<z.infer<typeof GlobalVolume>>;

export const CreateGlobalVolumeRequest = z.strictObject({ name: z.string() });
export type CreateGlobalVolumeRequest = z.infer<typeof CreateGlobalVolumeRequest>;

export const UpdateGlobalVolumeRequest = z.strictObject({ name: z.string() });
export type UpdateGlobalVolumeRequest = z.infer<typeof UpdateGlobalVolumeRequest>;

/** Global volumes: storage that belongs to no data center. `/v2/global-volumes`. */
export interface GlobalVolumeCalls
  extends CollectionCalls<GlobalVolume, CreateGlobalVolumeRequest, UpdateGlobalVolumeRequest> {
  /**
   * Creates a global volume. `POST /v2/global-volumes`.
   *
   * @throws what {@link CollectionCalls.create} throws
   * @example
   * const volume = await client.globalVolumes.create({ name: "shared" });
   */
  create(body: CreateGlobalVolumeRequest, options?: CreateOptions): Promise<GlobalVolume>;
  /**
   * Renames a global volume. `PATCH /v2/global-volumes/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.globalVolumes.update("gv_1a2b", { name: "datasets" });
   */
  update(id: string, patch: UpdateGlobalVolumeRequest, options?: CallOptions): Promise<GlobalVolume>;
}

export const operations = collectionOperations({
  kind: "GlobalVolume",
  path: "/v2/global-volumes",
  key: "globalVolumes",
  item: GlobalVolume,
  create: CreateGlobalVolumeRequest,
  update: UpdateGlobalVolumeRequest,
});

export const calls = (rest: Rest): GlobalVolumeCalls => collection(rest, "globalVolumes", operations);
