import { newId } from "../ids";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { RegistryRecord } from "../store/records";
import { checkName } from "./bounds";

/** Stores a container registry's credentials. Names are unique in the account. */
export function createRegistry({ store }: Service, draft: Omit<RegistryRecord, "id">): RegistryRecord {
  checkName(draft.name);
  if (store.registries.by("name", draft.name).length > 0)
    throw badRequest(`a registry credential named '${draft.name}' already exists`);
  return store.registries.put({ id: newId.registry(), ...draft });
}

/** Deletes a credential that no pod uses; templates that refer to it lose the reference. */
export function removeRegistry({ store }: Service, { id }: RegistryRecord): void {
  if (store.pods.by("registry", id).length > 0) throw badRequest("registry credential is in use by a pod");
  store.registries.delete(id);
  for (const template of store.templates.by("registry", id)) store.templates.put({ ...template, registry: null });
}
