/** The emulator's records. Times are in ms since the epoch, by the emulator's clock. */

export interface Container {
  readonly image: string;
  readonly args: string;
  /** Container disk, GB. */
  readonly disk: number;
  readonly ports: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Registry credential id. */
  readonly registry: string | null;
}

export interface Mounts {
  readonly persistent?: { readonly size: number; readonly path: string } | undefined;
  readonly network?: readonly { readonly volumeId: string; readonly path: string }[] | undefined;
  readonly global?: readonly { readonly volumeId: string; readonly path: string }[] | undefined;
}

export interface CpuChoice {
  readonly id: string;
  readonly vcpuCount: number;
}

export interface TemplateRecord extends Container {
  readonly id: string;
  readonly name: string;
  readonly mounts: Pick<Mounts, "persistent">;
  readonly serverless: boolean;
  readonly public: boolean;
  readonly category: "CPU" | "NVIDIA" | "AMD";
  readonly startSsh: boolean;
  readonly startJupyter: boolean;
  readonly allowedCudaVersions: readonly string[];
  readonly readme: string;
  /** Only over GraphQL: stored and shown unchanged. */
  readonly advanced?: {
    readonly advancedStart?: boolean;
    readonly startScript?: string;
    readonly config?: unknown;
    readonly portsConfig?: unknown;
  };
  /** False for other owners' public templates, which can be read, but not changed or deleted. */
  readonly owned: boolean;
}

export interface NetworkVolumeRecord {
  readonly id: string;
  readonly name: string;
  /** GB */
  readonly size: number;
  readonly dataCenter: string;
  readonly type: "STANDARD" | "HIGH_PERFORMANCE";
}

export interface GlobalVolumeRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly createdByUserId: string | null;
}

/** A resource that tags and cost centers can be attached to. */
export interface Attached {
  readonly type: "POD" | "CLUSTER" | "SERVERLESS_ENDPOINT" | "NETWORK_VOLUME";
  readonly id: string;
}

export interface TagRecord {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resources: readonly Attached[];
}

export interface CostCenterRecord {
  readonly id: string;
  readonly value: string;
  readonly resources: readonly Attached[];
}

export interface RegistryRecord {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly password: string;
}

export interface DelegationRecord {
  readonly id: string;
  readonly name: string | null;
  readonly delegatorUserId: string;
  readonly awsUser: string;
  readonly repository: string;
  readonly tag: string;
  readonly awsRegion: string;
  readonly dockerRegistryUri: string;
  readonly createdAt: number;
}

export type PodStatus = "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR";

export type ClusterType = "APPLICATION" | "TRAINING" | "SLURM" | "RAY";
export type ClusterRole = "SLURM_CONTROLLER" | "SLURM_COMPUTE" | "RAY_HEAD" | "RAY_WORKER";

export interface PodRecord extends Container {
  readonly id: string;
  readonly name: string;
  readonly status: PodStatus;
  /** When the boot moves on to its next status; null when the pod is not booting. */
  readonly bootsAt: number | null;
  readonly gpu: { readonly id: string; readonly count: number } | null;
  readonly cpu: CpuChoice | null;
  readonly cloud: "SECURE" | "COMMUNITY";
  /** Where it was placed; shown once it has a machine. */
  readonly dataCenterId: string;
  readonly dataCenterIds: readonly string[];
  readonly allowedCudaVersions: readonly string[];
  readonly minCudaVersion: string | null;
  readonly cudaVersion: string | null;
  readonly mounts: Mounts;
  /** The setting, which takes effect at the next start. */
  readonly globalNetworking: boolean;
  readonly globalNetworkIp: string | null;
  readonly startSsh: boolean;
  readonly startJupyter: boolean;
  /** Variables that the platform adds to `env`. A declared variable of the same name wins. */
  readonly injectedEnv: Readonly<Record<string, string>>;
  readonly locked: boolean;
  /** The template that the pod was made from. It is not shown, but counts as in use. */
  readonly templateId: string | null;
  readonly cluster: {
    readonly id: string;
    readonly rank: number;
    readonly role?: ClusterRole;
    readonly ip: string;
  } | null;
  /** Eight hex digits of the host that the pod is on. */
  readonly machine: string | null;
  readonly publicIp: string | null;
  /** Container port -> public port, new at every start. */
  readonly publicPorts: Readonly<Record<string, number>>;
  readonly createdAt: number;
  readonly startedAt: number | null;
  /** USD per hour for one GPU, of a pod that others may interrupt. */
  readonly bid?: number;
  /** When it stops, or ends, by itself. */
  readonly stopsAt?: number;
  readonly terminatesAt?: number;
}

export interface ClusterRecord {
  readonly id: string;
  readonly name: string;
  readonly type: ClusterType;
  readonly compute: { readonly gpuTypeId: string; readonly gpuCountPerPod: number; readonly podCount: number };
  /** The settings of every member. */
  readonly member: Container & Pick<PodRecord, "mounts" | "startSsh" | "startJupyter" | "dataCenterIds" | "templateId">;
  readonly dataCenterId: string;
  readonly cudaVersion: string | null;
  readonly network: { readonly cidr: string; readonly vxlanId: number; readonly vxlanPort: number };
  readonly createdAt: number;
}

export type Scaling =
  | { readonly type: "QUEUE_DELAY"; readonly queueDelay: number }
  | { readonly type: "REQUEST_COUNT"; readonly requestCount: number };

export type FlashBoot = "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";

/** A serverless endpoint, made over either interface. */
export interface EndpointRecord extends Container {
  readonly id: string;
  readonly name: string;
  readonly type: "QUEUE" | "LOAD_BALANCER";
  /** The template that GraphQL linked, or the id of the hidden template that REST creates. */
  readonly templateId: string;
  readonly gpu: {
    readonly pools: readonly string[];
    readonly excludedTypes: readonly string[];
    readonly count: number;
    readonly allowedCudaVersions: readonly string[];
    readonly minCudaVersion: string | null;
  } | null;
  readonly cpu: readonly CpuChoice[] | null;
  readonly workers: { readonly min: number; readonly max: number; readonly idleTimeout: number };
  readonly scaling: Scaling;
  readonly dataCenterIds: readonly string[];
  /** GraphQL's `locations`, echoed as stored. */
  readonly locations: string | null;
  readonly networkVolumes: readonly string[];
  readonly globalVolumes?: readonly string[];
  /** ms per job; 0 = no limit. */
  readonly timeout: number;
  readonly flashboot: FlashBoot;
  /** GraphQL's models to preload; they show up as MODEL_NAME in the environment. */
  readonly modelReferences?: readonly string[];
  /** Data of the vendor's own deploy tool, stored and shown unchanged. */
  readonly deployment?: {
    readonly flashEnvironmentId?: string;
    readonly workersPFBTarget?: number;
    readonly activeBuildid?: string;
    readonly idePodId?: string;
  };
  /** Incremented with every release. */
  readonly version: number;
  readonly createdAt: number;
  readonly lastRequestAt: number;
}

export interface ReleaseRecord {
  readonly id: string;
  readonly endpointId: string;
  readonly version: number;
  readonly createdAt: number;
  readonly diff: readonly { readonly field: string; readonly old: unknown; readonly new: unknown }[];
}

type WorkerStatus = "RUNNING" | "IDLE" | "INITIALIZING" | "THROTTLED" | "UNHEALTHY";

export interface WorkerRecord {
  readonly id: string;
  readonly endpointId: string;
  readonly status: WorkerStatus;
  /** The endpoint's version that it runs; an older one makes it stale. */
  readonly version: number;
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  readonly jobId: string | null;
  readonly gpuTypeId: string | null;
  readonly gpuCount: number;
  readonly dataCenterId: string | null;
  readonly createdAt: number;
  /** When the current status began. */
  readonly since: number;
  /** When the current status ends by itself, as a boot does or the wait for the next attempt; otherwise null. */
  readonly until: number | null;
  /** Null until it is placed. */
  readonly startedAt: number | null;
  /** When its container was ready for the last time. */
  readonly readyAt?: number;
  readonly crashes: number;
}

export type JobStatus = "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "CANCELLED" | "TIMED_OUT";

export interface JobRecord {
  readonly id: string;
  readonly endpointId: string;
  readonly status: JobStatus;
  readonly input: unknown;
  readonly output?: unknown;
  readonly error?: string;
  readonly workerId?: string;
  /** The number of pieces that were added to its stream so far. */
  readonly streamed?: number;
  /** Times it was dispatched again because its worker was lost. */
  readonly retries: number;
  /** ms; 0 = no limit. */
  readonly executionTimeout: number;
  /** Time to live: ms from the submission until the job is dropped. */
  readonly ttl: number;
  /** Never makes the endpoint start workers. */
  readonly lowPriority: boolean;
  /** How long its result can be read after its end, in ms. */
  readonly retention: number;
  readonly webhook?: string;
  readonly s3Config?: unknown;
  readonly createdAt: number;
  /** When it entered the queue for the last time. */
  readonly queuedAt: number;
  readonly startedAt?: number;
  /** How long of its wait the worker that took it was starting, in ms. */
  readonly coldStart?: number;
  readonly finishedAt?: number;
  /** When the job is dropped: an unfinished one by its time to live, a finished one by its retention. */
  readonly expiresAt: number;
}

/** A piece of a job's stream that was not fetched yet. */
export interface ChunkRecord {
  readonly id: string;
  readonly jobId: string;
  readonly output: unknown;
  /** Its position in the whole stream, from 0. */
  readonly index: number;
}

/** A period in which a resource cost money; `to` is null while it lasts. */
export interface UsageRecord {
  readonly id: string;
  readonly resource: "pod" | "serverless" | "networkVolume" | "cluster";
  readonly resourceId: string;
  /** The id of what runs: the resource itself, or one worker of an endpoint. */
  readonly unit: string;
  readonly from: number;
  readonly to: number | null;
  /** USD per hour by component: gpu, cpu, disk, fee, standard, highPerformance, networking. */
  readonly rates: Readonly<Record<string, number>>;
}

/** A build of an endpoint from a repository. In the emulator, only `PUT /state` makes one. */
export interface BuildRecord {
  readonly id: string;
  readonly endpointId: string;
  readonly status:
    | "PENDING"
    | "BUILDING"
    | "UPLOADING"
    | "TESTING"
    | "COMPLETED"
    | "FAILED"
    | "CANCELLED"
    | "TEST_FAILED";
  readonly commitHash: string | null;
  readonly commitMessage: string | null;
  readonly branch: string | null;
  readonly commitDate: string | null;
  readonly imageName: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly error: string | null;
}

export interface SshKeyRecord {
  /** The key's position in the account's list. */
  readonly id: string;
  readonly key: string;
}

export interface SecretRecord {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly description: string | null;
  readonly createdAt: number;
  readonly valueLastUpdatedAt: number;
}

/** A template whose last user was deleted: it counts as in use for a while. */
export interface TemplateReleaseRecord {
  readonly id: string;
  readonly until: number;
}

/** The part of the clock that is saved between runs. */
export interface ClockRecord {
  readonly id: "clock";
  /** How far the emulator's clock is ahead of real time, ms. */
  readonly aheadMs: number;
}
