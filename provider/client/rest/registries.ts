import type { RegistryCalls } from "../nouns";
import { CreateRegistryRequest, ListRegistries, Registry, UpdateRegistryRequest } from "../schemas/registries";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const registryOperations = collectionOperations({
  kind: "Registry",
  path: "/v2/registries",
  list: ListRegistries,
  item: Registry,
  create: CreateRegistryRequest,
  // Replaces the credentials; id and name stay.
  update: UpdateRegistryRequest,
});

export const registries = (rest: Rest): RegistryCalls =>
  collection(rest, "registries", registryOperations, { namesAreUnique: true });
