import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { createdAt, idOf, Pagination, uniqueName } from "./common";

export const Secret = z.object({
  id: idOf("secret", "`adoptId` of a Secret"),
  name: uniqueName,
  description: z.string().nullish().describe("Its description; null or absent without one."),
  createdAt,
  valueLastUpdatedAt: z.string().nullish().describe("When its value was set last, RFC 3339."),
});
export type Secret = Tolerant<z.infer<typeof Secret>>;

export const ListSecrets = z.object({ secrets: z.array(Secret), pagination: Pagination.optional() });

export const CreateSecretRequest = z.strictObject({
  name: z.string(),
  value: z.string(),
  description: z.string().optional(),
});
export type CreateSecretRequest = z.infer<typeof CreateSecretRequest>;

export const UpdateSecretRequest = z.strictObject({ value: z.string().optional(), description: z.string().optional() });
export type UpdateSecretRequest = z.infer<typeof UpdateSecretRequest>;
