import { newId } from "../ids";
import { badRequest } from "../problem";
import type { Service } from "../service";
import { recordsOf } from "../store";
import type { RegistryRecord } from "../store/records";
import { checkName } from "./bounds";

export const registries = recordsOf("registries", { name: ({ name }: RegistryRecord) => [name] });

/** Stores a container registry's credentials. Names are unique in the account. */
export function createRegistry(service: Service, draft: Omit<RegistryRecord, "id">): RegistryRecord {
  checkName(draft.name);
  if (registries(service).by("name", draft.name).length > 0)
    throw badRequest(`a registry credential named '${draft.name}' already exists`);
  return registries(service).put({ id: newId.registry(), ...draft });
}

/** Deletes a credential that no pod uses; templates that refer to it lose the reference. */
export function removeRegistry(service: Service, { id }: RegistryRecord): void {
  const { store } = service;
  if (store.pods.by("registry", id).length > 0) throw badRequest("registry credential is in use by a pod");
  registries(service).delete(id);
  for (const template of store.templates.by("registry", id)) store.templates.put({ ...template, registry: null });
}

/** Refuses a credential id that the account does not have. */
export function checkRegistry(service: Service, registry: string | null | undefined): void {
  if (registry != null && registries(service).get(registry) === undefined)
    throw badRequest(`registry credential '${registry}' not found`);
}
