import { newId } from "../ids";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { RegistryRecord } from "../store/records";
import { checkName } from "./bounds";

/** Stores a container registry's credentials. Names are unique in the account. */
export function createRegistry(service: Service, draft: Omit<RegistryRecord, "id">): RegistryRecord {
  checkName(draft.name);
  if (service.store.registries.by("name", draft.name).length > 0)
    throw badRequest(`a registry credential named '${draft.name}' already exists`);
  return service.store.registries.put({ id: newId.registry(), ...draft });
}

/** Deletes a credential that no pod uses; templates that refer to it lose the reference. */
export function removeRegistry(service: Service, { id }: RegistryRecord): void {
  const { store } = service;
  if (store.pods.by("registry", id).length > 0) throw badRequest("registry credential is in use by a pod");
  store.registries.delete(id);
  for (const template of store.templates.by("registry", id)) store.templates.put({ ...template, registry: null });
}

/** Refuses a credential id that the account does not have. */
export function checkRegistry(service: Service, registry: string | null | undefined): void {
  if (registry != null && service.store.registries.get(registry) === undefined)
    throw badRequest(`registry credential '${registry}' not found`);
}
