import { isDeepStrictEqual } from "node:util";
import { hostShare } from "../catalog/gpus";
import type { Matchable } from "../http/faults";
import { badRequest, conflict, invalid, noCapacity, paymentRequired, tooLarge } from "../problem";
import type { Service } from "../service";
import type { Mounts, NetworkVolumeRecord, PodRecord, TemplateRecord } from "../store/records";
import { checkName, MOST } from "./bounds";
import {
  CONTAINER_DEFAULTS,
  checkContainer,
  checkPersistentMount,
  containerFrom,
  containerPart,
  resolveTemplate,
} from "./container";
import { find } from "./lookup";
import { checkCuda, computeOf, cpuFlavor, cudaVersionFor, gpuType, type PlaceWish, place } from "./placement";
import type { createPodRequest, updatePodRequest } from "./podSchemas";
import { actOnPod, currentSpend, hourlyCost, injectedEnv, type PodAction, resetContainer, startPod } from "./pods";
import { checkRegistry } from "./registries";
import { type Received, sent } from "./sent";

type ComputeWish = Pick<Received<typeof createPodRequest>, "gpu" | "cpu" | "cloud">;

/** The compute of a draft, checked against the catalog. */
function chooseCompute(
  service: Service,
  { gpu, cpu, cloud }: ComputeWish,
  template: TemplateRecord | undefined,
): Pick<PodRecord, "gpu" | "cpu" | "allowedCudaVersions" | "minCudaVersion" | "cudaVersion"> {
  if (gpu === undefined && cpu !== undefined) {
    cpuFlavor(cpu);
    return { gpu: null, cpu, allowedCudaVersions: [], minCudaVersion: null, cudaVersion: null };
  }
  if (gpu === undefined || cpu !== undefined) throw badRequest("exactly one of gpu or cpu must be set");
  checkCuda(gpu.allowedCudaVersions, gpu.minCudaVersion);
  const type = gpuType(service, gpu.id, gpu.count, cloud);
  const share = hostShare(type, 1);
  const { minRamPerGpu = 0, minVcpuCountPerGpu = 0 } = gpu;
  if (share.memory < minRamPerGpu || share.vcpuCount < minVcpuCountPerGpu) throw noCapacity();
  // Either CUDA field in the body replaces the template's constraint entirely.
  const ownConstraint = gpu.allowedCudaVersions !== undefined || gpu.minCudaVersion !== undefined;
  const allowedCudaVersions = gpu.allowedCudaVersions ?? (ownConstraint ? [] : (template?.allowedCudaVersions ?? []));
  const minCudaVersion = gpu.minCudaVersion ?? null;
  return {
    gpu: { id: gpu.id, count: gpu.count },
    cpu: null,
    allowedCudaVersions,
    minCudaVersion,
    cudaVersion: cudaVersionFor(type, allowedCudaVersions, minCudaVersion),
  };
}

/** The mounts of a new pod or cluster member, and its network volume, which restricts the data center. */
export function chooseMounts(
  service: Service,
  wanted: Mounts | undefined,
  { cpu, cloud }: { cpu: boolean; cloud: PlaceWish["cloud"] },
): { mounts: Mounts; volume: NetworkVolumeRecord | undefined } {
  const { persistent, network: [network] = [] } = wanted ?? {};
  const global = chooseGlobalMount(service, wanted, cpu);
  if (persistent !== undefined && network !== undefined)
    throw badRequest("mounts.persistent and mounts.network are mutually exclusive");
  if (persistent !== undefined && cpu) throw badRequest("mounts.persistent is not supported on CPU pods");
  if (persistent !== undefined) checkPersistentMount(persistent);
  if (network === undefined) return { mounts: { ...(persistent && { persistent }), ...global }, volume: undefined };
  if (cloud === "COMMUNITY") throw badRequest("network volumes are only available in the SECURE cloud");
  const volume = service.store.networkVolumes.get(network.volumeId);
  if (volume === undefined) throw badRequest(`network volume '${network.volumeId}' not found`);
  return { mounts: { network: [network], ...global }, volume };
}

function chooseGlobalMount(service: Service, wanted: Mounts | undefined, cpu: boolean): Pick<Mounts, "global"> {
  const [mount] = wanted?.global ?? [];
  refuseGlobalVolumes(service, wanted?.global, "body.mounts.global");
  if (mount === undefined) return {};
  checkGlobalVolumes(service, [mount.volumeId], cpu);
  if ([wanted?.persistent?.path, wanted?.network?.[0]?.path].includes(mount.path))
    throw badRequest(`two mounts are at '${mount.path}'`);
  return { global: [mount] };
}

/** An older service does not know the property. */
export function refuseGlobalVolumes({ settings }: Service, value: unknown, property: string): void {
  if (value !== undefined && settings.globalMounts === "refused") throw invalid([`${property}: unknown property`]);
}

/** Pods and endpoints with GPUs take a global volume, at most one. */
export function checkGlobalVolumes(service: Service, ids: readonly string[], cpu: boolean): void {
  if (ids.length === 0) return;
  if (cpu) throw badRequest("global volumes are not supported on CPUs");
  if (ids.length > 1) throw badRequest("at most one global volume");
  const unknown = ids.find((id) => service.store.globalVolumes.get(id) === undefined);
  if (unknown !== undefined) throw badRequest(`global volume '${unknown}' not found`);
}

/** A volume cannot be reached from another data center. */
export function checkVolumePlace(volume: NetworkVolumeRecord | undefined, dataCenterIds: readonly string[]): void {
  if (volume !== undefined && dataCenterIds.length > 0 && !dataCenterIds.includes(volume.dataCenter))
    throw badRequest(`network volume '${volume.id}' is in data center ${volume.dataCenter}`);
}

/** Only NVIDIA GPU pods support global networking. */
function checkGlobalNetworking({ catalog }: Service, enabled: boolean, gpu: PodRecord["gpu"]): void {
  if (enabled && catalog.gpuTypes.get(gpu?.id ?? "")?.manufacturer !== "NVIDIA")
    throw badRequest("global networking requires an NVIDIA GPU pod");
}

/** The balance must cover an hour, and the spend limit must hold. */
export function checkBalance(service: Service, pod: Pick<PodRecord, "gpu" | "cpu" | "cloud">, count = 1): void {
  const cost = hourlyCost(service, pod) * count;
  const { balance, spendLimit } = service.settings;
  if (cost > balance) throw paymentRequired("Your account balance is too low to run this for an hour.");
  if (currentSpend(service) + cost > spendLimit)
    throw paymentRequired(`This would pass your spend limit of ${spendLimit} USD per hour.`);
}

/** The mounts after a PATCH. Paths may change and the persistent size may grow; kinds and volumes can't change. */
function patchedMounts({ mounts }: PodRecord, patch: Mounts | undefined): Mounts {
  if (patch?.persistent !== undefined && patch.network !== undefined)
    throw badRequest("mounts.persistent and mounts.network are mutually exclusive");
  if (patch?.global !== undefined && !isDeepStrictEqual(patch.global, mounts.global ?? []))
    throw badRequest("a pod's global volume cannot change");
  const global = mounts.global && { global: mounts.global };
  if (patch?.network !== undefined) {
    const [before] = mounts.network ?? [];
    const [after] = patch.network;
    if (after === undefined) throw badRequest("a network volume cannot be detached from a pod");
    if (before === undefined) throw badRequest("a pod's mount kind cannot change after it was created");
    if (after.volumeId !== before.volumeId) throw badRequest("a pod's network volume cannot change");
    return { network: [after], ...global };
  }
  if (patch?.persistent !== undefined) {
    if (mounts.persistent === undefined) throw badRequest("a pod's mount kind cannot change after it was created");
    if (patch.persistent.size < mounts.persistent.size)
      throw badRequest(`mounts.persistent.size can only grow: it is ${mounts.persistent.size} GB`);
    return { persistent: patch.persistent, ...global };
  }
  return mounts;
}

/** A request for a new pod, from either interface: what REST's create takes. */
export type PodDraft = Received<typeof createPodRequest>;
type PodPatch = Received<typeof updatePodRequest>;

/** Container disk in GB, if neither the draft nor its template sets it. */
const DEFAULT_DISK = 50;

/** What only GraphQL's creates say. */
export type PodTerms = Pick<PodRecord, "bid" | "stopsAt" | "terminatesAt">;

export function createPod(service: Service, call: Matchable, body: PodDraft, terms: PodTerms = {}): PodRecord {
  const template = resolveTemplate(service, body.templateId, "pod");
  const container = {
    ...CONTAINER_DEFAULTS,
    disk: DEFAULT_DISK,
    ...sent(containerPart(containerFrom(template, body))),
  };
  checkName(body.name);
  checkContainer(container);
  checkRegistry(service, body.registry);
  if (Buffer.byteLength(JSON.stringify({ ...body, ...container })) > MOST.podBytes) throw tooLarge(MOST.podBytes);
  const { cloud, dataCenterIds, globalNetworking } = body;
  const compute = chooseCompute(service, body, template);
  checkGlobalNetworking(service, globalNetworking, compute.gpu);
  const templateMounts = compute.cpu === null ? template?.mounts : undefined;
  const wanted = body.mounts ?? templateMounts;
  const { mounts, volume } = chooseMounts(service, wanted, { cpu: compute.cpu !== null, cloud });
  checkVolumePlace(volume, dataCenterIds);
  checkBalance(service, { ...compute, cloud, ...terms });
  const wish = { cloud, dataCenterIds, volumeDataCenter: volume?.dataCenter, globalNetworking };
  if (wish.cloud === "COMMUNITY" && wish.dataCenterIds.length > 0) throw noCapacity();
  const dataCenter = place(service, call, wish, computeOf(service, compute));
  const started = {
    startSsh: body.startSsh ?? template?.startSsh ?? false,
    startJupyter: body.startJupyter ?? template?.startJupyter ?? false,
  };
  return startPod(service, {
    ...container,
    ...compute,
    ...started,
    name: body.name,
    cloud,
    dataCenterId: dataCenter.id,
    dataCenterIds,
    mounts,
    globalNetworking,
    injectedEnv: injectedEnv(service, started),
    templateId: body.templateId ?? null,
    cluster: null,
    ...terms,
  });
}

export function updatePod(service: Service, before: PodRecord, body: PodPatch): PodRecord {
  const template = resolveTemplate(service, body.templateId, "pod");
  const container = sent(containerPart(containerFrom(template, body, before.args)));
  checkName(body.name ?? before.name);
  checkContainer(container);
  checkRegistry(service, body.registry);
  if (body.globalNetworking === true) {
    checkGlobalNetworking(service, true, before.gpu);
    if (!service.catalog.dataCenters.get(before.dataCenterId)?.globalNetwork)
      throw badRequest(`data center ${before.dataCenterId} does not support global networking`);
  }
  const podChanges = sent({ name: body.name, locked: body.locked, globalNetworking: body.globalNetworking });
  const record = { ...before, ...container, ...podChanges, mounts: patchedMounts(before, body.mounts) };
  // A change of the container's settings resets a running container.
  const resets = before.status === "RUNNING" && !isDeepStrictEqual(containerPart(before), containerPart(record));
  if (resets && before.locked) throw conflict("pod is locked: unlock it before changing its container");
  const after = service.store.pods.put(record);
  return resets ? resetContainer(service, after) : after;
}

/** Carries out an action; returns undefined when that deleted the pod. */
export function orderPod(service: Service, call: Matchable, pod: PodRecord, action: PodAction): PodRecord | undefined {
  // A start returns to the pod's former host, whose GPUs may be taken.
  if (action === "start" && pod.status === "EXITED")
    place(service, call, { cloud: pod.cloud, dataCenterIds: [pod.dataCenterId] }, computeOf(service, pod));
  return actOnPod(service, pod, action);
}

/** A pod that is not a member of a cluster. Members are managed through the cluster: 409. */
export function findStandalone(service: Service, id: string): PodRecord {
  const record = find(service, service.store.pods, id, "pod");
  if (record.cluster !== null)
    throw conflict(`pod belongs to cluster ${record.cluster.id}: manage it through /v2/clusters/${record.cluster.id}`);
  return record;
}
