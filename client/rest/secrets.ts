import { z } from "../../common/zod";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { createdAt, idOf, uniqueName } from "../schemas/common";
import type { Tolerant } from "../values/tolerant";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const Secret = z.object({
  id: idOf("secret", "`adoptId` of a Secret"),
  name: uniqueName,
  description: z.string().nullish().describe("Its description; null or absent without one."),
  createdAt,
  valueLastUpdatedAt: z.string().nullish().describe("When its value was set last, RFC 3339."),
});
export type Secret = Tolerant<z.infer<typeof Secret>>;

export const CreateSecretRequest = z.strictObject({
  name: z.string(),
  value: z.string(),
  description: z.string().optional(),
});
export type CreateSecretRequest = z.infer<typeof CreateSecretRequest>;

export const UpdateSecretRequest = z.strictObject({ value: z.string().optional(), description: z.string().optional() });
export type UpdateSecretRequest = z.infer<typeof UpdateSecretRequest>;

/** Secrets of the account. `/v2/account/secrets`. Names are unique, whatever their case; no answer shows a value. */
export interface SecretCalls extends CollectionCalls<Secret, CreateSecretRequest, UpdateSecretRequest> {
  /**
   * Stores a secret. `POST /v2/account/secrets`.
   *
   * @throws what {@link CollectionCalls.create} throws; ConflictError (409) also when another secret has the name
   * @example
   * const { id } = await client.secrets.create({ name: "hf-token", value });
   */
  create(body: CreateSecretRequest, options?: CreateOptions): Promise<Secret>;
  /**
   * Changes a secret's value or description. `PATCH /v2/account/secrets/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.secrets.update("sec_1a2b", { value });
   */
  update(id: string, patch: UpdateSecretRequest, options?: CallOptions): Promise<Secret>;
}

export const operations = collectionOperations({
  kind: "Secret",
  path: "/v2/account/secrets",
  key: "secrets",
  item: Secret,
  create: CreateSecretRequest,
  update: UpdateSecretRequest,
});

export const calls = (rest: Rest): SecretCalls => collection(rest, "secrets", operations, { namesAreUnique: true });
