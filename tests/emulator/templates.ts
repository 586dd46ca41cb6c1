import { badRequest } from "./problem";
import type { Service } from "./service";
import type { TemplateRecord } from "./store/records";

/** Whether a pod or endpoint refers to this template; the service also counts users that are gone for a while. */
function isTemplateInUse({ store, clock }: Service, id: string): boolean {
  if (store.pods.by("templateId", id).length > 0 || store.endpoints.by("templateId", id).length > 0) return true;
  const releasedAt = store.templateReleases.get(id)?.until;
  return releasedAt !== undefined && clock.now() < releasedAt;
}

/** Notes that a user of this template was deleted. */
export function releaseTemplate({ store, clock, settings }: Service, id: string): void {
  if (settings.templateReleaseMs > 0 && store.templates.get(id) !== undefined)
    store.templateReleases.put({ id, until: clock.now() + settings.templateReleaseMs });
}

/** Template names are the account's only ones. */
export function checkTemplateName({ store }: Service, wanted: string): void {
  if (store.templates.by("name", wanted).length > 0) throw badRequest(`a template named '${wanted}' already exists`);
}

export function removeTemplate(service: Service, { id }: TemplateRecord): void {
  if (isTemplateInUse(service, id))
    throw badRequest("template is in use by a pod or an endpoint and cannot be deleted");
  service.store.templates.delete(id);
}
