import { operation } from "../calls/operation";
import type { RegistryCalls } from "../nouns";
import { CreateRegistryRequest, ListRegistries, Registry, UpdateRegistryRequest } from "../schemas/registries";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

const plain = collectionOperations({
  kind: "Registry",
  path: "/v2/registries",
  list: ListRegistries,
  item: Registry,
  create: CreateRegistryRequest,
  update: UpdateRegistryRequest,
});

export const registryOperations = {
  ...plain,
  /** Replaces the credentials; id and name stay. */
  update: operation({ ...plain.update, scope: "secrets:write" }),
};

export const registries = (rest: Rest): RegistryCalls =>
  collection(rest, "registries", registryOperations, { namesAreUnique: true });
