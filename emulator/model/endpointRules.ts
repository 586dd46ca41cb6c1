import { CPU_FLAVORS } from "../catalog/cpus";
import { newId } from "../ids";
import { badRequest, unprocessable } from "../problem";
import type { Service } from "../service";
import type { CpuChoice, EndpointRecord, TemplateRecord } from "../store/records";
import { checkName, LEAST, MOST } from "./bounds";
import { CONTAINER_DEFAULTS, checkContainer, containerFrom, containerPart, resolveTemplate } from "./container";
import type { EndpointDraft } from "./endpoints";
import { MISSING_IMAGE_TAG } from "./images";
import { checkCuda, cpuFlavor } from "./placement";
import { checkGlobalVolumes, refuseGlobalVolumes } from "./podRules";
import { checkRegistry } from "./registries";
import { type Received, sent } from "./sent";
import type { createEndpointRequest, updateEndpointRequest } from "./serverlessSchemas";

type Gpu = NonNullable<EndpointRecord["gpu"]>;

/** What a create or a PATCH may have. */
type EndpointWish = Received<typeof createEndpointRequest>;
type EndpointPatch = Received<typeof updateEndpointRequest>;

/** Container disk in GB, if neither the body nor the template sets it. */
const DEFAULT_DISK = 20;
const WORKER_DEFAULTS = { min: 0, max: 3, idleTimeout: 10 } as const;

/** The draft from a create's body and its template. */
export function draftFromCreate(service: Service, body: EndpointWish): EndpointDraft {
  if ((body.gpu === undefined) === (body.cpu === undefined)) throw badRequest("exactly one of gpu or cpu must be set");
  const template = resolveTemplate(service, body.templateId, "serverless");
  const { name, type, scaling, dataCenterIds, timeout, flashboot } = body;
  const { networkVolumes = [], globalVolumes = [] } = mountedBy(service, body);
  return checked(service, body, {
    ...CONTAINER_DEFAULTS,
    disk: DEFAULT_DISK,
    ...sent(containerPart(containerFrom(template, body))),
    name,
    type,
    // REST copies the named template into a hidden one of its own, without a link.
    templateId: newId.template(),
    gpu: body.gpu === undefined ? null : chosenGpu(body.gpu, template),
    cpu: body.cpu ?? null,
    workers: { ...WORKER_DEFAULTS, ...sent(body.workers ?? {}) },
    scaling,
    dataCenterIds,
    locations: dataCenterIds.length === 0 ? null : dataCenterIds.join(","),
    networkVolumes,
    globalVolumes,
    timeout,
    flashboot,
  });
}

/** The draft from a PATCH: only the given fields change. */
export function draftFromPatch(service: Service, before: EndpointRecord, body: EndpointPatch): EndpointDraft {
  const both = body.gpu !== undefined && body.cpu !== undefined;
  const otherFamily = before.gpu === null ? body.gpu !== undefined : body.cpu !== undefined;
  if (both || otherFamily)
    throw badRequest("the compute family of an endpoint cannot change: send gpu or cpu as created");
  const template = resolveTemplate(service, body.templateId, "serverless");
  const { name, scaling, cpu, dataCenterIds, timeout, flashboot } = body;
  const { networkVolumes, globalVolumes } = mountedBy(service, body);
  return checked(service, body, {
    ...before,
    ...sent(containerPart(containerFrom(template, body, before.args))),
    ...sent({ name, scaling, cpu, dataCenterIds, networkVolumes, globalVolumes, timeout, flashboot }),
    ...(dataCenterIds && { locations: dataCenterIds.length === 0 ? null : dataCenterIds.join(",") }),
    ...(before.gpu && { gpu: patchedGpu(before.gpu, body.gpu, template) }),
    workers: { ...before.workers, ...sent(body.workers ?? {}) },
  });
}

/** The volumes that a body names: network volumes in either of two places. */
function mountedBy(service: Service, { mounts, networkVolumes }: Pick<EndpointPatch, "mounts" | "networkVolumes">) {
  refuseGlobalVolumes(service, mounts, "body.mounts");
  const network = mounts?.network?.map(({ volumeId }) => volumeId);
  if (network !== undefined && networkVolumes !== undefined && networkVolumes.join() !== network.join())
    throw badRequest("mounts.network and networkVolumes name different volumes: send one of them");
  return { networkVolumes: network ?? networkVolumes, globalVolumes: mounts?.global?.map(({ volumeId }) => volumeId) };
}

/** Checks a draft. For `workers` and `registry` only the given fields are checked, not those that the endpoint had before. */
function checked(
  service: Service,
  { workers, registry }: Pick<EndpointPatch, "workers" | "registry">,
  draft: EndpointDraft,
): EndpointDraft {
  checkRegistry(service, registry);
  if (workers?.idleTimeout !== undefined && !hasIdleTimeout(draft))
    throw unprocessable("workers.idleTimeout is not supported on a queue endpoint that scales by request count");
  if (draft.gpu !== null) checkExclusions(service, draft.gpu);
  checkEndpoint(service, draft);
  return draft;
}

/** The rules about a whole endpoint, for both interfaces. */
export function checkEndpoint(service: Service, draft: EndpointDraft): void {
  checkName(draft.name);
  checkContainer(draft);
  if (draft.image.endsWith(MISSING_IMAGE_TAG))
    throw unprocessable(`image '${draft.image}' was not found in its registry`);
  const { min, max, idleTimeout } = draft.workers;
  if (min > max) throw badRequest("workers.min must not be greater than workers.max");
  if (min < 0) throw badRequest("workers.min must not be negative");
  if (idleTimeout < LEAST.idleSeconds || idleTimeout > MOST.idleSeconds)
    throw badRequest(`the idle timeout must be from ${LEAST.idleSeconds} to ${MOST.idleSeconds} s`);
  if (draft.timeout < 0) throw badRequest("the execution timeout must not be negative");
  if (draft.gpu !== null) checkGpu(service, draft.gpu);
  for (const cpu of draft.cpu ?? []) checkCpu(cpu, draft.disk);
  checkVolumes(service, draft);
  const { globalVolumes = [], networkVolumes, cpu } = draft;
  checkGlobalVolumes(service, globalVolumes, cpu !== null);
  if (globalVolumes.length > 0 && networkVolumes.length > 0)
    throw badRequest("global volumes and network volumes are mutually exclusive");
}

/** Queue endpoints that scale by request count have no idle timeout. */
export const hasIdleTimeout = ({ type, scaling }: Pick<EndpointDraft, "type" | "scaling">): boolean =>
  type === "LOAD_BALANCER" || scaling.type === "QUEUE_DELAY";

function chosenGpu(gpu: NonNullable<EndpointWish["gpu"]>, template: TemplateRecord | undefined): Gpu {
  const seed = gpu.minCudaVersion === undefined ? (template?.allowedCudaVersions ?? []) : [];
  return {
    pools: gpu.pools,
    excludedTypes: trimmed(gpu.excludedTypes),
    count: gpu.count,
    allowedCudaVersions: gpu.allowedCudaVersions ?? seed,
    minCudaVersion: gpu.minCudaVersion ?? null,
  };
}

/** Pools without exclusions clear the exclusions; neither CUDA field clears the other. */
function patchedGpu(before: Gpu, patch: EndpointPatch["gpu"] = {}, template: TemplateRecord | undefined): Gpu {
  const seed = patch.minCudaVersion ? undefined : template?.allowedCudaVersions;
  return {
    pools: patch.pools ?? before.pools,
    excludedTypes: patch.pools === undefined ? before.excludedTypes : trimmed(patch.excludedTypes),
    count: patch.count ?? before.count,
    allowedCudaVersions: patch.allowedCudaVersions ?? seed ?? before.allowedCudaVersions,
    minCudaVersion: patch.minCudaVersion === undefined ? before.minCudaVersion : patch.minCudaVersion || null,
  };
}

const trimmed = (types: readonly string[] = []): string[] => types.map((type) => type.trim());

function checkGpu(service: Service, { pools, excludedTypes, count, allowedCudaVersions, minCudaVersion }: Gpu): void {
  checkCuda(allowedCudaVersions, minCudaVersion);
  if (count < LEAST.gpus) throw badRequest(`the GPU count must be at least ${LEAST.gpus}`);
  const unknown = pools.find((pool) => !service.catalog.gpuPools.has(pool));
  if (unknown !== undefined) throw badRequest(`GPU pool '${unknown}' not found`);
  if (typesIn(service, pools).every(({ id }) => excludedTypes.includes(id)))
    throw badRequest("the excluded GPU types leave no GPU type in the pools");
}

/** Only for REST, of which the contract demands it: over GraphQL unknown types were seen to be stored without a word. */
function checkExclusions(service: Service, { pools, excludedTypes }: Gpu): void {
  const types = typesIn(service, pools);
  const stray = excludedTypes.find((type) => !types.some(({ id }) => id === type));
  if (stray !== undefined) throw badRequest(`excluded GPU type '${stray}' is in none of the pools`);
}

const typesIn = ({ catalog }: Service, pools: readonly string[]) =>
  pools.flatMap((pool) => catalog.gpuPools.get(pool) ?? []);

function checkCpu(cpu: CpuChoice, disk: number): void {
  cpuFlavor(cpu);
  const most = (CPU_FLAVORS.get(cpu.id)?.diskGbPerVcpu ?? 0) * cpu.vcpuCount;
  if (disk > most) throw badRequest(`disk is limited to ${most} GB on ${cpu.vcpuCount} vCPUs of '${cpu.id}'`);
}

function checkVolumes(
  { store }: Service,
  { networkVolumes, dataCenterIds }: Pick<EndpointDraft, "networkVolumes" | "dataCenterIds">,
): void {
  const taken = new Set<string>();
  for (const id of networkVolumes) {
    const volume = store.networkVolumes.get(id);
    if (volume === undefined) throw badRequest(`network volume '${id}' not found`);
    if (taken.has(volume.dataCenter))
      throw badRequest(`more than one network volume in data center ${volume.dataCenter}`);
    if (dataCenterIds.length > 0 && !dataCenterIds.includes(volume.dataCenter))
      throw badRequest(
        `network volume '${id}' is in data center ${volume.dataCenter}, which dataCenterIds does not include`,
      );
    taken.add(volume.dataCenter);
  }
}
