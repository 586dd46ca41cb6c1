import { z } from "zod";
import type { Tolerant } from "../tolerant";
import { Cpu, CpuRequest, CudaVersion, containerFields, Pagination } from "./common";

const EndpointType = z.enum(["QUEUE", "LOAD_BALANCER"]);
const FlashBoot = z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]);

const QueueDelay = z.strictObject({ type: z.literal("QUEUE_DELAY"), queueDelay: z.number() });
const RequestCount = z.strictObject({ type: z.literal("REQUEST_COUNT"), requestCount: z.int() });
const Scaling = z.discriminatedUnion("type", [QueueDelay, RequestCount]);
const ShownScaling = z.discriminatedUnion("type", [z.object(QueueDelay.shape), z.object(RequestCount.shape)]);

const Workers = z.strictObject({
  min: z.int().optional(),
  max: z.int().optional(),
  idleTimeout: z.int().optional(),
});

const gpuSelection = { excludedTypes: z.array(z.string()).optional(), count: z.int().optional() };

export const QueueUrls = z.object({
  run: z.string(),
  runSync: z.string(),
  status: z.string(),
  stream: z.string(),
  cancel: z.string(),
  retry: z.string(),
  purgeQueue: z.string(),
  health: z.string(),
});
export const LoadBalancerUrls = z.object({ base: z.string(), health: z.string() });

/** Serverless endpoint as REST shows it. */
export const Endpoint = z.object({
  id: z.string(),
  name: z.string(),
  type: EndpointType.optional(),
  requestUrls: z.union([QueueUrls, LoadBalancerUrls]).optional(),
  ...containerFields,
  gpu: z
    .object({
      pools: z.array(z.string()),
      ...gpuSelection,
      allowedCudaVersions: z.array(z.string()),
      minCudaVersion: z.string().nullable(),
    })
    .nullish(),
  cpu: z.array(Cpu).optional(),
  workers: z.object({
    min: z.int(),
    max: z.int(),
    idleTimeout: z.int().optional().describe("Seconds until a worker without work goes."),
  }),
  scaling: ShownScaling,
  dataCenterIds: z.array(z.string()),
  networkVolumes: z.array(z.string()).describe("Ids."),
  timeout: z.int().describe("Milliseconds of a request; 0: no limit."),
  flashboot: FlashBoot,
  createdAt: z.string().describe("RFC 3339."),
});
export type Endpoint = Tolerant<z.infer<typeof Endpoint>>;

export const ListEndpoints = z.object({ endpoints: z.array(Endpoint), pagination: Pagination.optional() });

const endpointFields = {
  ...containerFields,
  cpu: z.array(CpuRequest).optional(),
  dataCenterIds: z.array(z.string()).optional(),
  flashboot: FlashBoot.optional(),
  networkVolumes: z.array(z.string()).optional(),
  templateId: z.string().optional(),
  timeout: z.int().optional(),
  workers: Workers.optional(),
};

export const CreateEndpointRequest = z.strictObject({
  ...endpointFields,
  name: z.string(),
  type: EndpointType,
  scaling: Scaling,
  gpu: z
    .strictObject({
      pools: z.array(z.string()),
      ...gpuSelection,
      allowedCudaVersions: z.array(CudaVersion).optional(),
      minCudaVersion: CudaVersion.optional(),
    })
    .optional(),
});
export type CreateEndpointRequest = z.infer<typeof CreateEndpointRequest>;

export const UpdateEndpointRequest = z.strictObject({
  ...endpointFields,
  name: z.string().optional(),
  scaling: Scaling.optional(),
  gpu: z
    .strictObject({
      pools: z.array(z.string()).optional(),
      ...gpuSelection,
      allowedCudaVersions: z.array(CudaVersion).optional(),
      /** An empty string clears it. */
      minCudaVersion: z.string().optional(),
    })
    .optional(),
});
export type UpdateEndpointRequest = z.infer<typeof UpdateEndpointRequest>;

export const Worker = z.object({
  id: z.string(),
  status: z.enum(["RUNNING", "IDLE", "INITIALIZING", "THROTTLED", "UNHEALTHY"]),
  isStale: z.boolean().describe("Runs an older release, until its job is done."),
  version: z.int().nullish(),
  gpuCount: z.int(),
  image: z.string().nullish(),
  uptimeSeconds: z.int().nullish(),
  gpuTypeId: z.string().nullish(),
  dataCenterId: z.string().nullish(),
  startedAt: z.string().nullish().describe("RFC 3339."),
});
export type Worker = Tolerant<z.infer<typeof Worker>>;

export const EndpointWorkers = z.object({
  workers: z.array(Worker),
  summary: z.object({
    running: z.int(),
    idle: z.int(),
    initializing: z.int(),
    throttled: z.int(),
    unhealthy: z.int(),
    total: z.int(),
  }),
  endpointVersion: z.int().nullish(),
});
export type EndpointWorkers = Tolerant<z.infer<typeof EndpointWorkers>>;

export const EndpointReleases = z.object({
  endpointVersion: z.int().nullish(),
  rollout: z.object({
    inProgress: z.boolean(),
    workersOnLatest: z.int(),
    workersTotal: z.int(),
    percentOnLatest: z.int(),
  }),
  releases: z.array(
    z.object({
      id: z.string(),
      version: z.int().nullish(),
      source: z.enum(["GIT_BUILD", "MANUAL"]),
      buildId: z.string().nullish(),
      createdByUserId: z.string().nullish(),
      workerCount: z.int(),
      createdAt: z.string().describe("RFC 3339."),
      diff: z
        .array(z.object({ field: z.string(), old: z.unknown(), new: z.unknown() }))
        .describe("What it changed of the endpoint."),
    }),
  ),
});
export type EndpointReleases = Tolerant<z.infer<typeof EndpointReleases>>;
