import { isDeepStrictEqual } from "node:util";
import { newId } from "../ids";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { EndpointRecord, ReleaseRecord } from "../store/records";
import { disband, reconcile } from "../workers/fleet";
import { containerPart } from "./container";
import { hasUsers, releaseTemplate } from "./templates";

/** The fields of an endpoint that the interfaces set. The model sets the others. */
export type EndpointDraft = Omit<EndpointRecord, "id" | "version" | "createdAt" | "lastRequestAt">;

/** Fields that workers depend on, with their names in a release. A change of one replaces every worker. */
const RELEASED = {
  image: "template.imageName",
  args: "template.dockerArgs",
  disk: "template.containerDiskInGb",
  ports: "template.ports",
  env: "template.env",
  registry: "template.containerRegistryAuthId",
  gpu: "gpu",
  cpu: "cpu",
  dataCenterIds: "locations",
  networkVolumes: "networkVolumeIds",
  globalVolumes: "volumes",
  flashboot: "flashBootType",
} as const satisfies Partial<Record<keyof EndpointDraft, string>>;
const releasedFields = Object.keys(RELEASED) as (keyof typeof RELEASED)[];

export function createEndpoint(service: Service, draft: EndpointDraft): EndpointRecord {
  checkQuota(service, draft);
  checkTemplateIsFree(service, draft);
  const now = service.clock.now();
  const record = { ...draft, id: newId.endpoint(), version: 1, createdAt: now, lastRequestAt: now };
  addRelease(service, record, []);
  service.store.endpoints.put(record);
  reconcile(service, record.id);
  return record;
}

/** Replaces the endpoint with the draft. A change of a field that workers depend on is a new release. */
export function updateEndpoint(service: Service, before: EndpointRecord, draft: EndpointDraft): EndpointRecord {
  checkQuota(service, draft, before);
  checkTemplateIsFree(service, draft, before);
  if (before.templateId !== draft.templateId) releaseTemplate(service, before.templateId);
  const diff = releasedFields
    .filter((field) => !isDeepStrictEqual(before[field], draft[field]))
    .map((field) => ({ field: RELEASED[field], old: before[field], new: draft[field] }));
  const record = { ...before, ...draft, version: before.version + (diff.length > 0 ? 1 : 0) };
  if (diff.length > 0) addRelease(service, record, diff);
  service.store.endpoints.put(record);
  reconcile(service, record.id);
  return record;
}

export function removeEndpoint(service: Service, { id, templateId }: EndpointRecord): void {
  const { store } = service;
  disband(service, id);
  for (const release of store.releases.by("endpoint", id)) store.releases.delete(release.id);
  store.endpoints.delete(id);
  releaseTemplate(service, templateId);
}

/** Applies REST's PATCH. If GraphQL has bound a template to the endpoint, the template changes too. */
export function patchEndpoint(service: Service, before: EndpointRecord, draft: EndpointDraft): EndpointRecord {
  const record = updateEndpoint(service, before, draft);
  const template = service.store.templates.get(record.templateId);
  const changed = Object.entries(containerPart(record)).filter(
    ([name, value]) => !isDeepStrictEqual(Reflect.get(before, name), value),
  );
  if (service.settings.restPatchesTemplate && template !== undefined)
    service.store.templates.put({ ...template, ...Object.fromEntries(changed) });
  return record;
}

/** REST deletes an endpoint together with the template that is bound to it. */
export function removeEndpointWithTemplate(service: Service, endpoint: EndpointRecord): void {
  const { store, settings } = service;
  removeEndpoint(service, endpoint);
  const template = store.templates.get(endpoint.templateId);
  if (template === undefined || settings.restDeletesTemplate === "never") return;
  if (settings.restDeletesTemplate === "always" || !hasUsers(service, template.id)) store.templates.delete(template.id);
}

function addRelease({ store, clock }: Service, endpoint: EndpointRecord, diff: ReleaseRecord["diff"]): void {
  store.releases.put({
    id: newId.release(),
    endpointId: endpoint.id,
    version: endpoint.version,
    createdAt: clock.now(),
    diff,
  });
}

/** By a stricter reading of the documentation, a serverless template serves one endpoint at a time. */
function checkTemplateIsFree({ store, settings }: Service, { templateId }: EndpointDraft, self?: EndpointRecord): void {
  if (!settings.oneEndpointPerTemplate) return;
  const other = store.endpoints.by("templateId", templateId).find(({ id }) => id !== self?.id);
  if (other !== undefined)
    throw badRequest(`template '${templateId}' is already bound to endpoint '${other.id}': a template serves one only`);
}

/** The sum of `workers.max` must not exceed the account's quota. */
function checkQuota({ store, settings }: Service, draft: EndpointDraft, before?: EndpointRecord): void {
  if (draft.workers.max <= (before?.workers.max ?? 0)) return;
  let others = -(before?.workers.max ?? 0);
  for (const { workers } of store.endpoints.values()) others += workers.max;
  if (others + draft.workers.max <= settings.workerQuota) return;
  const largest = Math.max(0, settings.workerQuota - others);
  throw badRequest(
    `worker quota exceeded: your account allows ${settings.workerQuota} workers in total; the largest workers.max for this endpoint is ${largest}`,
  );
}
