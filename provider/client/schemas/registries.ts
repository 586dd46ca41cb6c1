import { z } from "zod";
import type { Tolerant } from "../tolerant";
import { Pagination } from "./common";

export const Registry = z.object({ id: z.string(), name: z.string() });
export type Registry = Tolerant<z.infer<typeof Registry>>;

export const ListRegistries = z.object({ registries: z.array(Registry), pagination: Pagination.optional() });

export const CreateRegistryRequest = z.strictObject({ name: z.string(), username: z.string(), password: z.string() });
export type CreateRegistryRequest = z.infer<typeof CreateRegistryRequest>;

/** Leave for the service to pull from a private ECR repository. */
export const EcrDelegation = z.object({
  id: z.string(),
  name: z.string().nullish(),
  delegatorUserId: z.string(),
  awsUser: z.string(),
  repository: z.string(),
  tag: z.string(),
  awsRegion: z.string(),
  dockerRegistryUri: z.string().optional(),
  createdAt: z.string(),
});
export type EcrDelegation = Tolerant<z.infer<typeof EcrDelegation>>;

export const ListDelegations = z.object({ delegations: z.array(EcrDelegation), pagination: Pagination.optional() });

export const CreateDelegationRequest = z.strictObject({ resource: z.string(), name: z.string().nullish() });
export type CreateDelegationRequest = z.infer<typeof CreateDelegationRequest>;
