import { newId } from "../ids";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { TemplateRecord } from "../store/records";
import { checkName } from "./bounds";
import { checkContainer, checkPersistentMount } from "./container";
import { checkRegistry } from "./registries";

export const hasUsers = ({ store }: Service, id: string): boolean =>
  store.pods.by("templateId", id).length > 0 || store.endpoints.by("templateId", id).length > 0;

/** Notes that a user of this template was deleted. */
export function releaseTemplate(service: Service, id: string): void {
  const { store, clock, settings } = service;
  if (settings.templateReleaseMs > 0 && store.templates.get(id) !== undefined)
    store.templateReleases.put({ id, until: clock.now() + settings.templateReleaseMs });
}

/** The fields of a template that the interfaces set. */
export type TemplateDraft = Omit<TemplateRecord, "id" | "owned">;

/**
 * The new or replaced template of a draft, checked by the rules that the schema can't express, but not stored yet. Pods and
 * endpoints that were made from the template before do not change.
 */
export function checkedTemplate(service: Service, draft: TemplateDraft, id: string = newId.template()): TemplateRecord {
  const { store } = service;
  const { name, serverless, mounts, registry } = draft;
  checkName(name);
  // Names are unique in the account.
  if (store.templates.by("name", name).some((other) => other.id !== id))
    throw badRequest(`a template named '${name}' already exists`);
  if (serverless && mounts.persistent !== undefined)
    throw badRequest("a serverless template cannot have a persistent mount: use a network volume of the endpoint");
  if (mounts.persistent !== undefined) checkPersistentMount(mounts.persistent);
  checkContainer(draft);
  checkRegistry(service, registry);
  return { ...draft, id, owned: true };
}

export function removeTemplate(service: Service, { id }: TemplateRecord): void {
  // Deleted users count for a while.
  const { until = 0 } = service.store.templateReleases.get(id) ?? {};
  if (hasUsers(service, id) || service.clock.now() < until)
    throw badRequest("template is in use by a pod or an endpoint and cannot be deleted");
  service.store.templates.delete(id);
}
