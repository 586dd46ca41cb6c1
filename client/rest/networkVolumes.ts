import { z } from "../../common/zod";
import { idOf, name } from "../schemas/common";
import type { Tolerant } from "../values/tolerant";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

const VolumeType = z.enum(["STANDARD", "HIGH_PERFORMANCE"]);

export const NetworkVolume = z.object({
  id: idOf("volume", "`volumeId` of a pod's mount"),
  name,
  size: z.int().describe("Size in GB."),
  dataCenter: z.string().describe("Data center that holds it, as `getDataCenter` takes it."),
  type: VolumeType.describe("Its storage tier."),
});
export type NetworkVolume = Tolerant<z.infer<typeof NetworkVolume>>;

export const CreateNetworkVolumeRequest = z.strictObject({
  name: z.string(),
  size: z.int(),
  dataCenter: z.string(),
  type: VolumeType.optional(),
});
export type CreateNetworkVolumeRequest = z.infer<typeof CreateNetworkVolumeRequest>;

export const UpdateNetworkVolumeRequest = z.strictObject({ name: z.string().optional(), size: z.int().optional() });
export type UpdateNetworkVolumeRequest = z.infer<typeof UpdateNetworkVolumeRequest>;

/** Network volumes: storage that outlives pods and workers. `/v2/network-volumes`. Sizes are in GB. */
export interface NetworkVolumeCalls
  extends CollectionCalls<NetworkVolume, CreateNetworkVolumeRequest, UpdateNetworkVolumeRequest> {}

export const operations = collectionOperations({
  kind: "NetworkVolume",
  path: "/v2/network-volumes",
  key: "networkVolumes",
  item: NetworkVolume,
  create: CreateNetworkVolumeRequest,
  update: UpdateNetworkVolumeRequest,
});

export const calls = (rest: Rest): NetworkVolumeCalls => collection(rest, "networkVolumes", operations);
