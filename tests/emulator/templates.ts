import type { Service } from "./service";

/** Whether a pod or endpoint refers to this template; the service also counts users that are gone for a while. */
export function isTemplateInUse({ store, clock }: Service, id: string): boolean {
  if (store.pods.by("templateId", id).length > 0 || store.endpoints.by("templateId", id).length > 0) return true;
  const releasedAt = store.templateReleases.get(id)?.until;
  return releasedAt !== undefined && clock.now() < releasedAt;
}

/** Notes that a user of this template was deleted. */
export function releaseTemplate({ store, clock, settings }: Service, id: string): void {
  if (settings.templateReleaseMs > 0 && store.templates.get(id) !== undefined)
    store.templateReleases.put({ id, until: clock.now() + settings.templateReleaseMs });
}
