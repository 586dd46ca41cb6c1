import { leastBid } from "../catalog/gpus";
import type { Matchable } from "../http/faults";
import { seen } from "../model/lookup";
import { gpuShareOf, memoryOf } from "../model/placement";
import { createPod, findStandalone, orderPod, type PodDraft, type PodTerms } from "../model/podRules";
import { hourlyCost, isReleased, type PodAction, publishedPorts } from "../model/pods";
import { sent } from "../model/sent";
import { badRequest, noCapacity } from "../problem";
import type { Service } from "../service";
import type { Mounts, PodRecord } from "../store/records";
import { dataCentersAt, listed, parseInstanceIds } from "./compute";
import { type EnvironmentVariable, toMap } from "./environment";
import { volumeShown } from "./storage";

type CloudType = "ALL" | "COMMUNITY" | "SECURE";

/** The input of both mutations that deploy a pod. Constraints on hosts are omitted, because the emulator has no hosts. */
interface PodInput {
  readonly name?: string | null;
  readonly imageName?: string | null;
  readonly cloudType?: CloudType | null;
  readonly dockerArgs?: string | null;
  readonly containerDiskInGb?: number | null;
  readonly volumeInGb?: number | null;
  readonly volumeMountPath?: string | null;
  readonly networkVolumeId?: string | null;
  readonly ports?: string | null;
  readonly env?: readonly EnvironmentVariable[] | null;
  readonly startSsh?: boolean | null;
  readonly startJupyter?: boolean | null;
  readonly dataCenterId?: string | null;
  readonly dataCenterIds?: readonly string[] | null;
  readonly countryCode?: string | null;
  readonly templateId?: string | null;
  readonly containerRegistryAuthId?: string | null;
  readonly globalNetwork?: boolean | null;
  readonly objectMounts?: readonly unknown[] | null;
  /** RFC 3339. */
  readonly stopAfter?: string | null;
  readonly terminateAfter?: string | null;
}

interface GpuPodInput extends PodInput {
  readonly gpuTypeId?: string | null;
  /** Tried in this order. */
  readonly gpuTypeIdList?: readonly string[] | null;
  /** Only of a pod that may be interrupted: USD per hour for one GPU. */
  readonly bidPerGpu?: number;
  readonly gpuCount?: number | null;
  readonly allowedCudaVersions?: readonly string[] | null;
  readonly minCudaVersion?: string | null;
}

interface CpuPodInput extends PodInput {
  readonly instanceId?: string | null;
}

const DEFAULT_MOUNT_PATH = "/workspace";
const DEFAULT_INSTANCE = "cpu3c-2-4";

/** The mutations about pods, with REST's rules. `created` is called with every new pod. */
export const podMutations = (service: Service, call: Matchable, created: (pod: PodRecord) => void) => {
  const deploy = (input: GpuPodInput | CpuPodInput, ...drafts: readonly PodDraft[]) => {
    const terms = termsOf(input);
    const pod = firstWithCapacity(drafts, (draft) => createPod(service, call, draft, terms));
    created(pod);
    return podShown(service, pod);
  };
  const deployGpu = ({ input }: { input: GpuPodInput }) => deploy(input, ...gpuDrafts(service, input));
  const order =
    (action: PodAction) =>
    ({ input: { podId } }: { readonly input: { readonly podId: string } }) => {
      const after = orderPod(service, call, findStandalone(service, podId), action);
      return after === undefined ? null : podShown(service, after);
    };
  return {
    podFindAndDeployOnDemand: deployGpu,
    podRentInterruptable: deployGpu,
    deployCpuPod: ({ input }: { input: CpuPodInput }) => deploy(input, cpuDraft(service, input)),
    podStop: order("stop"),
    podResume: order("start"),
    podRestart: order("restart"),
    podTerminate: order("terminate"),
  };
};

/** One pod; null when there is none. */
export const podOf = (service: Service, id: string) => {
  const pod = seen(service, service.store.pods, id);
  return pod === undefined ? null : podShown(service, pod);
};

function gpuDrafts(service: Service, input: GpuPodInput): PodDraft[] {
  const { gpuTypeId, gpuTypeIdList, gpuCount, bidPerGpu } = input;
  const types = gpuTypeIdList?.length ? gpuTypeIdList : gpuTypeId ? [gpuTypeId] : [];
  if (types.length === 0) throw badRequest("gpuTypeId is required");
  const draft = draftFrom(service, input);
  const drafts = types.map((id) => ({
    ...draft,
    cloud: cloudOf(service, input, id),
    gpu: {
      id,
      count: gpuCount ?? 1,
      ...(input.allowedCudaVersions != null && { allowedCudaVersions: input.allowedCudaVersions }),
      ...(input.minCudaVersion && { minCudaVersion: input.minCudaVersion }),
    },
  }));
  // Whoever offers more gets the GPU.
  if (bidPerGpu !== undefined)
    return drafts.filter(({ gpu }) => bidPerGpu >= (leastBid(service.catalog.gpuTypes.get(gpu.id)) ?? 0));
  return drafts;
}

/** The first draft that isn't refused; the last refusal, when all are. */
function firstWithCapacity(drafts: readonly PodDraft[], create: (draft: PodDraft) => PodRecord): PodRecord {
  let refusal: unknown = noCapacity();
  for (const draft of drafts) {
    try {
      return create(draft);
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}

function termsOf(input: GpuPodInput | CpuPodInput): PodTerms {
  if (input.objectMounts?.length) throw badRequest("objectMounts: the emulator has no object storage");
  return sent({
    bid: "bidPerGpu" in input ? input.bidPerGpu : undefined,
    stopsAt: timeOf("stopAfter", input.stopAfter),
    terminatesAt: timeOf("terminateAfter", input.terminateAfter),
  });
}

function timeOf(name: string, text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw badRequest(`${name} must be a time such as 2026-12-01T12:00:00Z`);
  return at;
}

function cpuDraft(service: Service, input: CpuPodInput): PodDraft {
  const [cpu] = parseInstanceIds([input.instanceId || DEFAULT_INSTANCE]);
  return { ...draftFrom(service, input), cloud: input.cloudType === "COMMUNITY" ? "COMMUNITY" : "SECURE", cpu };
}

/** The draft of an input. Empty fields count as omitted, because clients send every field that they know. */
function draftFrom(service: Service, input: PodInput): Omit<PodDraft, "cloud"> {
  const image = input.imageName || undefined;
  const templateId = input.templateId || undefined;
  if (image === undefined && templateId === undefined) throw badRequest("imageName or templateId is required");
  return {
    ...sent({
      image,
      templateId,
      args: input.dockerArgs || undefined,
      disk: input.containerDiskInGb ?? undefined,
      ports: input.ports == null ? undefined : listed(input.ports),
      env: input.env == null ? undefined : toMap(input.env),
      registry: input.containerRegistryAuthId || undefined,
      mounts: mountsFrom(input),
      startSsh: input.startSsh ?? undefined,
      startJupyter: input.startJupyter ?? undefined,
    }),
    name: input.name || "pod",
    dataCenterIds: placesOf(service, input),
    globalNetworking: input.globalNetwork ?? false,
  };
}

function placesOf(service: Service, { dataCenterId, dataCenterIds, countryCode }: PodInput): readonly string[] {
  if (dataCenterId) return [dataCenterId];
  return dataCenterIds?.length ? dataCenterIds : dataCentersAt(service, countryCode ?? null);
}

function mountsFrom({ volumeInGb, networkVolumeId, volumeMountPath }: PodInput): Mounts | undefined {
  const path = volumeMountPath || DEFAULT_MOUNT_PATH;
  if (networkVolumeId) return { network: [{ volumeId: networkVolumeId, path }] };
  if (volumeInGb == null) return undefined;
  return volumeInGb > 0 ? { persistent: { size: volumeInGb, path } } : {};
}

/** `ALL` means the secure cloud, if it has the GPU type. */
function cloudOf({ catalog }: Service, { cloudType }: PodInput, gpuTypeId: string): PodDraft["cloud"] {
  if (cloudType === "SECURE" || cloudType === "COMMUNITY") return cloudType;
  return catalog.gpuTypes.get(gpuTypeId)?.maxCount.secure === 0 ? "COMMUNITY" : "SECURE";
}

/** A pod in GraphQL's fields; those of the record with the same names are unchanged. */
export function podShown(service: Service, pod: PodRecord) {
  const { clock, store } = service;
  const { id, gpu, cpu, mounts, startedAt } = pod;
  const [network] = mounts.network ?? [];
  const share = gpu && gpuShareOf(service, gpu);
  const uptimeSeconds = startedAt === null ? 0 : Math.floor((clock.now() - startedAt) / 1000);
  return {
    ...pod,
    imageName: pod.image,
    dockerArgs: pod.args,
    containerDiskInGb: pod.disk,
    volumeInGb: mounts.persistent?.size ?? 0,
    volumeMountPath: mounts.persistent?.path ?? network?.path ?? null,
    networkVolumeId: network?.volumeId ?? null,
    networkVolume: () => {
      const volume = store.networkVolumes.get(network?.volumeId ?? "");
      return volume ? volumeShown(service, volume) : null;
    },
    ports: pod.ports.join(","),
    env: Object.entries({ ...pod.injectedEnv, ...pod.env }).map(([key, value]) => `${key}=${value}`),
    gpuCount: gpu?.count ?? 0,
    vcpuCount: cpu?.vcpuCount ?? share?.vcpuCount ?? 0,
    memoryInGb: cpu === null ? (share?.memory ?? 0) : memoryOf(cpu),
    podType: pod.bid === undefined ? "RESERVED" : "INTERRUPTABLE",
    costPerHr: isReleased(pod) ? 0 : hourlyCost(service, pod),
    desiredStatus: isReleased(pod) ? "EXITED" : "RUNNING",
    lastStatusChange: `${isReleased(pod) ? "Exited" : "Rented"} by User`,
    machineId: pod.machine,
    machine: {
      podHostId: pod.machine === null ? null : `${id}-${pod.machine}`,
      gpuDisplayName: gpu === null ? null : (service.catalog.gpuTypes.get(gpu.id)?.name ?? null),
      gpuTypeId: gpu?.id ?? null,
      dataCenterId: pod.dataCenterId,
      location: service.catalog.dataCenters.get(pod.dataCenterId)?.country ?? null,
      secureCloud: pod.cloud === "SECURE",
    },
    containerRegistryAuthId: pod.registry,
    uptimeSeconds,
    createdAt: clock.iso(pod.createdAt),
    runtime:
      pod.status === "RUNNING"
        ? {
            uptimeInSeconds: uptimeSeconds,
            ports: publishedPorts(pod).map((port) => ({
              ip: port.ip,
              isIpPublic: port.ip !== null,
              privatePort: port.private,
              publicPort: port.public,
              type: port.type,
            })),
            gpus: Array.from({ length: gpu?.count ?? 0 }, (_, index) => ({
              id: `GPU-${index}`,
              gpuUtilPercent: 0,
              memoryUtilPercent: 0,
            })),
            container: { cpuPercent: 1, memoryPercent: 3 },
          }
        : null,
  };
}
