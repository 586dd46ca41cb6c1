import { CreateRegistryRequest, ListRegistries, Registry, UpdateRegistryRequest } from "../schemas/registries";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const registryOperations = collectionOperations({
  kind: "Registry",
  path: "/v2/registries",
  list: ListRegistries,
  item: Registry,
  create: CreateRegistryRequest,
  // Puts other credentials under the same id; the name stays.
  update: UpdateRegistryRequest,
});

/** Credentials of private image registries. Names are unique within the account; what was stored is never shown again. */
export const registries = (rest: Rest) => collection(rest, "registries", registryOperations, { namesAreUnique: true });
