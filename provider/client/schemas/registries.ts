import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { createdAt, idOf, Pagination, uniqueName } from "./common";

export const Registry = z.object({
  id: idOf("credentials", "`registry` of a pod, template or endpoint"),
  name: uniqueName,
});
export type Registry = Tolerant<z.infer<typeof Registry>>;

export const ListRegistries = z.object({ registries: z.array(Registry), pagination: Pagination.optional() });

export const CreateRegistryRequest = z.strictObject({ name: z.string(), username: z.string(), password: z.string() });
export type CreateRegistryRequest = z.infer<typeof CreateRegistryRequest>;

/** Both fields are required, even if only one changes. */
export const UpdateRegistryRequest = CreateRegistryRequest.omit({ name: true });
export type UpdateRegistryRequest = z.infer<typeof UpdateRegistryRequest>;

/** Permission for the service to pull from a private ECR repository. */
export const EcrDelegation = z.object({
  id: idOf("delegation", "`adoptId` of an EcrDelegation"),
  name: z.string().nullish().describe("Its name; null or absent where it was given none."),
  delegatorUserId: z.string().describe("Id of the user that gave the permission."),
  awsUser: z.string().describe("AWS account of the repository."),
  repository: z.string().describe("Name of the ECR repository."),
  tag: z.string().describe("Tag of the image; any other tag of the repository can be pulled too."),
  awsRegion: z.string().describe("AWS region of the repository."),
  dockerRegistryUri: z.string().optional().describe("Address of the registry, as image names begin."),
  createdAt,
});
export type EcrDelegation = Tolerant<z.infer<typeof EcrDelegation>>;

export const ListDelegations = z.object({ delegations: z.array(EcrDelegation), pagination: Pagination.optional() });

export const CreateDelegationRequest = z.strictObject({ resource: z.string(), name: z.string().nullish() });
export type CreateDelegationRequest = z.infer<typeof CreateDelegationRequest>;
