import type { Cloud } from "../pod";
import type { LoadBalancerUrls } from "../serverlessContainer";
import type { QueueUrls } from "../types";

export type PodStatus = "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR" | "TERMINATED";

/** What runs in a container; environments are secrets. */
export interface ContainerInfo {
  image: string;
  /** CMD, as one string. */
  args: string;
  /** GB, wiped on restart. */
  disk: number;
  /** As `8888/http`. */
  ports: string[];
  env: Record<string, string>;
  /** Id of registry credentials. */
  registry: string | null;
}

export interface PersistentMountInfo {
  /** GB. */
  size: number;
  path: string;
}

export interface MountsInfo {
  persistent?: PersistentMountInfo;
  network?: { volumeId: string; path: string }[];
}

export interface SshEndpointInfo {
  host: string;
  port: number;
  username: string;
  command: string;
}

export interface CpuInfo {
  id: string;
  vcpuCount: number;
  /** GB. */
  memory: number;
}

/** How the machine under a pod does. */
export interface PodRuntime {
  /** Seconds. */
  uptime?: number;
  /** Percent. */
  gpus?: { util?: number; memoryUtil?: number }[];
  /** Percent. */
  cpu?: { util?: number };
  /** Percent. */
  memory?: { util?: number };
  ports?: { private?: number; public?: number | null; type?: string; ip?: string | null }[];
}

export interface PodInfo extends ContainerInfo {
  id: string;
  name: string;
  status: PodStatus;
  /** What can be done with it in this status. */
  actions: ("start" | "stop" | "restart" | "terminate")[];
  mounts: MountsInfo;
  gpu?: { id: string; count?: number };
  cpu?: CpuInfo;
  cloud: Cloud;
  dataCenterId: string | null;
  cudaVersion: string | null;
  ssh: { proxy: SshEndpointInfo | null; direct: SshEndpointInfo | null };
  /** Of members of a cluster. */
  cluster?: {
    id: string;
    rank: number | null;
    role?: "SLURM_CONTROLLER" | "SLURM_COMPUTE" | "RAY_HEAD" | "RAY_WORKER";
    ip?: string;
  };
  template: string | null;
  /** USD an hour; 0 while stopped. */
  cost: number;
  locked: boolean;
  globalNetworking: { enabled: boolean; ip?: string; internalDns?: string };
  /** Null while it does not run. */
  runtime: PodRuntime | null;
  createdAt: string;
  startedAt: string | null;
}

export interface LogLine {
  source: "container" | "system";
  line: string;
  /** RFC 3339. */
  ts: string;
}

export interface WorkerLogLine extends LogLine {
  workerId: string;
}

export interface ClusterInfo {
  id: string;
  name: string;
  type: "APPLICATION" | "TRAINING" | "SLURM" | "RAY";
  compute: { gpuTypeId: string; gpuCountPerPod: number; podCount: number };
  template?: string | null;
  /** Where the first pod was placed. */
  dataCenterId?: string | null;
  pods: { total: number; byStatus: Partial<Record<PodStatus, number>> };
  network?: { cidr: string; vxlanId?: number; vxlanPort?: number };
  primary?: { podId: string; status: PodStatus; sshEndpoint?: string };
  createdAt: string;
}

export interface EndpointInfo extends Partial<Omit<ContainerInfo, "registry">> {
  id: string;
  name: string;
  type?: "QUEUE" | "LOAD_BALANCER";
  requestUrls?: QueueUrls | LoadBalancerUrls;
  registry?: string | null;
  gpu?: {
    pools: string[];
    excludedTypes?: string[];
    count?: number;
    allowedCudaVersions: string[];
    minCudaVersion: string | null;
  } | null;
  cpu?: CpuInfo[];
  /** Seconds of `idleTimeout` until a worker without work goes. */
  workers: { min: number; max: number; idleTimeout?: number };
  scaling: { type: "QUEUE_DELAY"; queueDelay: number } | { type: "REQUEST_COUNT"; requestCount: number };
  dataCenterIds: string[];
  /** Ids. */
  networkVolumes: string[];
  /** Milliseconds of a request; 0: no limit. */
  timeout: number;
  flashboot: "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";
  createdAt: string;
}

export interface WorkerInfo {
  id: string;
  status: "RUNNING" | "IDLE" | "INITIALIZING" | "THROTTLED" | "UNHEALTHY";
  /** Runs an older release, until its job is done. */
  isStale: boolean;
  version?: number | null;
  gpuCount: number;
  image?: string | null;
  uptimeSeconds?: number | null;
  gpuTypeId?: string | null;
  dataCenterId?: string | null;
  startedAt?: string | null;
}

export interface EndpointWorkers {
  workers: WorkerInfo[];
  summary: {
    running: number;
    idle: number;
    initializing: number;
    throttled: number;
    unhealthy: number;
    total: number;
  };
  endpointVersion?: number | null;
}

export interface EndpointReleases {
  endpointVersion?: number | null;
  rollout: { inProgress: boolean; workersOnLatest: number; workersTotal: number; percentOnLatest: number };
  releases: {
    id: string;
    version?: number | null;
    source: "GIT_BUILD" | "MANUAL";
    buildId?: string | null;
    createdByUserId?: string | null;
    workerCount: number;
    createdAt: string;
    diff: { field: string; old: unknown; new: unknown }[];
  }[];
}

export interface EndpointHealth {
  jobs: { completed: number; failed: number; inProgress: number; inQueue: number; retried: number };
  workers: {
    idle: number;
    running: number;
    initializing?: number;
    ready?: number;
    throttled?: number;
    unhealthy?: number;
  };
}

export interface TemplateInfo extends ContainerInfo {
  id: string;
  name: string;
  mounts: { persistent?: PersistentMountInfo };
  serverless: boolean;
  public: boolean;
  category: "CPU" | "NVIDIA" | "AMD";
  startSsh: boolean;
  startJupyter: boolean;
  allowedCudaVersions: string[];
}

export interface NetworkVolumeInfo {
  id: string;
  name: string;
  /** GB. */
  size: number;
  dataCenter: string;
  type: "STANDARD" | "HIGH_PERFORMANCE";
}

export interface RegistryInfo {
  id: string;
  name: string;
}

export interface DelegationInfo {
  id: string;
  name?: string | null;
  delegatorUserId: string;
  awsUser: string;
  repository: string;
  tag: string;
  awsRegion: string;
  dockerRegistryUri?: string;
  createdAt: string;
}
