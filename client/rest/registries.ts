import { z } from "../../common/zod";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { idOf, uniqueName } from "../schemas/common";
import type { Tolerant } from "../values/tolerant";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const Registry = z.object({
  id: idOf("credentials", "`registry` of a pod, template or endpoint"),
  name: uniqueName,
});
export type Registry = Tolerant<z.infer<typeof Registry>>;

export const CreateRegistryRequest = z.strictObject({ name: z.string(), username: z.string(), password: z.string() });
export type CreateRegistryRequest = z.infer<typeof CreateRegistryRequest>;

/** Both fields are required, even if only one changes. */
export const UpdateRegistryRequest = CreateRegistryRequest.omit({ name: true });
export type UpdateRegistryRequest = z.infer<typeof UpdateRegistryRequest>;

/**
 * Credentials of private image registries. `/v2/registries`. Names are unique in the account; no answer shows the
 * credentials.
 */
export interface RegistryCalls extends CollectionCalls<Registry, CreateRegistryRequest, UpdateRegistryRequest> {
  /**
   * Stores credentials. `POST /v2/registries`.
   *
   * @throws what {@link CollectionCalls.create} throws; BadRequestError also when other credentials have the name
   * @example
   * const { id } = await client.registries.create({ name: "ghcr", username: "robot", password });
   */
  create(body: CreateRegistryRequest, options?: CreateOptions): Promise<Registry>;
  /**
   * Replaces the credentials under the same id; the name stays. `PATCH /v2/registries/{id}`; where REST does not have it,
   * GraphQL's `updateRegistryAuth`.
   *
   * @throws what {@link CollectionCalls.update} throws; GraphqlError when GraphQL refuses it
   * @example
   * await client.registries.update("reg_1a2b", { username: "robot", password });
   */
  update(id: string, credentials: UpdateRegistryRequest, options?: CallOptions): Promise<Registry>;
}

export const operations = collectionOperations({
  kind: "Registry",
  path: "/v2/registries",
  key: "registries",
  item: Registry,
  create: CreateRegistryRequest,
  // Replaces the credentials; id and name stay.
  update: UpdateRegistryRequest,
});

export const calls = (rest: Rest): RegistryCalls =>
  collection(rest, "registries", operations, { namesAreUnique: true });
