// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

export interface AccountBill {
  records: AccountBillRecord[];
  metadata: AccountBillMetadata;
}

export interface AccountBillMetadata {
  /** What was asked for, with its defaults. */
  query: AccountBillMetadataQuery;
  recordCount: number;
  totals: AccountBillMetadataTotals;
}

/** What was asked for, with its defaults. */
export interface AccountBillMetadataQuery {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  bucketSize: "hour" | "day" | "week" | "month" | "year";
}

export interface AccountBillMetadataTotals {
  /** USD. */
  totalAmount: number;
  /** USD. */
  podGpuAmount: number;
  /** USD. */
  podCpuAmount: number;
  /** USD. */
  podDiskAmount: number;
  /** USD. */
  serverlessGpuAmount: number;
  /** USD. */
  serverlessCpuAmount: number;
  /** USD. */
  serverlessDiskAmount: number;
  /** USD. */
  serverlessFeeAmount: number;
  /** USD. */
  storageStandardAmount: number;
  /** USD. */
  storageHighPerformanceAmount: number;
  /** USD. */
  endpointAmount: number;
  /** USD. */
  clusterGpuAmount: number;
  /** USD. */
  clusterDiskAmount: number;
  /** USD. */
  clusterNetworkingAmount: number;
}

export interface AccountBillRecord {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  /** USD. */
  totalAmount: number;
  /** USD. */
  podGpuAmount: number;
  /** USD. */
  podCpuAmount: number;
  /** USD. */
  podDiskAmount: number;
  /** USD. */
  serverlessGpuAmount: number;
  /** USD. */
  serverlessCpuAmount: number;
  /** USD. */
  serverlessDiskAmount: number;
  /** USD. */
  serverlessFeeAmount: number;
  /** USD. */
  storageStandardAmount: number;
  /** USD. */
  storageHighPerformanceAmount: number;
  /** USD. */
  endpointAmount: number;
  /** USD. */
  clusterGpuAmount: number;
  /** USD. */
  clusterDiskAmount: number;
  /** USD. */
  clusterNetworkingAmount: number;
}

export interface ClusterBill {
  records: ClusterBillRecord[];
  metadata: ClusterBillMetadata;
}

export interface ClusterBillMetadata {
  /** What was asked for, with its defaults. */
  query: ClusterBillMetadataQuery;
  recordCount: number;
  totals: ClusterBillMetadataTotals;
  uniqueClusterCount: number;
}

/** What was asked for, with its defaults. */
export interface ClusterBillMetadataQuery {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  bucketSize: "hour" | "day" | "week" | "month" | "year";
  clusterId?: string | null;
}

export interface ClusterBillMetadataTotals {
  /** USD. */
  totalAmount: number;
  /** USD. */
  gpuAmount: number;
  /** USD. */
  diskAmount: number;
  /** USD. */
  networkingAmount: number;
}

export interface ClusterBillRecord {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  clusterId: string;
  /** USD. */
  totalAmount: number;
  /** USD. */
  gpuAmount: number;
  /** USD. */
  diskAmount: number;
  /** USD. */
  networkingAmount: number;
}

export interface ClusterInfo {
  id: string;
  name: string;
  type: "APPLICATION" | "TRAINING" | "SLURM" | "RAY";
  compute: { gpuTypeId: string; gpuCountPerPod: number; podCount: number };
  template?: string | null;
  /** Where the first pod was placed. */
  dataCenterId?: string | null;
  pods: { total: number; byStatus: Record<string, number> };
  network?: { cidr: string; vxlanId?: number; vxlanPort?: number };
  primary?: {
    podId: string;
    status: "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR" | "TERMINATED";
    sshEndpoint?: string;
  };
  /** RFC 3339. */
  createdAt: string;
}

export interface ClusterToEstimate {
  compute: { gpuTypeId: string; gpuCountPerPod: number; podCount: number };
  /** Container disk, GB. Left out of the estimate where it is not given. */
  disk?: number;
  /** A network volume is priced as a volume of its own. */
  mounts?: { persistent?: ClusterToEstimateMountsPersistent };
}

export interface ClusterToEstimateMountsPersistent {
  /** GB. */
  size: number;
}

export interface CostEstimate {
  /** USD an hour at least: for an endpoint, with `workersMin` workers. */
  hourly: number;
  /** USD a month of 730 hours at least. */
  monthly: number;
  /** USD an hour at most: for an endpoint, with `workersMax` workers. */
  hourlyMax: number;
  /** USD a month of 730 hours at most. */
  monthlyMax: number;
  items: CostItem[];
}

export interface CostItem {
  /** What is paid for, such as a GPU type. */
  name: string;
  /** How many of it run at least. */
  quantity: number;
  /** How many of it run at most. */
  maxQuantity: number;
  /** GPU, vCPU or GB. */
  unit: string;
  /** USD. */
  unitPricePerHour: number;
}

export interface CpuType {
  id: string;
  name: string;
  group: string;
  /** vCPUs of one instance. */
  vcpu: { min: number; max: number };
  ramGbPerVcpu: number;
  /** USD an hour for one vCPU. */
  price: { securePerVcpu: number; serverlessPerVcpu: number };
  /** With `include` only. */
  availability?: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
  /** Where it is offered. With `include` only. */
  dataCenters?: CpuTypeDataCenter[];
}

export interface CpuTypeDataCenter {
  id: string;
  name: string;
  /** How much of it is free now. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
}

export interface DataCenter {
  id: string;
  name: string;
  region:
    | "NORTH_AMERICA"
    | "SOUTH_AMERICA"
    | "EUROPE"
    | "ASIA"
    | "MIDDLE_EAST"
    | "AFRICA"
    | "OCEANIA"
    | "ANTARCTICA"
    | "UNKNOWN"
    | (string & {});
  /** Whether pods can be given an address in the account's own network. */
  globalNetwork: boolean;
  networkVolumeTypes: ("STANDARD" | "HIGH_PERFORMANCE" | (string & {}))[];
  compliance: (
    | "GDPR"
    | "ISO_IEC_27001"
    | "ISO_14001"
    | "PCI_DSS"
    | "HITRUST"
    | "SOC_1_TYPE_2"
    | "SOC_2_TYPE_2"
    | "SOC_3_TYPE_2"
    | "ITAR"
    | "FISMA_HIGH"
    | "HIPAA"
    | "RENEWABLE"
    | (string & {})
  )[];
  /** GPU types that it offers. With `include` only. */
  gpuAvailability?: DataCenterGpuAvailability[];
  /** CPU flavors that it offers. With `include` only. */
  cpuAvailability?: DataCenterCpuAvailability[];
}

export interface DataCenterCpuAvailability {
  id: string;
  name: string;
  /** How much of it is free now. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
}

export interface DataCenterGpuAvailability {
  id: string;
  name: string;
  /** How much of it is free now. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
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

export interface EndpointBill {
  records: EndpointBillRecord[];
  metadata: EndpointBillMetadata;
}

export interface EndpointBillMetadata {
  /** What was asked for, with its defaults. */
  query: EndpointBillMetadataQuery;
  recordCount: number;
  totals: EndpointBillMetadataTotals;
}

/** What was asked for, with its defaults. */
export interface EndpointBillMetadataQuery {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  bucketSize: "hour" | "day" | "week" | "month" | "year";
}

export interface EndpointBillMetadataTotals {
  /** USD. */
  totalAmount: number;
}

export interface EndpointBillRecord {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  /** USD. */
  totalAmount: number;
}

export interface EndpointHealth {
  jobs: { completed: number; failed: number; inProgress: number; inQueue: number; retried: number };
  workers: EndpointHealthWorkers;
}

export interface EndpointHealthWorkers {
  idle: number;
  running: number;
  initializing?: number;
  ready?: number;
  throttled?: number;
  unhealthy?: number;
}

export interface EndpointInfo {
  id: string;
  name: string;
  type?: "QUEUE" | "LOAD_BALANCER";
  requestUrls?: EndpointQueueUrls | EndpointLoadBalancerUrls;
  image?: string;
  args?: string;
  disk?: number;
  ports?: string[];
  env?: Record<string, string>;
  registry?: string | null;
  gpu?: {
    pools: string[];
    excludedTypes?: string[];
    count?: number;
    allowedCudaVersions: string[];
    minCudaVersion: string | null;
  } | null;
  cpu?: EndpointInfoCpu[];
  workers: EndpointInfoWorkers;
  scaling: { type: "QUEUE_DELAY"; queueDelay: number } | { type: "REQUEST_COUNT"; requestCount: number };
  dataCenterIds: string[];
  /** Ids. */
  networkVolumes: string[];
  /** Milliseconds of a request; 0: no limit. */
  timeout: number;
  flashboot: "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";
  /** RFC 3339. */
  createdAt: string;
}

export interface EndpointInfoCpu {
  id: string;
  vcpuCount: number;
  /** GB. */
  memory: number;
}

export interface EndpointInfoWorkers {
  min: number;
  max: number;
  /** Seconds until a worker without work goes. */
  idleTimeout?: number;
}

export interface EndpointLoadBalancerUrls {
  base: string;
  health: string;
}

export interface EndpointQueueUrls {
  run: string;
  runSync: string;
  status: string;
  stream: string;
  cancel: string;
  retry: string;
  purgeQueue: string;
  health: string;
}

export interface EndpointReleases {
  endpointVersion?: number | null;
  rollout: { inProgress: boolean; workersOnLatest: number; workersTotal: number; percentOnLatest: number };
  releases: EndpointReleasesRelease[];
}

export interface EndpointReleasesRelease {
  id: string;
  version?: number | null;
  source: "GIT_BUILD" | "MANUAL";
  buildId?: string | null;
  createdByUserId?: string | null;
  workerCount: number;
  /** RFC 3339. */
  createdAt: string;
  /** What it changed of the endpoint. */
  diff: { field: string; old: unknown; new: unknown }[];
}

export interface EndpointToEstimate {
  /** GPU pools, comma separated; the first one is priced. */
  gpuIds?: string;
  /** GPUs of one pod or worker. Default 1. */
  gpuCount?: number;
  /** Workers that are always on. Default 0. */
  workersMin?: number;
  /** Most workers at a time. Default 3. */
  workersMax?: number;
  /** Instead of `gpuIds`, as a serverless container has it. */
  gpu?: EndpointToEstimateGpu;
  /** CPU workers; the first one is priced. */
  cpu?: EndpointToEstimateCpu[];
  /** Instead of `workersMin` and `workersMax`. */
  workers?: { /** Default 0. */ min?: number /** Default 3. */; max?: number };
  /** Container disk, GB. Left out of the estimate where it is not given. */
  disk?: number;
}

export interface EndpointToEstimateCpu {
  /** CPU flavor. */
  id: string;
  vcpuCount: number;
}

export interface EndpointToEstimateGpu {
  pools: string[];
  /** GPUs of one pod or worker. Default 1. */
  count?: number;
}

export interface EndpointWorkers {
  workers: EndpointWorkersWorker[];
  summary: EndpointWorkersSummary;
  endpointVersion?: number | null;
}

export interface EndpointWorkersSummary {
  running: number;
  idle: number;
  initializing: number;
  throttled: number;
  unhealthy: number;
  total: number;
}

export interface EndpointWorkersWorker {
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
  /** RFC 3339. */
  startedAt?: string | null;
}

export interface EstimateCostArgs {
  /** Arguments of a pod. */
  pod?: PodToEstimate;
  /** Arguments of a cluster. What its network costs is not published, and not part of the estimate. */
  cluster?: ClusterToEstimate;
  /** Arguments of a serverless endpoint. */
  endpoint?: EndpointToEstimate;
  /** Arguments of a network volume. */
  networkVolume?: NetworkVolumeToEstimate;
}

export interface GetBillingArgs {
  /** RFC 3339; moved down to the start of its bucket. Default 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; moved up to the end of its bucket. Default now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /** The last buckets, the current one included. Excludes `startTime` and `endTime`. */
  lastN?: number;
}

export interface GetClusterArgs {
  /** Id of the cluster. */
  id: string;
}

export interface GetClusterBillingArgs {
  /** RFC 3339; moved down to the start of its bucket. Default 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; moved up to the end of its bucket. Default now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /** The last buckets, the current one included. Excludes `startTime` and `endTime`. */
  lastN?: number;
  /** Only the cluster with this id. */
  clusterId?: string;
}

export interface GetClusterPodsArgs {
  /** Id of the cluster. */
  id: string;
  /**
   * Shows the values of environment variables, which are hidden otherwise. As an output, the answer is then a secret;
   * as a promise it is in clear. Default false.
   */
  showSecrets?: boolean;
}

export interface GetCpuTypeArgs {
  /** Id of the CPU flavor, such as `cpu5c`. */
  id: string;
  /** Adds what is free now. Needs `product`. */
  include?: "AVAILABILITY"[];
  /** What the CPU is for; availability differs between them. Needs `include`. */
  product?: ("POD" | "SERVERLESS")[];
  /** vCPUs in one instance, for the availability: a power of two. Needs `include`. */
  vcpuCount?: number;
}

export interface GetCpuTypesArgs {
  /** Adds what is free now. Needs `product`. */
  include?: "AVAILABILITY"[];
  /** What the CPU is for; availability differs between them. Needs `include`. */
  product?: ("POD" | "SERVERLESS")[];
  /** vCPUs in one instance, for the availability: a power of two. Needs `include`. */
  vcpuCount?: number;
}

export interface GetDataCenterArgs {
  /** Id of the data center, such as `EU-RO-1`. */
  id: string;
  /** Adds which GPUs or CPUs are free in each data center. */
  include?: ("GPU_AVAILABILITY" | "CPU_AVAILABILITY")[];
}

export interface GetDataCentersArgs {
  /** Adds which GPUs or CPUs are free in each data center. */
  include?: ("GPU_AVAILABILITY" | "CPU_AVAILABILITY")[];
  /** Any of these regions, such as EUROPE. */
  regions?: string[];
  /** All of these storage tiers: STANDARD, HIGH_PERFORMANCE. */
  networkVolumeTypes?: string[];
  /** All of these certificates, such as GDPR. */
  compliance?: string[];
  /** Only those with, or only those without, global networking. */
  globalNetwork?: boolean;
}

export interface GetEndpointBillingArgs {
  /** RFC 3339; moved down to the start of its bucket. Default 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; moved up to the end of its bucket. Default now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /** The last buckets, the current one included. Excludes `startTime` and `endTime`. */
  lastN?: number;
}

export interface GetEndpointHealthArgs {
  /** Id of the serverless endpoint. */
  id: string;
}

export interface GetEndpointReleasesArgs {
  /** Id of the serverless endpoint. */
  id: string;
  /**
   * Shows the values of environment variables, which are hidden otherwise. As an output, the answer is then a secret;
   * as a promise it is in clear. Default false.
   */
  showSecrets?: boolean;
}

export interface GetEndpointWorkersArgs {
  /** Id of the serverless endpoint. */
  id: string;
}

export interface GetGpuTypeArgs {
  /** Id of the GPU type, such as `NVIDIA GeForce RTX 4090`. */
  id: string;
  /** Adds what is free now. Needs `product`. */
  include?: "AVAILABILITY"[];
  /** What the GPU is for; availability differs between them. Needs `include`. */
  product?: ("POD" | "CLUSTER" | "SERVERLESS")[];
  /** GPUs in one pod, for the availability. Default 1. Needs `include`. */
  count?: number;
  /** Whose machines. Default SECURE. Needs `include`. */
  cloud?: "SECURE" | "COMMUNITY";
  /** Only what can be placed in one of these countries (ISO 3166, two capitals). Needs `include`. */
  countryCodes?: string[];
  /** Exact CUDA versions, as major.minor. Excludes `minCudaVersion`. Needs `include`. */
  cudaVersions?: string[];
  /** Lowest CUDA version, as major or major.minor. Excludes `cudaVersions`. Needs `include`. */
  minCudaVersion?: string;
}

export interface GetGpuTypesArgs {
  /** Adds what is free now. Needs `product`. */
  include?: "AVAILABILITY"[];
  /** What the GPU is for; availability differs between them. Needs `include`. */
  product?: ("POD" | "CLUSTER" | "SERVERLESS")[];
  /** GPUs in one pod, for the availability. Default 1. Needs `include`. */
  count?: number;
  /** Whose machines. Default SECURE. Needs `include`. */
  cloud?: "SECURE" | "COMMUNITY";
  /** Only what can be placed in one of these countries (ISO 3166, two capitals). Needs `include`. */
  countryCodes?: string[];
  /** Exact CUDA versions, as major.minor. Excludes `minCudaVersion`. Needs `include`. */
  cudaVersions?: string[];
  /** Lowest CUDA version, as major or major.minor. Excludes `cudaVersions`. Needs `include`. */
  minCudaVersion?: string;
}

export interface GetNetworkVolumeBillingArgs {
  /** RFC 3339; moved down to the start of its bucket. Default 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; moved up to the end of its bucket. Default now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /** The last buckets, the current one included. Excludes `startTime` and `endTime`. */
  lastN?: number;
  /** Only the network volume with this id. */
  networkVolumeId?: string;
}

export interface GetPodArgs {
  /** Id of the pod. */
  id: string;
  /**
   * Shows the values of environment variables, which are hidden otherwise. As an output, the answer is then a secret;
   * as a promise it is in clear. Default false.
   */
  showSecrets?: boolean;
}

export interface GetPodBillingArgs {
  /** RFC 3339; moved down to the start of its bucket. Default 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; moved up to the end of its bucket. Default now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /** The last buckets, the current one included. Excludes `startTime` and `endTime`. */
  lastN?: number;
  /** Only the pod with this id. */
  podId?: string;
}

export interface GetPodLogsArgs {
  /** Id of the pod. */
  id: string;
  /** How many lines at most, 1 to 5000. Default 100. */
  tail?: number;
  /** Only the container's lines, or the system's. */
  source?: "container" | "system";
}

export interface GetPodsArgs {
  /** Whether members of clusters are listed as well. Default false. */
  includeClusterPods?: boolean;
  /**
   * Shows the values of environment variables, which are hidden otherwise. As an output, the answer is then a secret;
   * as a promise it is in clear. Default false.
   */
  showSecrets?: boolean;
}

export interface GetPublicTemplatesArgs {
  /** Whose templates. Default official. */
  source?: "official" | "verified" | "community";
}

export interface GetServerlessBillingArgs {
  /** RFC 3339; moved down to the start of its bucket. Default 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; moved up to the end of its bucket. Default now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /** The last buckets, the current one included. Excludes `startTime` and `endTime`. */
  lastN?: number;
  /** Only the endpoint with this id. */
  serverlessId?: string;
}

export interface GetServerlessEndpointArgs {
  /** Id of the serverless endpoint. */
  id: string;
  /**
   * Shows the values of environment variables, which are hidden otherwise. As an output, the answer is then a secret;
   * as a promise it is in clear. Default false.
   */
  showSecrets?: boolean;
}

export interface GetServerlessEndpointsArgs {
  /**
   * Shows the values of environment variables, which are hidden otherwise. As an output, the answer is then a secret;
   * as a promise it is in clear. Default false.
   */
  showSecrets?: boolean;
}

export interface GetTemplatesArgs {
  /**
   * Shows the values of environment variables, which are hidden otherwise. As an output, the answer is then a secret;
   * as a promise it is in clear. Default false.
   */
  showSecrets?: boolean;
}

export interface GetWorkerLogsArgs {
  /** Id of the serverless endpoint. */
  endpointId: string;
  /** Only this worker's lines. Default: those of all active workers. */
  workerId?: string;
  /** How many lines of each worker at most, 1 to 5000. Default 100. */
  tail?: number;
  /** Only the container's lines, or the system's. */
  source?: "container" | "system";
}

export interface GpuCandidate {
  /** GPU type, as `gpu.id` of a pod or `gpuTypeId` of a cluster takes it. */
  id: string;
  name: string;
  /** Serverless pool that holds it, as `gpuIds` of an endpoint takes it. */
  pool: string | null;
  /** GB of one GPU. */
  memory: number;
  /** USD an hour, for all GPUs together. */
  pricePerHour: number;
  /** LOW, MEDIUM or HIGH. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
  /** Where it is free now; of those asked for, if any were. */
  dataCenterIds: string[];
}

export interface GpuPick {
  /** GPU type, as `gpu.id` of a pod or `gpuTypeId` of a cluster takes it. */
  id: string;
  name: string;
  /** Serverless pool that holds it, as `gpuIds` of an endpoint takes it. */
  pool: string | null;
  /** GB of one GPU. */
  memory: number;
  /** USD an hour, for all GPUs together. */
  pricePerHour: number;
  /** LOW, MEDIUM or HIGH. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
  /** Where it is free now; of those asked for, if any were. */
  dataCenterIds: string[];
  /** Ids of the others that fit, cheapest first, as a pod takes them. */
  gpuAlternatives: string[];
  /** All that fit, the pick included, cheapest first. */
  candidates: GpuCandidate[];
}

export interface GpuType {
  id: string;
  name: string;
  /** Serverless pool that holds it. */
  pool: string | null;
  manufacturer: "NVIDIA" | "AMD" | "UNKNOWN" | (string & {});
  /** GB. */
  memory: number;
  /** Whether the SECURE cloud offers it. */
  secure: boolean;
  /** Whether the COMMUNITY cloud offers it. */
  community: boolean;
  /** USD an hour for one GPU. */
  price: { secure: number; community: number; serverless?: number };
  /** Most GPUs in one pod: a ceiling, not the stock. */
  maxCount: { secure: number; community: number };
  /** With `include` only. */
  availability?: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
  /** Where it is offered. With `include` only. */
  dataCenters?: GpuTypeDataCenter[];
  /** With `include` only. */
  cudaVersions?: { version: string; available: boolean }[];
}

export interface GpuTypeDataCenter {
  id: string;
  name: string;
  /** How much of it is free now. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
}

export interface LogLine {
  source: "container" | "system";
  line: string;
  /** RFC 3339; also where a reading may go on from. */
  ts: string;
}

export interface NetworkVolumeBill {
  records: NetworkVolumeBillRecord[];
  metadata: NetworkVolumeBillMetadata;
}

export interface NetworkVolumeBillMetadata {
  /** What was asked for, with its defaults. */
  query: NetworkVolumeBillMetadataQuery;
  recordCount: number;
  totals: NetworkVolumeBillMetadataTotals;
  uniqueNetworkVolumeCount: number;
}

/** What was asked for, with its defaults. */
export interface NetworkVolumeBillMetadataQuery {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  bucketSize: "hour" | "day" | "week" | "month" | "year";
  networkVolumeId?: string | null;
}

export interface NetworkVolumeBillMetadataTotals {
  /** USD. */
  totalAmount: number;
  /** USD. */
  standardAmount: number;
  /** USD. */
  highPerformanceAmount: number;
}

export interface NetworkVolumeBillRecord {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  networkVolumeId: string;
  /** USD. */
  totalAmount: number;
  /** USD. */
  standardAmount: number;
  /** USD. */
  highPerformanceAmount: number;
}

export interface NetworkVolumeInfo {
  id: string;
  name: string;
  /** GB. */
  size: number;
  dataCenter: string;
  type: "STANDARD" | "HIGH_PERFORMANCE";
}

export interface NetworkVolumeToEstimate {
  /** GB. */
  size: number;
  /** Only the price of STANDARD is published. Default `STANDARD`. */
  type?: "STANDARD" | "HIGH_PERFORMANCE";
}

export interface PickGpuArgs {
  /** GB that one GPU must have at least. */
  memory?: number;
  /** GPUs in one pod or worker. Default 1. */
  count?: number;
  /** USD an hour, for all `count` GPUs together. */
  maxPricePerHour?: number;
  /** COMMUNITY is for pods only. Default `SECURE`. */
  cloud?: "SECURE" | "COMMUNITY";
  /** Data centers of which at least one must have the GPU free. Default: any. */
  dataCenterIds?: string[];
  /** What the GPU is for. Default `POD`. */
  product?: "POD" | "CLUSTER" | "SERVERLESS";
}

export interface PodBill {
  records: PodBillRecord[];
  metadata: PodBillMetadata;
}

export interface PodBillMetadata {
  /** What was asked for, with its defaults. */
  query: PodBillMetadataQuery;
  recordCount: number;
  totals: PodBillMetadataTotals;
  uniquePodCount: number;
}

/** What was asked for, with its defaults. */
export interface PodBillMetadataQuery {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  bucketSize: "hour" | "day" | "week" | "month" | "year";
  podId?: string | null;
}

export interface PodBillMetadataTotals {
  /** USD. */
  totalAmount: number;
  /** USD. */
  gpuAmount: number;
  /** USD. */
  cpuAmount: number;
  /** USD. */
  diskAmount: number;
}

export interface PodBillRecord {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  podId: string;
  /** USD. */
  totalAmount: number;
  /** USD. */
  gpuAmount: number;
  /** USD. */
  cpuAmount: number;
  /** USD. */
  diskAmount: number;
}

export interface PodInfo {
  id: string;
  name: string;
  status: "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR" | "TERMINATED";
  /** What can be done with it in this status. */
  actions: ("start" | "stop" | "restart" | "terminate")[];
  image: string;
  /** CMD, as one string. */
  args: string;
  /** GB, wiped on a restart. */
  disk: number;
  /** As `8888/http`. */
  ports: string[];
  /** Values are hidden, unless `showSecrets` asks for them. */
  env: Record<string, string>;
  /** Id of registry credentials. */
  registry: string | null;
  mounts: { persistent?: PodInfoMountsPersistent; network?: { volumeId: string; path: string }[] };
  gpu?: { id: string; count?: number };
  cpu?: PodInfoCpu;
  cloud: "SECURE" | "COMMUNITY";
  dataCenterId: string | null;
  cudaVersion: string | null;
  ssh: {
    proxy: { host: string; port: number; username: string; command: string } | null;
    direct: { host: string; port: number; username: string; command: string } | null;
  };
  /** Of a member of a cluster. */
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
  /** How the machine under it does; null while it does not run. */
  runtime: PodInfoRuntime | null;
  /** RFC 3339. */
  createdAt: string;
  /** RFC 3339. */
  startedAt: string | null;
}

export interface PodInfoCpu {
  id: string;
  vcpuCount: number;
  /** GB. */
  memory: number;
}

export interface PodInfoMountsPersistent {
  /** GB. */
  size: number;
  path: string;
}

export interface PodInfoRuntime {
  /** Seconds. */
  uptime?: number;
  gpus?: PodInfoRuntimeGpu[];
  cpu?: PodInfoRuntimeCpu;
  memory?: PodInfoRuntimeMemory;
  ports?: { private?: number; public?: number | null; type?: string; ip?: string | null }[];
}

export interface PodInfoRuntimeCpu {
  /** Percent. */
  util?: number;
}

export interface PodInfoRuntimeGpu {
  /** Percent. */
  util?: number;
  /** Percent. */
  memoryUtil?: number;
}

export interface PodInfoRuntimeMemory {
  /** Percent. */
  util?: number;
}

export interface PodToEstimate {
  gpu?: PodToEstimateGpu;
  cpu?: PodToEstimateCpu;
  /** Whose machines. Default `SECURE`. */
  cloud?: "SECURE" | "COMMUNITY";
  /** Container disk, GB. Left out of the estimate where it is not given. */
  disk?: number;
  /** A network volume is priced as a volume of its own. */
  mounts?: { persistent?: PodToEstimateMountsPersistent };
  /** A stopped pod pays for its storage. Default `RUNNING`. */
  desiredStatus?: "RUNNING" | "EXITED";
}

export interface PodToEstimateCpu {
  /** CPU flavor. */
  id: string;
  vcpuCount: number;
}

export interface PodToEstimateGpu {
  /** GPU type. */
  id: string;
  /** GPUs of one pod or worker. Default 1. */
  count?: number;
}

export interface PodToEstimateMountsPersistent {
  /** GB. */
  size: number;
}

export interface PublicTemplateInfo {
  id: string;
  name: string;
  image: string;
  /** CMD, as one string. */
  args: string;
  /** GB, wiped on a restart. */
  disk: number;
  /** As `8888/http`. */
  ports: string[];
  /** Values are hidden, unless `showSecrets` asks for them. */
  env: Record<string, string>;
  /** Id of registry credentials. */
  registry: string | null;
  mounts: { persistent?: PublicTemplateInfoMountsPersistent };
  serverless: boolean;
  public: boolean;
  category: "CPU" | "NVIDIA" | "AMD";
  startSsh: boolean;
  startJupyter: boolean;
  allowedCudaVersions: string[];
}

export interface PublicTemplateInfoMountsPersistent {
  /** GB. */
  size: number;
  path: string;
}

export interface RegistryInfo {
  id: string;
  name: string;
}

export interface ServerlessBill {
  records: ServerlessBillRecord[];
  metadata: ServerlessBillMetadata;
}

export interface ServerlessBillMetadata {
  /** What was asked for, with its defaults. */
  query: ServerlessBillMetadataQuery;
  recordCount: number;
  totals: ServerlessBillMetadataTotals;
  uniqueServerlessCount: number;
}

/** What was asked for, with its defaults. */
export interface ServerlessBillMetadataQuery {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  bucketSize: "hour" | "day" | "week" | "month" | "year";
  serverlessId?: string | null;
}

export interface ServerlessBillMetadataTotals {
  /** USD. */
  totalAmount: number;
  /** USD. */
  gpuAmount: number;
  /** USD. */
  cpuAmount: number;
  /** USD. */
  diskAmount: number;
  /** USD. */
  feeAmount: number;
}

export interface ServerlessBillRecord {
  /** RFC 3339. */
  startTime: string;
  /** RFC 3339, exclusive. */
  endTime: string;
  serverlessId: string;
  /** USD. */
  totalAmount: number;
  /** USD. */
  gpuAmount: number;
  /** USD. */
  cpuAmount: number;
  /** USD. */
  diskAmount: number;
  /** USD. */
  feeAmount: number;
}

export interface ServerlessDiscount {
  /** What the service multiplies prices with, as it shows it. */
  discountFactor?: number;
  type?: string | null;
  /** RFC 3339. */
  expirationDate?: string | null;
}

export interface TemplateInfo {
  id: string;
  name: string;
  image: string;
  /** CMD, as one string. */
  args: string;
  /** GB, wiped on a restart. */
  disk: number;
  /** As `8888/http`. */
  ports: string[];
  /** Values are hidden, unless `showSecrets` asks for them. */
  env: Record<string, string>;
  /** Id of registry credentials. */
  registry: string | null;
  mounts: { persistent?: TemplateInfoMountsPersistent };
  serverless: boolean;
  public: boolean;
  category: "CPU" | "NVIDIA" | "AMD";
  startSsh: boolean;
  startJupyter: boolean;
  allowedCudaVersions: string[];
}

export interface TemplateInfoMountsPersistent {
  /** GB. */
  size: number;
  path: string;
}

export interface WorkerLogLine {
  source: "container" | "system";
  line: string;
  /** RFC 3339; also where a reading may go on from. */
  ts: string;
  /** Whose line it is. */
  workerId: string;
}
