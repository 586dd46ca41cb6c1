// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

export interface AccountBalance {
  /** What the account holds, in USD. */
  balanceAmount: number;
  /** Whether the service is paid for before or after. */
  billingMode: "PREPAID" | "POSTPAID";
}

export interface AccountBill {
  /** One for each time bucket. */
  records: AccountBillRecord[];
  /** What was asked for, and the records summed up. */
  metadata: AccountBillMetadata;
}

/** What was asked for, and the records summed up. */
export interface AccountBillMetadata {
  /** What was asked for, with its defaults. */
  query: AccountBillMetadataQuery;
  /** How many records there are. */
  recordCount: number;
  /** The sums of all records. */
  totals: AccountBillMetadataTotals;
}

/** What was asked for, with its defaults. */
export interface AccountBillMetadataQuery {
  /** Start of the time asked for, RFC 3339. */
  startTime: string;
  /** End of the time asked for, exclusive, RFC 3339. */
  endTime: string;
  /** Length of a time bucket. */
  bucketSize: "hour" | "day" | "week" | "month" | "year";
}

/** The sums of all records. */
export interface AccountBillMetadataTotals {
  /** USD for all of it. */
  totalAmount: number;
  /** USD for the GPUs of pods. */
  podGpuAmount: number;
  /** USD for CPU pods. */
  podCpuAmount: number;
  /** USD for the storage of pods. */
  podDiskAmount: number;
  /** USD for the GPUs of serverless workers. */
  serverlessGpuAmount: number;
  /** USD for serverless CPU workers. */
  serverlessCpuAmount: number;
  /** USD for the storage of serverless workers. */
  serverlessDiskAmount: number;
  /** USD for the fee of serverless endpoints. */
  serverlessFeeAmount: number;
  /** USD for STANDARD network volumes. */
  storageStandardAmount: number;
  /** USD for HIGH_PERFORMANCE network volumes. */
  storageHighPerformanceAmount: number;
  /** USD for the service's public endpoints. */
  endpointAmount: number;
  /** USD for the GPUs of clusters. */
  clusterGpuAmount: number;
  /** USD for the storage of clusters. */
  clusterDiskAmount: number;
  /** USD for the networks of clusters. */
  clusterNetworkingAmount: number;
}

export interface AccountBillRecord {
  /** Start of the time bucket, RFC 3339. */
  startTime: string;
  /** End of the time bucket, exclusive, RFC 3339. */
  endTime: string;
  /** USD for all of it. */
  totalAmount: number;
  /** USD for the GPUs of pods. */
  podGpuAmount: number;
  /** USD for CPU pods. */
  podCpuAmount: number;
  /** USD for the storage of pods. */
  podDiskAmount: number;
  /** USD for the GPUs of serverless workers. */
  serverlessGpuAmount: number;
  /** USD for serverless CPU workers. */
  serverlessCpuAmount: number;
  /** USD for the storage of serverless workers. */
  serverlessDiskAmount: number;
  /** USD for the fee of serverless endpoints. */
  serverlessFeeAmount: number;
  /** USD for STANDARD network volumes. */
  storageStandardAmount: number;
  /** USD for HIGH_PERFORMANCE network volumes. */
  storageHighPerformanceAmount: number;
  /** USD for the service's public endpoints. */
  endpointAmount: number;
  /** USD for the GPUs of clusters. */
  clusterGpuAmount: number;
  /** USD for the storage of clusters. */
  clusterDiskAmount: number;
  /** USD for the networks of clusters. */
  clusterNetworkingAmount: number;
}

export interface AccountInfo {
  /** Its id. */
  id: string;
  /** E-mail address of its owner; null where none is known. */
  email?: string | null;
}

export interface AccountLimits {
  /** What the account may spend in an hour; pods and workers start within it. */
  spendRate?: Record<string, unknown>;
  /** How many workers all endpoints together may have. */
  serverlessWorkers?: Record<string, unknown>;
}

export interface BuildInfo {
  /** Identifies the build, as `buildId` of a release does. */
  id: string;
  /** How far it is; the last four are final. */
  status: "PENDING" | "BUILDING" | "UPLOADING" | "TESTING" | "COMPLETED" | "FAILED" | "CANCELLED" | "TEST_FAILED";
  /** Commit that was built; null or absent where it is unknown. */
  commitHash?: string | null;
  /** Message of the commit; null or absent where it is unknown. */
  commitMessage?: string | null;
  /** Branch of the commit; null or absent where it is unknown. */
  branch?: string | null;
  /** When the commit was made, RFC 3339; null or absent where it is unknown. */
  commitDate?: string | null;
  /** Image that was built; null or absent until there is one. */
  imageName?: string | null;
  /** When it began, RFC 3339; null or absent until it does. */
  startedAt?: string | null;
  /** When it ended, RFC 3339; null or absent until it does. */
  completedAt?: string | null;
  /** Why it failed; null or absent unless it did. */
  error?: string | null;
}

export interface BuildLogLine {
  /** What was written. */
  line: string;
  /** When it was written, RFC 3339. */
  ts: string;
}

export interface ClusterBill {
  /** One for each cluster and time bucket. */
  records: ClusterBillRecord[];
  /** What was asked for, and the records summed up. */
  metadata: ClusterBillMetadata;
}

/** What was asked for, and the records summed up. */
export interface ClusterBillMetadata {
  /** What was asked for, with its defaults. */
  query: ClusterBillMetadataQuery;
  /** How many records there are. */
  recordCount: number;
  /** The sums of all records. */
  totals: ClusterBillMetadataTotals;
  /** How many clusters were billed. */
  uniqueClusterCount: number;
}

/** What was asked for, with its defaults. */
export interface ClusterBillMetadataQuery {
  /** Start of the time asked for, RFC 3339. */
  startTime: string;
  /** End of the time asked for, exclusive, RFC 3339. */
  endTime: string;
  /** Length of a time bucket. */
  bucketSize: "hour" | "day" | "week" | "month" | "year";
  /** The only cluster asked for; null or absent: all. */
  clusterId?: string | null;
}

/** The sums of all records. */
export interface ClusterBillMetadataTotals {
  /** USD for all of it. */
  totalAmount: number;
  /** USD for GPUs. */
  gpuAmount: number;
  /** USD for storage. */
  diskAmount: number;
  /** USD for the network between pods. */
  networkingAmount: number;
}

export interface ClusterBillRecord {
  /** Start of the time bucket, RFC 3339. */
  startTime: string;
  /** End of the time bucket, exclusive, RFC 3339. */
  endTime: string;
  /** The cluster that was billed, by its id. */
  clusterId: string;
  /** USD for all of it. */
  totalAmount: number;
  /** USD for GPUs. */
  gpuAmount: number;
  /** USD for storage. */
  diskAmount: number;
  /** USD for the network between pods. */
  networkingAmount: number;
}

export interface ClusterInfo {
  /** Identifies the cluster: what `getCluster` takes. */
  id: string;
  /** Its name, which others may have too. */
  name: string;
  /** What is set up on its pods: nothing (APPLICATION), a training network, Slurm or Ray. */
  type: "APPLICATION" | "TRAINING" | "SLURM" | "RAY";
  /** Its hardware: pods that are all alike. */
  compute: ClusterInfoCompute;
  /** Template that its pods were created from; absent where there was none. */
  template?: string | null;
  /** Data center of all its pods; absent until the first is placed. */
  dataCenterId?: string | null;
  /** How many pods there are; `getClusterPods` lists them. */
  pods: ClusterInfoPods;
  /** The private network between its pods; absent until it is set up. */
  network?: ClusterInfoNetwork;
  /** The pod of rank 0, from which a cluster is worked with; absent until it is placed. */
  primary?: ClusterInfoPrimary;
  /** When it was created, RFC 3339. */
  createdAt: string;
}

/** Its hardware: pods that are all alike. */
export interface ClusterInfoCompute {
  /** GPU type of each pod, as `getGpuType` takes it. */
  gpuTypeId: string;
  /** GPUs of each pod. */
  gpuCountPerPod: number;
  /** Pods of the cluster when all are there. */
  podCount: number;
}

export interface ClusterInfoNetwork {
  /** Its IP addresses, such as `10.65.0.0/16`. */
  cidr: string;
  /** Number of the VXLAN; absent until it has one. */
  vxlanId?: number;
  /** UDP port of the VXLAN; absent until it has one. */
  vxlanPort?: number;
}

/** How many pods there are; `getClusterPods` lists them. */
export interface ClusterInfoPods {
  /** Pods that are there already. */
  total: number;
  /** Pods in each status; one that no pod has is absent. */
  byStatus: Record<string, number>;
}

export interface ClusterInfoPrimary {
  /** Identifies the pod: what `getPod` takes. */
  podId: string;
  /** What the pod does now, as `getPod` shows it. */
  status: "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR" | "TERMINATED";
  /** Address for SSH, as `host:port`; absent unless the pod runs with `22/tcp` among its ports. */
  sshEndpoint?: string;
}

export interface ClusterToEstimate {
  /** Hardware of the cluster. */
  compute: ClusterToEstimateCompute;
  /** GPU types to try when the first one is not available. At most, the most expensive one is billed. */
  gpuAlternatives?: string[];
  /** Container disk, GB. Default: none, which leaves the disk out of the estimate. */
  disk?: number;
  /** A network volume is priced as a volume of its own. */
  mounts?: ClusterToEstimateMounts;
}

/** Hardware of the cluster. */
export interface ClusterToEstimateCompute {
  /** GPU type. */
  gpuTypeId: string;
  /** GPUs of each pod. */
  gpuCountPerPod: number;
  /** How many pods. */
  podCount: number;
}

export interface ClusterToEstimateMounts {
  /** Storage of the pod's machine. Default: none. */
  persistent?: ClusterToEstimateMountsPersistent;
}

export interface ClusterToEstimateMountsPersistent {
  /** Size in GB. */
  size: number;
}

export interface CostCenterInfo {
  /** Identifies the cost center: what `adoptId` of a CostCenter takes. */
  id: string;
  /** Its name. */
  value: string;
}

export interface CostEstimate {
  /** USD an hour at least: for an endpoint, with `workersMin` workers in its first pool. */
  hourly: number;
  /** USD a month of 730 hours at least. */
  monthly: number;
  /** USD an hour at most: for an endpoint, with `workersMax` workers in its most expensive pool. */
  hourlyMax: number;
  /** USD a month of 730 hours at most. */
  monthlyMax: number;
  /** The items that add up to these amounts. */
  items: CostItem[];
}

export interface CostItem {
  /** What is paid for, such as a GPU type. */
  name: string;
  /** Units that are billed at least. 0 for what is billed only at most. */
  quantity: number;
  /** Units that are billed at most. 0 for a first choice that is not the most expensive. */
  maxQuantity: number;
  /** GPU, vCPU or GB. */
  unit: string;
  /** Price of one unit, in USD an hour. */
  unitPricePerHour: number;
}

export interface CpuType {
  /** Identifies the CPU flavor: what `cpu.id` of a pod or endpoint takes. */
  id: string;
  /** Display name. */
  name: string;
  /** Generation of CPUs that it belongs to. */
  group: string;
  /** How many vCPUs one pod or worker can have. */
  vcpu: CpuTypeVcpu;
  /** Memory in GB that comes with each vCPU; may be a fraction. */
  ramGbPerVcpu: number;
  /** List prices. */
  price: CpuTypePrice;
  /** How much of it is free now; absent without `include`. */
  availability?: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
  /** Data centers that offer it; absent without `include`, and where there is none. */
  dataCenters?: CpuTypeDataCenter[];
}

export interface CpuTypeDataCenter {
  /** Identifies the data center: what `dataCenterIds` of a pod or endpoint takes. */
  id: string;
  /** Display name. */
  name: string;
  /** How much is free there now. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
}

/** List prices. */
export interface CpuTypePrice {
  /** For a pod in the SECURE cloud, in USD an hour for one vCPU. */
  securePerVcpu: number;
  /** For a serverless worker, in USD an hour for one vCPU. */
  serverlessPerVcpu: number;
}

/** How many vCPUs one pod or worker can have. */
export interface CpuTypeVcpu {
  /** Fewest vCPUs. */
  min: number;
  /** Most vCPUs. */
  max: number;
}

export interface DataCenter {
  /** Identifies the data center: what `dataCenterIds` of a pod or endpoint takes. */
  id: string;
  /** Display name. */
  name: string;
  /** Part of the world that it is in. */
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
  /** Storage tiers of the network volumes that it offers; empty: none. */
  networkVolumeTypes: ("STANDARD" | "HIGH_PERFORMANCE" | (string & {}))[];
  /** Certificates that it holds. */
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
  /** GPU types that it offers; absent without `include`, and where there is none. */
  gpuAvailability?: DataCenterGpuAvailability[];
  /** CPU flavors that it offers; absent without `include`, and where there is none. */
  cpuAvailability?: DataCenterCpuAvailability[];
}

export interface DataCenterCpuAvailability {
  /** Identifies the CPU flavor: what `cpu.id` of a pod or endpoint takes. */
  id: string;
  /** Display name. */
  name: string;
  /** How much is free there now. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
}

export interface DataCenterGpuAvailability {
  /** Identifies the GPU type: what `gpu.id` of a pod takes. */
  id: string;
  /** Display name. */
  name: string;
  /** How much is free there now. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
}

export interface DelegationInfo {
  /** Identifies the delegation: what `adoptId` of an EcrDelegation takes. */
  id: string;
  /** Its name; null or absent where it was given none. */
  name?: string | null;
  /** Id of the user that gave the permission. */
  delegatorUserId: string;
  /** AWS account of the repository. */
  awsUser: string;
  /** Name of the ECR repository. */
  repository: string;
  /** Tag of the image; any other tag of the repository can be pulled too. */
  tag: string;
  /** AWS region of the repository. */
  awsRegion: string;
  /** Address of the registry, as image names begin. */
  dockerRegistryUri?: string;
  /** When it was created, RFC 3339. */
  createdAt: string;
}

export interface EndpointBill {
  /** One for each time bucket. */
  records: EndpointBillRecord[];
  /** What was asked for, and the records summed up. */
  metadata: EndpointBillMetadata;
}

/** What was asked for, and the records summed up. */
export interface EndpointBillMetadata {
  /** What was asked for, with its defaults. */
  query: EndpointBillMetadataQuery;
  /** How many records there are. */
  recordCount: number;
  /** The sums of all records. */
  totals: EndpointBillMetadataTotals;
}

/** What was asked for, with its defaults. */
export interface EndpointBillMetadataQuery {
  /** Start of the time asked for, RFC 3339. */
  startTime: string;
  /** End of the time asked for, exclusive, RFC 3339. */
  endTime: string;
  /** Length of a time bucket. */
  bucketSize: "hour" | "day" | "week" | "month" | "year";
}

/** The sums of all records. */
export interface EndpointBillMetadataTotals {
  /** USD for all of it. */
  totalAmount: number;
}

export interface EndpointBillRecord {
  /** Start of the time bucket, RFC 3339. */
  startTime: string;
  /** End of the time bucket, exclusive, RFC 3339. */
  endTime: string;
  /** USD for all of it. */
  totalAmount: number;
}

export interface EndpointHealth {
  /** How many jobs there are in each state. */
  jobs: EndpointHealthJobs;
  /** How many workers there are in each state. */
  workers: EndpointHealthWorkers;
}

/** How many jobs there are in each state. */
export interface EndpointHealthJobs {
  /** Jobs that went well. */
  completed: number;
  /** Jobs that failed. */
  failed: number;
  /** Jobs that a worker works on. */
  inProgress: number;
  /** Jobs that wait for a worker. */
  inQueue: number;
  /** Jobs that were queued again, as after the loss of their worker. */
  retried: number;
}

/** How many workers there are in each state. */
export interface EndpointHealthWorkers {
  /** Workers that wait for a job. */
  idle: number;
  /** Workers that work on a job. */
  running: number;
  /** Workers that start; absent where the service does not say. */
  initializing?: number;
  /** Workers that can take a job at once; absent where the service does not say. */
  ready?: number;
  /** Workers that wait for a free machine; absent where the service does not say. */
  throttled?: number;
  /** Workers that crash; absent where the service does not say. */
  unhealthy?: number;
}

export interface EndpointInfo {
  /** Identifies the endpoint: what `getServerlessEndpoint` takes. */
  id: string;
  /** Its name, which others may have too. */
  name: string;
  /** Whether requests wait in a queue, or go to a worker at once. */
  type?: "QUEUE" | "LOAD_BALANCER";
  /** Addresses for requests: of a queue's operations, or of the load balancer. */
  requestUrls?: EndpointQueueUrls | EndpointLoadBalancerUrls;
  /** Container image. */
  image?: string;
  /**
   * Command of the container as it is stored: a shell line, or `entrypoint` and `cmd` as JSON; empty: the image's own.
   */
  args?: string;
  /** In place of the image's entry point; empty: the image's own. */
  entrypoint?: string[];
  /** In place of the image's command, word by word; empty: the image's own. */
  cmd?: string[];
  /** Container disk in GB; a restart wipes it. */
  disk?: number;
  /** Ports that are open, as `8888/http` or `22/tcp`. */
  ports?: string[];
  /** Environment variables; their values are hidden, unless `showSecrets` asks for them. */
  env?: Record<string, string>;
  /** The credentials that pull the image, by their id in `getRegistries`; null: none. */
  registry?: string | null;
  /** GPUs of its workers; null or absent on an endpoint of CPU workers. */
  gpu?: EndpointInfoGpu | null;
  /** CPUs that a worker may have; absent on an endpoint of GPU workers. */
  cpu?: EndpointInfoCpu[];
  /** How many workers there may be. */
  workers: EndpointInfoWorkers;
  /** When workers are added. */
  scaling: EndpointInfoScaling1 | EndpointInfoScaling2;
  /** Data centers where workers may run; empty: any. */
  dataCenterIds: string[];
  /** Its network volumes, by their ids in `getNetworkVolumes`; at most one in a data center. */
  networkVolumes: string[];
  /** Its global volume, by its id in `getGlobalVolumes`, at most one; absent where the service does not show it. */
  globalVolumes?: string[];
  /** Milliseconds that a request may take; 0: no limit. */
  timeout: number;
  /** How fast stopped workers come back. */
  flashboot: "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";
  /** When it was created, RFC 3339. */
  createdAt: string;
}

export interface EndpointInfoCpu {
  /** CPU flavor, as `getCpuType` takes it. */
  id: string;
  /** How many vCPUs. */
  vcpuCount: number;
  /** Memory of all these vCPUs in GB. */
  memory: number;
}

export interface EndpointInfoGpu {
  /** GPU pools that its workers come from. */
  pools: string[];
  /** GPU types taken out of the pools; absent: none. */
  excludedTypes?: string[];
  /** GPUs of each worker. */
  count?: number;
  /** CUDA versions that a worker's machine may have, as major.minor; empty: any. */
  allowedCudaVersions: string[];
  /** Lowest CUDA version of a worker's machine, as major.minor; null: any. */
  minCudaVersion: string | null;
}

export interface EndpointInfoScaling1 {
  /** By the delay in the queue. */
  type: "QUEUE_DELAY";
  /** Seconds that a job waits before a worker is added. */
  queueDelay: number;
}

export interface EndpointInfoScaling2 {
  /** By the number of requests. */
  type: "REQUEST_COUNT";
  /** Requests for each worker; with more, a worker is added. */
  requestCount: number;
}

/** How many workers there may be. */
export interface EndpointInfoWorkers {
  /** Workers that are always on, and billed. */
  min: number;
  /** Most workers at a time. */
  max: number;
  /** Seconds until a worker without work goes; absent on a queue that scales by REQUEST_COUNT. */
  idleTimeout?: number;
}

/** Addresses of a load balancing endpoint. */
export interface EndpointLoadBalancerUrls {
  /** Stands before the paths of the container. */
  base: string;
  /** Answers when a worker is ready. */
  health: string;
}

export interface EndpointQueueUrls {
  /** Submits a job. */
  run: string;
  /** Submits a job and waits for its end. */
  runSync: string;
  /** State and output of a job. */
  status: string;
  /** Output of a job, piece by piece. */
  stream: string;
  /** Cancels a job. */
  cancel: string;
  /** Runs a failed job again. */
  retry: string;
  /** Removes the jobs that wait. */
  purgeQueue: string;
  /** Counts of jobs and workers. */
  health: string;
  /** Base URL of OpenAI's clients, of use where the image serves OpenAI's routes. */
  openai: string;
}

export interface EndpointReleases {
  /** Version that the endpoint is at; null where it is unknown. */
  endpointVersion?: number | null;
  /** How far the newest release has come. */
  rollout: EndpointReleasesRollout;
  /** The releases, newest first: the newest 1000, or those of the page that was asked for. */
  releases: EndpointReleasesRelease[];
  /** Where the next page is; absent where the service has no pages. */
  pagination?: EndpointReleasesPagination;
}

export interface EndpointReleasesPagination {
  /** `cursor` of the page that follows; null or absent where none does. */
  nextCursor?: string | null;
  /** Whether a page follows. */
  hasNextPage: boolean;
}

export interface EndpointReleasesRelease {
  /** Identifies the release among those of the endpoint. */
  id: string;
  /** Version of the endpoint that it created; null where it is unknown. */
  version?: number | null;
  /** What caused it: a build from a repository, or a change of the endpoint. */
  source: "GIT_BUILD" | "MANUAL";
  /** Id of the build that caused it; null where none did. */
  buildId?: string | null;
  /** Id of the user who created it; null where it is unknown. */
  createdByUserId?: string | null;
  /** Workers that run it now. */
  workerCount: number;
  /** When it was created, RFC 3339. */
  createdAt: string;
  /** What it changed of the endpoint. */
  diff: EndpointReleasesReleaseDiff[];
}

export interface EndpointReleasesReleaseDiff {
  /** Name of what it changed, such as `gpuCount` or `template.env`. */
  field: string;
  /** Value before; null where there was none. That of variables is hidden as `env` is. */
  old: unknown;
  /** Value since; null where there is none. That of variables is hidden as `env` is. */
  new: unknown;
}

/** How far the newest release has come. */
export interface EndpointReleasesRollout {
  /** Whether a worker still runs an older version. */
  inProgress: boolean;
  /** Workers that run the endpoint's version. */
  workersOnLatest: number;
  /** All workers of the endpoint. */
  workersTotal: number;
  /** Workers that run the endpoint's version, in percent of all; 0 without any. */
  percentOnLatest: number;
}

export interface EndpointToEstimate {
  /** GPU pools, comma separated: the first is priced at least, the most expensive at most. */
  gpuIds?: string;
  /** GPUs of one pod or worker. Default 1. */
  gpuCount?: number;
  /** Workers that are always on. Default 0. */
  workersMin?: number;
  /** Most workers at a time. Default 3. */
  workersMax?: number;
  /** Instead of `gpuIds`, as a serverless container has it. */
  gpu?: EndpointToEstimateGpu;
  /** CPU workers: the first is priced at least, the most expensive at most. */
  cpu?: EndpointToEstimateCpu[];
  /** Instead of `workersMin` and `workersMax`. */
  workers?: EndpointToEstimateWorkers;
  /** Container disk, GB. Default: none, which leaves the disk out of the estimate. */
  disk?: number;
}

export interface EndpointToEstimateCpu {
  /** CPU flavor. */
  id: string;
  /** vCPUs of one pod or worker. */
  vcpuCount: number;
}

export interface EndpointToEstimateGpu {
  /** GPU pools: the first is priced at least, the most expensive at most. */
  pools: string[];
  /** GPUs of one pod or worker. Default 1. */
  count?: number;
}

export interface EndpointToEstimateWorkers {
  /** Workers that are always on. Default 0. */
  min?: number;
  /** Most workers at a time. Default 3. */
  max?: number;
}

export interface EndpointWorkers {
  /** The active workers. */
  workers: EndpointWorkersWorker[];
  /** The workers counted by status. */
  summary: EndpointWorkersSummary;
  /** Version that the endpoint is at; null where it is unknown. */
  endpointVersion?: number | null;
}

/** The workers counted by status. */
export interface EndpointWorkersSummary {
  /** Workers that work on a job. */
  running: number;
  /** Workers that wait for a job. */
  idle: number;
  /** Workers that start. */
  initializing: number;
  /** Workers that wait for a free machine. */
  throttled: number;
  /** Workers that fail their health checks. */
  unhealthy: number;
  /** All of them. */
  total: number;
}

export interface EndpointWorkersWorker {
  /** Identifies the worker: what `workerId` of `getWorkerLogs` takes. */
  id: string;
  /** What it does now: runs a job, waits for one, starts, waits for a free machine, or fails its health checks. */
  status: "RUNNING" | "IDLE" | "INITIALIZING" | "THROTTLED" | "UNHEALTHY";
  /** Whether it runs an older version than the endpoint's, until its job is done. */
  isStale: boolean;
  /** Version of the endpoint that it runs; null where it is unknown. */
  version?: number | null;
  /** How many GPUs it has. */
  gpuCount: number;
  /** Container image that it runs; null where it is unknown. */
  image?: string | null;
  /** Seconds that it has run; null until it runs. */
  uptimeSeconds?: number | null;
  /** GPU type that it has, as `getGpuType` takes it; null until it is placed. */
  gpuTypeId?: string | null;
  /** Data center where it was placed; null until it is. */
  dataCenterId?: string | null;
  /** When it last started, RFC 3339; null where it has not. */
  startedAt?: string | null;
}

export interface EstimateCostArgs {
  /** Arguments of a pod. */
  pod?: PodToEstimate;
  /** Arguments of a cluster. The price of a cluster's network is not published, so the estimate leaves it out. */
  cluster?: ClusterToEstimate;
  /** Arguments of a serverless endpoint. */
  endpoint?: EndpointToEstimate;
  /** Arguments of a network volume. */
  networkVolume?: NetworkVolumeToEstimate;
}

export interface GetBillingArgs {
  /** RFC 3339; rounded down to the start of its bucket. Default: 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; rounded up to the end of its bucket. Default: now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default: day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /**
   * Number of the last buckets to return, including the current one. Default: none. Excludes `startTime` and `endTime`.
   */
  lastN?: number;
}

export interface GetBuildLogsArgs {
  /** Id of the serverless endpoint. */
  endpointId: string;
  /** Id of the build of `getEndpointBuilds`. */
  buildId: string;
  /** Most lines, 1 to 5000. Default 100. */
  tail?: number;
}

export interface GetBuildLogsResult {
  /** The lines, oldest first. */
  lines: BuildLogLine[];
}

export interface GetClusterArgs {
  /** Id of the cluster. */
  id: string;
}

export interface GetClusterBillingArgs {
  /** RFC 3339; rounded down to the start of its bucket. Default: 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; rounded up to the end of its bucket. Default: now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default: day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /**
   * Number of the last buckets to return, including the current one. Default: none. Excludes `startTime` and `endTime`.
   */
  lastN?: number;
  /** Only the cluster with this id. */
  clusterId?: string;
}

export interface GetClusterPodsArgs {
  /** Id of the cluster. */
  id: string;
  /**
   * Whether to show the values of environment variables, which are otherwise hidden. The answer of the output form is
   * then a secret; the promise's is plain text. Default: false.
   */
  showSecrets?: boolean;
}

export interface GetClusterPodsResult {
  /** The pods of the cluster that exist so far. */
  pods: PodInfo[];
}

export interface GetClustersResult {
  /** All clusters of the account. */
  clusters: ClusterInfo[];
}

export interface GetCostCentersResult {
  /** All cost centers of the account. */
  costCenters: CostCenterInfo[];
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

export interface GetCpuTypesResult {
  /** All CPU flavors of the catalog. */
  cpus: CpuType[];
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
  /** Only data centers in one of these regions, such as EUROPE. Default: any. */
  regions?: string[];
  /** Only data centers with all of these storage tiers: STANDARD, HIGH_PERFORMANCE. Default: any. */
  networkVolumeTypes?: string[];
  /** Only data centers with all of these certificates, such as GDPR. Default: any. */
  compliance?: string[];
  /** Only data centers with (true) or without (false) global networking. Default: all. */
  globalNetwork?: boolean;
}

export interface GetDataCentersResult {
  /** The data centers that match all arguments. */
  dataCenters: DataCenter[];
}

export interface GetDelegationsResult {
  /** All delegations of the account. */
  delegations: DelegationInfo[];
}

export interface GetEndpointBillingArgs {
  /** RFC 3339; rounded down to the start of its bucket. Default: 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; rounded up to the end of its bucket. Default: now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default: day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /**
   * Number of the last buckets to return, including the current one. Default: none. Excludes `startTime` and `endTime`.
   */
  lastN?: number;
}

export interface GetEndpointBuildsArgs {
  /** Id of the serverless endpoint. */
  id: string;
}

export interface GetEndpointBuildsResult {
  /** All builds of the endpoint; empty where it has none. */
  builds: BuildInfo[];
}

export interface GetEndpointHealthArgs {
  /** Id of the serverless endpoint. */
  id: string;
}

export interface GetEndpointReleasesArgs {
  /** Id of the serverless endpoint. */
  id: string;
  /** Most releases, 1 to 1000. Default: 1000. */
  limit?: number;
  /** `pagination.nextCursor` of the page before. Default: the first page. */
  cursor?: string;
  /**
   * Whether to show the values of environment variables, which are otherwise hidden. The answer of the output form is
   * then a secret; the promise's is plain text. Default: false.
   */
  showSecrets?: boolean;
}

export interface GetEndpointWorkersArgs {
  /** Id of the serverless endpoint. */
  id: string;
}

export interface GetGlobalVolumesResult {
  /** All global volumes of the account. */
  globalVolumes: GlobalVolumeInfo[];
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
  /** Cloud that the machines belong to. Default: SECURE. Needs `include`. */
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
  /** Cloud that the machines belong to. Default: SECURE. Needs `include`. */
  cloud?: "SECURE" | "COMMUNITY";
  /** Only what can be placed in one of these countries (ISO 3166, two capitals). Needs `include`. */
  countryCodes?: string[];
  /** Exact CUDA versions, as major.minor. Excludes `minCudaVersion`. Needs `include`. */
  cudaVersions?: string[];
  /** Lowest CUDA version, as major or major.minor. Excludes `cudaVersions`. Needs `include`. */
  minCudaVersion?: string;
}

export interface GetGpuTypesResult {
  /** All GPU types of the catalog that `countryCodes` allows. */
  gpus: GpuType[];
}

export interface GetNetworkVolumeBillingArgs {
  /** RFC 3339; rounded down to the start of its bucket. Default: 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; rounded up to the end of its bucket. Default: now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default: day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /**
   * Number of the last buckets to return, including the current one. Default: none. Excludes `startTime` and `endTime`.
   */
  lastN?: number;
  /** Only the network volume with this id. */
  networkVolumeId?: string;
}

export interface GetNetworkVolumesResult {
  /** All network volumes of the account. */
  networkVolumes: NetworkVolumeInfo[];
}

export interface GetPodArgs {
  /** Id of the pod. */
  id: string;
  /**
   * Whether to show the values of environment variables, which are otherwise hidden. The answer of the output form is
   * then a secret; the promise's is plain text. Default: false.
   */
  showSecrets?: boolean;
}

export interface GetPodBillingArgs {
  /** RFC 3339; rounded down to the start of its bucket. Default: 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; rounded up to the end of its bucket. Default: now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default: day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /**
   * Number of the last buckets to return, including the current one. Default: none. Excludes `startTime` and `endTime`.
   */
  lastN?: number;
  /** Only the pod with this id. */
  podId?: string;
}

export interface GetPodLogsArgs {
  /** Id of the pod. */
  id: string;
  /** Most lines, 1 to 5000. Default 100. */
  tail?: number;
  /** Only the container's lines, or the system's. */
  source?: "container" | "system";
}

export interface GetPodLogsResult {
  /** The lines, oldest first. */
  lines: LogLine[];
}

export interface GetPodsArgs {
  /** Whether members of clusters are included. Default: false. */
  includeClusterPods?: boolean;
  /**
   * Whether to show the values of environment variables, which are otherwise hidden. The answer of the output form is
   * then a secret; the promise's is plain text. Default: false.
   */
  showSecrets?: boolean;
}

export interface GetPodsResult {
  /** The pods; members of clusters only with `includeClusterPods`. */
  pods: PodInfo[];
}

export interface GetPublicTemplatesArgs {
  /** Publisher of the templates. Default: official. */
  source?: "official" | "verified" | "community";
}

export interface GetPublicTemplatesResult {
  /** Templates of that source. */
  templates: PublicTemplateInfo[];
}

export interface GetRegistriesResult {
  /** All credentials of the account, without their users and passwords. */
  registries: RegistryInfo[];
}

export interface GetSecretsResult {
  /** All secrets of the account, without their values. */
  secrets: SecretInfo[];
}

export interface GetServerlessBillingArgs {
  /** RFC 3339; rounded down to the start of its bucket. Default: 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; rounded up to the end of its bucket. Default: now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default: day. */
  bucketSize?: "hour" | "day" | "week" | "month" | "year";
  /**
   * Number of the last buckets to return, including the current one. Default: none. Excludes `startTime` and `endTime`.
   */
  lastN?: number;
  /** Only the endpoint with this id. */
  serverlessId?: string;
}

export interface GetServerlessEndpointArgs {
  /** Id of the serverless endpoint. */
  id: string;
  /**
   * Whether to show the values of environment variables, which are otherwise hidden. The answer of the output form is
   * then a secret; the promise's is plain text. Default: false.
   */
  showSecrets?: boolean;
}

export interface GetServerlessEndpointsArgs {
  /**
   * Whether to show the values of environment variables, which are otherwise hidden. The answer of the output form is
   * then a secret; the promise's is plain text. Default: false.
   */
  showSecrets?: boolean;
}

export interface GetServerlessEndpointsResult {
  /** All endpoints of the account. */
  endpoints: EndpointInfo[];
}

export interface GetSshKeysResult {
  /** The keys, each as a line of an `authorized_keys` file. */
  keys: string[];
}

export interface GetTagsResult {
  /** All tags of the account. */
  tags: TagInfo[];
}

export interface GetTemplatesArgs {
  /**
   * Whether to show the values of environment variables, which are otherwise hidden. The answer of the output form is
   * then a secret; the promise's is plain text. Default: false.
   */
  showSecrets?: boolean;
}

export interface GetTemplatesResult {
  /** All templates of the account. */
  templates: TemplateInfo[];
}

export interface GetWorkerLogsArgs {
  /** Id of the serverless endpoint. */
  endpointId: string;
  /** Only this worker's lines. Default: those of all active workers. */
  workerId?: string;
  /** Most lines of each worker, 1 to 5000. Default 100. */
  tail?: number;
  /** Only the container's lines, or the system's. */
  source?: "container" | "system";
}

export interface GetWorkerLogsResult {
  /** The lines of all workers, oldest first. */
  lines: WorkerLogLine[];
}

export interface GlobalVolumeInfo {
  /** Identifies the global volume: what `adoptId` of a GlobalVolume takes. */
  id: string;
  /** Its name, which others may have too. */
  name: string;
  /** When it was created, RFC 3339. */
  createdAt: string;
  /** Id of the user who created it; null if unknown. */
  createdByUserId?: string | null;
}

export interface GpuCandidate {
  /** GPU type, as `gpu.id` of a pod or `gpuTypeId` of a cluster takes it. */
  id: string;
  /** Display name. */
  name: string;
  /** Serverless pool with this GPU type, for `gpuIds` of an endpoint. Null: no pool has it. */
  pool: string | null;
  /** Memory of one GPU in GB. */
  memory: number;
  /** What all GPUs cost together, in USD an hour. */
  pricePerHour: number;
  /** Present availability: LOW, MEDIUM or HIGH. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
  /** Data centers where it is free now; with `dataCenterIds`, only those of that list. */
  dataCenterIds: string[];
}

export interface GpuPick {
  /** GPU type, as `gpu.id` of a pod or `gpuTypeId` of a cluster takes it. */
  id: string;
  /** Display name. */
  name: string;
  /** Serverless pool with this GPU type, for `gpuIds` of an endpoint. Null: no pool has it. */
  pool: string | null;
  /** Memory of one GPU in GB. */
  memory: number;
  /** What all GPUs cost together, in USD an hour. */
  pricePerHour: number;
  /** Present availability: LOW, MEDIUM or HIGH. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
  /** Data centers where it is free now; with `dataCenterIds`, only those of that list. */
  dataCenterIds: string[];
  /** Ids of the other GPU types that fit, cheapest first, for `gpuAlternatives` of a pod. */
  gpuAlternatives: string[];
  /** All that fit, the pick included, cheapest first. */
  candidates: GpuCandidate[];
}

export interface GpuType {
  /** Identifies the GPU type: what `gpu.id` of a pod takes. */
  id: string;
  /** Display name. */
  name: string;
  /** Serverless pool that holds it, as endpoints take it; null: none. */
  pool: string | null;
  /** Who makes it. */
  manufacturer: "NVIDIA" | "AMD" | "UNKNOWN" | (string & {});
  /** Memory of one GPU in GB. */
  memory: number;
  /** Whether the SECURE cloud offers it. */
  secure: boolean;
  /** Whether the COMMUNITY cloud offers it. */
  community: boolean;
  /** List prices, without a discount of the account. */
  price: GpuTypePrice;
  /** Most GPUs in one pod: a ceiling, not the stock. */
  maxCount: GpuTypeMaxCount;
  /** How much of it is free now; absent without `include`. */
  availability?: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
  /** Data centers that offer it; absent without `include`, and where there is none. */
  dataCenters?: GpuTypeDataCenter[];
  /** CUDA versions of machines that have it; absent without `include`, and where none is known. */
  cudaVersions?: GpuTypeCudaVersion[];
}

export interface GpuTypeCudaVersion {
  /** The version, as major.minor. */
  version: string;
  /** Whether a machine with it is free now. */
  available: boolean;
}

export interface GpuTypeDataCenter {
  /** Identifies the data center: what `dataCenterIds` of a pod or endpoint takes. */
  id: string;
  /** Display name. */
  name: string;
  /** How much is free there now. */
  availability: "NONE" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
}

/** Most GPUs in one pod: a ceiling, not the stock. */
export interface GpuTypeMaxCount {
  /** In the SECURE cloud. */
  secure: number;
  /** In the COMMUNITY cloud. */
  community: number;
}

/** List prices, without a discount of the account. */
export interface GpuTypePrice {
  /** For a pod in the SECURE cloud, in USD an hour for one GPU. */
  secure: number;
  /** For a pod in the COMMUNITY cloud, in USD an hour for one GPU. */
  community: number;
  /** For a serverless worker, in USD an hour for one GPU; absent where no pool holds it. */
  serverless?: number;
}

export interface LogLine {
  /** Who wrote it: the container, or the system around it. */
  source: "container" | "system";
  /** What was written. */
  line: string;
  /** When it was written, RFC 3339. */
  ts: string;
}

export interface NetworkVolumeBill {
  /** One for each volume and time bucket. */
  records: NetworkVolumeBillRecord[];
  /** What was asked for, and the records summed up. */
  metadata: NetworkVolumeBillMetadata;
}

/** What was asked for, and the records summed up. */
export interface NetworkVolumeBillMetadata {
  /** What was asked for, with its defaults. */
  query: NetworkVolumeBillMetadataQuery;
  /** How many records there are. */
  recordCount: number;
  /** The sums of all records. */
  totals: NetworkVolumeBillMetadataTotals;
  /** How many volumes were billed. */
  uniqueNetworkVolumeCount: number;
}

/** What was asked for, with its defaults. */
export interface NetworkVolumeBillMetadataQuery {
  /** Start of the time asked for, RFC 3339. */
  startTime: string;
  /** End of the time asked for, exclusive, RFC 3339. */
  endTime: string;
  /** Length of a time bucket. */
  bucketSize: "hour" | "day" | "week" | "month" | "year";
  /** The only volume asked for; null or absent: all. */
  networkVolumeId?: string | null;
}

/** The sums of all records. */
export interface NetworkVolumeBillMetadataTotals {
  /** USD for all of it. */
  totalAmount: number;
  /** USD for STANDARD volumes. */
  standardAmount: number;
  /** USD for HIGH_PERFORMANCE volumes. */
  highPerformanceAmount: number;
}

export interface NetworkVolumeBillRecord {
  /** Start of the time bucket, RFC 3339. */
  startTime: string;
  /** End of the time bucket, exclusive, RFC 3339. */
  endTime: string;
  /** The volume that was billed, by its id. */
  networkVolumeId: string;
  /** USD for all of it. */
  totalAmount: number;
  /** USD for STANDARD volumes. */
  standardAmount: number;
  /** USD for HIGH_PERFORMANCE volumes. */
  highPerformanceAmount: number;
}

export interface NetworkVolumeInfo {
  /** Identifies the volume: what `volumeId` of a pod's mount takes. */
  id: string;
  /** Its name, which others may have too. */
  name: string;
  /** Size in GB. */
  size: number;
  /** Data center that holds it, as `getDataCenter` takes it. */
  dataCenter: string;
  /** Its storage tier. */
  type: "STANDARD" | "HIGH_PERFORMANCE";
}

export interface NetworkVolumeToEstimate {
  /** Size in GB. */
  size: number;
  /** Only the price of STANDARD is published. Default `STANDARD`. */
  type?: "STANDARD" | "HIGH_PERFORMANCE";
}

export interface PickGpuArgs {
  /** Least memory of one GPU, in GB. Default: any. */
  memory?: number;
  /** GPUs in one pod or worker. Default 1. */
  count?: number;
  /** Highest price of all `count` GPUs together, in USD an hour. Default: any. */
  maxPricePerHour?: number;
  /** COMMUNITY is for pods only. Default `SECURE`. */
  cloud?: "SECURE" | "COMMUNITY";
  /** The GPU must be free in at least one of these data centers. Default: any. */
  dataCenterIds?: string[];
  /** What the GPU is for. Default `POD`. */
  product?: "POD" | "CLUSTER" | "SERVERLESS";
}

export interface PodBill {
  /** One for each pod and time bucket. */
  records: PodBillRecord[];
  /** What was asked for, and the records summed up. */
  metadata: PodBillMetadata;
}

/** What was asked for, and the records summed up. */
export interface PodBillMetadata {
  /** What was asked for, with its defaults. */
  query: PodBillMetadataQuery;
  /** How many records there are. */
  recordCount: number;
  /** The sums of all records. */
  totals: PodBillMetadataTotals;
  /** How many pods were billed. */
  uniquePodCount: number;
}

/** What was asked for, with its defaults. */
export interface PodBillMetadataQuery {
  /** Start of the time asked for, RFC 3339. */
  startTime: string;
  /** End of the time asked for, exclusive, RFC 3339. */
  endTime: string;
  /** Length of a time bucket. */
  bucketSize: "hour" | "day" | "week" | "month" | "year";
  /** The only pod asked for; null or absent: all. */
  podId?: string | null;
}

/** The sums of all records. */
export interface PodBillMetadataTotals {
  /** USD for all of it. */
  totalAmount: number;
  /** USD for GPUs. */
  gpuAmount: number;
  /** USD for CPU pods. */
  cpuAmount: number;
  /** USD for storage. */
  diskAmount: number;
}

export interface PodBillRecord {
  /** Start of the time bucket, RFC 3339. */
  startTime: string;
  /** End of the time bucket, exclusive, RFC 3339. */
  endTime: string;
  /** The pod that was billed, by its id. */
  podId: string;
  /** USD for all of it. */
  totalAmount: number;
  /** USD for GPUs. */
  gpuAmount: number;
  /** USD for CPU pods. */
  cpuAmount: number;
  /** USD for storage. */
  diskAmount: number;
}

export interface PodInfo {
  /** Identifies the pod: what `getPod` takes. */
  id: string;
  /** Its name, which others may have too. */
  name: string;
  /** What it does now; EXITED is a stopped pod, ERROR one that can't go on, TERMINATED one that was deleted. */
  status: "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR" | "TERMINATED";
  /** What can be done with it in this status. */
  actions: ("start" | "stop" | "restart" | "terminate")[];
  /** Container image. */
  image: string;
  /**
   * Command of the container as it is stored: a shell line, or `entrypoint` and `cmd` as JSON; empty: the image's own.
   */
  args: string;
  /** In place of the image's entry point; empty: the image's own. */
  entrypoint?: string[];
  /** In place of the image's command, word by word; empty: the image's own. */
  cmd?: string[];
  /** Container disk in GB; a restart wipes it. */
  disk: number;
  /** Ports that are open, as `8888/http` or `22/tcp`. */
  ports: string[];
  /** Environment variables; their values are hidden, unless `showSecrets` asks for them. */
  env: Record<string, string>;
  /** The credentials that pull the image, by their id in `getRegistries`; null: none. */
  registry: string | null;
  /** Storage that outlives a restart; empty where it has none. */
  mounts: PodInfoMounts;
  /** GPUs of the pod; absent on a CPU pod. */
  gpu?: PodInfoGpu;
  /** CPU of a CPU pod; absent on a GPU pod. */
  cpu?: PodInfoCpu;
  /** Whose machine it is on: SECURE is the service's own, COMMUNITY somebody else's. */
  cloud: "SECURE" | "COMMUNITY";
  /** Data center where it was placed; null where it was not yet. */
  dataCenterId: string | null;
  /** CUDA version of its machine, also while it is stopped; null where none is known, as on CPU pods. */
  cudaVersion: string | null;
  /** How to reach it by SSH, where it was created with `startSsh`. */
  ssh: PodInfoSsh;
  /** The cluster that it is a member of; absent on a pod of its own. */
  cluster?: PodInfoCluster;
  /** Template that it was created from; null where the service keeps no link. */
  template: string | null;
  /** What it costs in USD an hour; 0 while it is stopped. */
  cost: number;
  /** Whether it is locked, so that it can't be stopped. */
  locked: boolean;
  /** Its part in the account's private network across data centers. */
  globalNetworking: PodInfoGlobalNetworking;
  /** How busy it is at this moment; null while it does not run. */
  runtime: PodInfoRuntime | null;
  /** When it was created, RFC 3339. */
  createdAt: string;
  /** When it started, RFC 3339; null where it has not. */
  startedAt: string | null;
}

export interface PodInfoCluster {
  /** Identifies the cluster: what `getCluster` takes. */
  id: string;
  /** Number of the pod in the cluster, 0 for the primary; null until it has one. */
  rank: number | null;
  /** What it is to Slurm or Ray; absent in other clusters. */
  role?: "SLURM_CONTROLLER" | "SLURM_COMPUTE" | "RAY_HEAD" | "RAY_WORKER";
  /** IP address in the cluster's own network; absent until it has one. */
  ip?: string;
}

export interface PodInfoCpu {
  /** CPU flavor, as `getCpuType` takes it. */
  id: string;
  /** How many vCPUs. */
  vcpuCount: number;
  /** Memory of all these vCPUs in GB. */
  memory: number;
}

/** Its part in the account's private network across data centers. */
export interface PodInfoGlobalNetworking {
  /** Whether it has an address there. */
  enabled: boolean;
  /** Its IP address there; absent unless enabled. */
  ip?: string;
  /** Name by which the account's other pods there reach it; absent unless enabled. */
  internalDns?: string;
}

export interface PodInfoGpu {
  /** GPU type, as `getGpuType` takes it. */
  id: string;
  /** How many GPUs. */
  count?: number;
  /** vCPUs that come with all its GPUs. */
  vcpuCount?: number;
  /** Memory in GB that comes with all its GPUs. */
  memory?: number;
}

/** Storage that outlives a restart; empty where it has none. */
export interface PodInfoMounts {
  /** Storage of the pod's machine; absent where it has none. */
  persistent?: PodInfoMountsPersistent;
  /** The network volume, at most one; absent where it has none. */
  network?: PodInfoMountsNetwork[];
  /** The global volume, at most one; absent where it has none, or where the service does not show it. */
  global?: PodInfoMountsGlobal[];
}

export interface PodInfoMountsGlobal {
  /** The global volume, by its id in `getGlobalVolumes`. */
  volumeId: string;
  /** Path in the container. */
  path: string;
}

export interface PodInfoMountsNetwork {
  /** The network volume, by its id in `getNetworkVolumes`. */
  volumeId: string;
  /** Path in the container. */
  path: string;
}

export interface PodInfoMountsPersistent {
  /** Size in GB. */
  size: number;
  /** Path in the container. */
  path: string;
}

export interface PodInfoRuntime {
  /** Seconds since the container started. */
  uptime?: number;
  /** Each of its GPUs. */
  gpus?: PodInfoRuntimeGpu[];
  /** Its CPU. */
  cpu?: PodInfoRuntimeCpu;
  /** Its memory. */
  memory?: PodInfoRuntimeMemory;
  /** Where its ports are reached now; a start may change it. */
  ports?: PodInfoRuntimePort[];
}

export interface PodInfoRuntimeCpu {
  /** Utilization of the CPU, 0 to 100 percent. */
  util?: number;
}

export interface PodInfoRuntimeGpu {
  /** Utilization of the GPU, 0 to 100 percent. */
  util?: number;
  /** Utilization of its memory, 0 to 100 percent. */
  memoryUtil?: number;
}

export interface PodInfoRuntimeMemory {
  /** Utilization of the memory, 0 to 100 percent. */
  util?: number;
}

export interface PodInfoRuntimePort {
  /** Port in the container. */
  private?: number;
  /** Port that reaches it from outside, at `ip`; null where there is none. */
  public?: number | null;
  /** Protocol: `tcp` or `http`. */
  type?: string;
  /** IP address that `public` is a port of; null where there is none. */
  ip?: string | null;
}

/** How to reach it by SSH, where it was created with `startSsh`. */
export interface PodInfoSsh {
  /** Through the service's proxy, for a shell alone: no files, no forwarded ports. Null until it has a machine. */
  proxy: PodInfoSshProxy | null;
  /** To the pod itself, for files and forwarded ports as well. Null unless it runs with `22/tcp` among its ports. */
  direct: PodInfoSshDirect | null;
}

export interface PodInfoSshDirect {
  /** Host name or IP address. */
  host: string;
  /** TCP port. */
  port: number;
  /** User to log in as. */
  username: string;
  /** All of it as an `ssh` command for a shell. */
  command: string;
}

export interface PodInfoSshProxy {
  /** Host name or IP address. */
  host: string;
  /** TCP port. */
  port: number;
  /** User to log in as. */
  username: string;
  /** All of it as an `ssh` command for a shell. */
  command: string;
}

export interface PodToEstimate {
  /** Exactly one of `gpu` and `cpu`. */
  gpu?: PodToEstimateGpu;
  /** GPU types to try when the first one is not available. At most, the most expensive one is billed. */
  gpuAlternatives?: string[];
  /** Exactly one of `gpu` and `cpu`. */
  cpu?: PodToEstimateCpu;
  /** Cloud that the machines belong to. Default `SECURE`. */
  cloud?: "SECURE" | "COMMUNITY";
  /** Container disk, GB. Default: none, which leaves the disk out of the estimate. */
  disk?: number;
  /** A network volume is priced as a volume of its own. */
  mounts?: PodToEstimateMounts;
  /** A stopped pod is billed for its storage only. Default `RUNNING`. */
  desiredStatus?: "RUNNING" | "EXITED";
}

export interface PodToEstimateCpu {
  /** CPU flavor. */
  id: string;
  /** vCPUs of one pod or worker. */
  vcpuCount: number;
}

export interface PodToEstimateGpu {
  /** GPU type. */
  id: string;
  /** GPUs of one pod or worker. Default 1. */
  count?: number;
}

export interface PodToEstimateMounts {
  /** Storage of the pod's machine. Default: none. */
  persistent?: PodToEstimateMountsPersistent;
}

export interface PodToEstimateMountsPersistent {
  /** Size in GB. */
  size: number;
}

export interface PublicTemplateInfo {
  /** Identifies the template: what `templateId` of a pod or endpoint takes. */
  id: string;
  /** Its name, unique in the account that owns it. */
  name: string;
  /** Container image. */
  image: string;
  /**
   * Command of the container as it is stored: a shell line, or `entrypoint` and `cmd` as JSON; empty: the image's own.
   */
  args: string;
  /** In place of the image's entry point; empty: the image's own. */
  entrypoint?: string[];
  /** In place of the image's command, word by word; empty: the image's own. */
  cmd?: string[];
  /** Container disk in GB; a restart wipes it. */
  disk: number;
  /** Ports that are open, as `8888/http` or `22/tcp`. */
  ports: string[];
  /** Environment variables. */
  env: Record<string, string>;
  /** Id of the credentials that pull the image. Null unless they belong to this account. */
  registry: string | null;
  /** Storage that pods created from it get; empty for none. */
  mounts: PublicTemplateInfoMounts;
  /** For serverless endpoints (true) or for pods. */
  serverless: boolean;
  /** Whether everybody sees it. */
  public: boolean;
  /** Hardware that it is for; only the service's console uses it. */
  category: "CPU" | "NVIDIA" | "AMD";
  /** Whether pods created from it accept the account's SSH keys. */
  startSsh: boolean;
  /** Whether pods created from it start Jupyter. */
  startJupyter: boolean;
  /** CUDA versions that a machine may have, as major.minor; empty: any. */
  allowedCudaVersions: string[];
}

export interface PublicTemplateInfoMounts {
  /** Storage of a pod's machine; absent where pods get none. */
  persistent?: PublicTemplateInfoMountsPersistent;
}

export interface PublicTemplateInfoMountsPersistent {
  /** Size in GB. */
  size: number;
  /** Path in the container. */
  path: string;
}

export interface RegistryInfo {
  /** Identifies the credentials: what `registry` of a pod, template or endpoint takes. */
  id: string;
  /** Its name, unique in the account that owns it. */
  name: string;
}

export interface SecretInfo {
  /** Identifies the secret: what `adoptId` of a Secret takes. */
  id: string;
  /** Its name, unique in the account that owns it. */
  name: string;
  /** Its description; null or absent without one. */
  description?: string | null;
  /** When it was created, RFC 3339. */
  createdAt: string;
  /** When its value was set last, RFC 3339. */
  valueLastUpdatedAt?: string | null;
}

export interface ServerlessBill {
  /** One for each endpoint and time bucket. */
  records: ServerlessBillRecord[];
  /** What was asked for, and the records summed up. */
  metadata: ServerlessBillMetadata;
}

/** What was asked for, and the records summed up. */
export interface ServerlessBillMetadata {
  /** What was asked for, with its defaults. */
  query: ServerlessBillMetadataQuery;
  /** How many records there are. */
  recordCount: number;
  /** The sums of all records. */
  totals: ServerlessBillMetadataTotals;
  /** How many endpoints were billed. */
  uniqueServerlessCount: number;
}

/** What was asked for, with its defaults. */
export interface ServerlessBillMetadataQuery {
  /** Start of the time asked for, RFC 3339. */
  startTime: string;
  /** End of the time asked for, exclusive, RFC 3339. */
  endTime: string;
  /** Length of a time bucket. */
  bucketSize: "hour" | "day" | "week" | "month" | "year";
  /** The only endpoint asked for; null or absent: all. */
  serverlessId?: string | null;
}

/** The sums of all records. */
export interface ServerlessBillMetadataTotals {
  /** USD for all of it. */
  totalAmount: number;
  /** USD for GPUs. */
  gpuAmount: number;
  /** USD for CPU workers. */
  cpuAmount: number;
  /** USD for storage. */
  diskAmount: number;
  /** USD for the fee of serverless endpoints. */
  feeAmount: number;
}

export interface ServerlessBillRecord {
  /** Start of the time bucket, RFC 3339. */
  startTime: string;
  /** End of the time bucket, exclusive, RFC 3339. */
  endTime: string;
  /** The endpoint that was billed, by its id. */
  serverlessId: string;
  /** USD for all of it. */
  totalAmount: number;
  /** USD for GPUs. */
  gpuAmount: number;
  /** USD for CPU workers. */
  cpuAmount: number;
  /** USD for storage. */
  diskAmount: number;
  /** USD for the fee of serverless endpoints. */
  feeAmount: number;
}

export interface ServerlessDiscount {
  /** What the service multiplies prices with, as it shows it. */
  discountFactor?: number;
  /** Kind of discount, as the service calls it. */
  type?: string | null;
  /** When it ends, RFC 3339. */
  expirationDate?: string | null;
}

export interface TagInfo {
  /** Identifies the tag: what `adoptId` of a Tag takes. */
  id: string;
  /** Its key. */
  key: string;
  /** Its value; may be empty. */
  value: string;
  /** When it was created, RFC 3339. */
  createdAt: string;
  /** When its key or value was set last, RFC 3339. */
  updatedAt: string;
  /** The resources that carry it; absent where the service does not show them. */
  resources?: TagInfoResource[];
}

export interface TagInfoResource {
  /** Its id. */
  id: string;
  /** What it is. */
  type: "POD" | "CLUSTER" | "SERVERLESS_ENDPOINT" | "NETWORK_VOLUME";
}

export interface TemplateInfo {
  /** Identifies the template: what `templateId` of a pod or endpoint takes. */
  id: string;
  /** Its name, unique in the account that owns it. */
  name: string;
  /** Container image. */
  image: string;
  /**
   * Command of the container as it is stored: a shell line, or `entrypoint` and `cmd` as JSON; empty: the image's own.
   */
  args: string;
  /** In place of the image's entry point; empty: the image's own. */
  entrypoint?: string[];
  /** In place of the image's command, word by word; empty: the image's own. */
  cmd?: string[];
  /** Container disk in GB; a restart wipes it. */
  disk: number;
  /** Ports that are open, as `8888/http` or `22/tcp`. */
  ports: string[];
  /** Environment variables; their values are hidden, unless `showSecrets` asks for them. */
  env: Record<string, string>;
  /** The credentials that pull the image, by their id in `getRegistries`; null: none. */
  registry: string | null;
  /** Storage that pods created from it get; empty for none. */
  mounts: TemplateInfoMounts;
  /** For serverless endpoints (true) or for pods. */
  serverless: boolean;
  /** Whether everybody sees it. */
  public: boolean;
  /** Hardware that it is for; only the service's console uses it. */
  category: "CPU" | "NVIDIA" | "AMD";
  /** Whether pods created from it accept the account's SSH keys. */
  startSsh: boolean;
  /** Whether pods created from it start Jupyter. */
  startJupyter: boolean;
  /** CUDA versions that a machine may have, as major.minor; empty: any. */
  allowedCudaVersions: string[];
}

export interface TemplateInfoMounts {
  /** Storage of a pod's machine; absent where pods get none. */
  persistent?: TemplateInfoMountsPersistent;
}

export interface TemplateInfoMountsPersistent {
  /** Size in GB. */
  size: number;
  /** Path in the container. */
  path: string;
}

export interface WorkerLogLine {
  /** Who wrote it: the container, or the system around it. */
  source: "container" | "system";
  /** What was written. */
  line: string;
  /** When it was written, RFC 3339. */
  ts: string;
  /** Id of the worker that wrote the line. */
  workerId: string;
}
