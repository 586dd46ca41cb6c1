import { z } from "../../common/zod";
import type { Tolerant } from "../values/tolerant";
import { Cpu, CpuRequest, CudaVersion, containerFields, createdAt, idOf, name, shownContainerFields } from "./common";

const EndpointType = z.enum(["QUEUE", "LOAD_BALANCER"]);
const FlashBoot = z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]);

const QueueDelay = z.strictObject({ type: z.literal("QUEUE_DELAY"), queueDelay: z.number() });
const RequestCount = z.strictObject({ type: z.literal("REQUEST_COUNT"), requestCount: z.int() });
const Scaling = z.discriminatedUnion("type", [QueueDelay, RequestCount]);
const ShownScaling = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("QUEUE_DELAY").describe("By the delay in the queue."),
    queueDelay: z.number().describe("Seconds that a job waits before a worker is added."),
  }),
  z.object({
    type: z.literal("REQUEST_COUNT").describe("By the number of requests."),
    requestCount: z.int().describe("Requests for each worker; with more, a worker is added."),
  }),
]);

const Workers = z.strictObject({ min: z.int().optional(), max: z.int().optional(), idleTimeout: z.int().optional() });

const Gpu = z.strictObject({
  pools: z.array(z.string()),
  excludedTypes: z.array(z.string()).optional(),
  count: z.int().optional(),
  allowedCudaVersions: z.array(CudaVersion).optional(),
  minCudaVersion: CudaVersion.optional(),
});

export const QueueUrls = z
  .object({
    run: z.string().describe("Submits a job."),
    runSync: z.string().describe("Submits a job and waits for its end."),
    status: z.string().describe("State and output of a job."),
    stream: z.string().describe("Output of a job, piece by piece."),
    cancel: z.string().describe("Cancels a job."),
    retry: z.string().describe("Runs a failed job again."),
    purgeQueue: z.string().describe("Removes the jobs that wait."),
    health: z.string().describe("Counts of jobs and workers."),
  })
  .describe("Addresses of a queue's operations; `{job_id}` stands for the job's id.");
/** A queue's addresses with one that the service does not list. */
export const FullQueueUrls = QueueUrls.extend({
  openai: z.string().describe("Base URL of OpenAI's clients, of use where the image serves OpenAI's routes."),
});
export const LoadBalancerUrls = z
  .object({
    base: z.string().describe("Stands before the paths of the container."),
    health: z.string().describe("Answers when a worker is ready."),
  })
  .describe("Addresses of a load balancing endpoint.");

/** A serverless endpoint as REST shows it. */
const MountedVolume = z.strictObject({ volumeId: z.string().describe("The volume's id.") });

export const Endpoint = z.object({
  id: idOf("endpoint", "`getServerlessEndpoint`"),
  name,
  type: EndpointType.optional().describe("Whether requests wait in a queue, or go to a worker at once."),
  requestUrls: z.union([QueueUrls, LoadBalancerUrls]).optional(),
  ...z.object(shownContainerFields).partial().shape,
  gpu: z
    .object({
      pools: z.array(z.string()).describe("GPU pools that its workers come from."),
      excludedTypes: z.array(z.string()).optional().describe("GPU types taken out of the pools; absent: none."),
      count: z.int().optional().describe("GPUs of each worker."),
      allowedCudaVersions: z
        .array(z.string())
        .describe("CUDA versions that a worker's machine may have, as major.minor; empty: any."),
      minCudaVersion: z
        .string()
        .nullable()
        .describe("Lowest CUDA version of a worker's machine, as major.minor; null: any."),
    })
    .nullish()
    .describe("GPUs of its workers; null or absent on an endpoint of CPU workers."),
  cpu: z.array(Cpu).optional().describe("CPUs that a worker may have; absent on an endpoint of GPU workers."),
  workers: z
    .object({
      min: z.int().describe("Workers that are always on, and billed."),
      max: z.int().describe("Most workers at a time."),
      idleTimeout: z
        .int()
        .optional()
        .describe("Seconds until a worker without work goes; absent on a queue that scales by REQUEST_COUNT."),
    })
    .describe("How many workers there may be."),
  scaling: ShownScaling.describe("When workers are added."),
  dataCenterIds: z.array(z.string()).describe("Data centers where workers may run; empty: any."),
  networkVolumes: z
    .array(z.string())
    .describe("Its network volumes, by their ids in `getNetworkVolumes`; at most one in a data center."),
  mounts: z
    .object({
      network: z.array(MountedVolume).describe("Its network volumes, as in `networkVolumes`."),
      global: z.array(MountedVolume).describe("Its global volume, by its id in `getGlobalVolumes`, at most one."),
    })
    .optional()
    .describe("Volumes that its workers mount; absent where the service does not show them."),
  globalVolumes: z
    .array(z.string())
    .optional()
    .describe("Its global volume, where the service shows it in this older form; otherwise absent."),
  timeout: z.int().describe("Milliseconds that a request may take; 0: no limit."),
  flashboot: FlashBoot.describe("How fast stopped workers come back."),
  createdAt,
});
export type Endpoint = Tolerant<z.infer<typeof Endpoint>>;

export const CreateEndpointRequest = z.strictObject({
  name: z.string(),
  type: EndpointType,
  scaling: Scaling,
  gpu: Gpu.optional(),
  ...containerFields,
  cpu: z.array(CpuRequest).optional(),
  dataCenterIds: z.array(z.string()).optional(),
  flashboot: FlashBoot.optional(),
  networkVolumes: z.array(z.string()).optional(),
  mounts: z
    .strictObject({ network: z.array(MountedVolume).optional(), global: z.array(MountedVolume).optional() })
    .optional(),
  templateId: z.string().optional(),
  timeout: z.int().optional(),
  workers: Workers.optional(),
});
export type CreateEndpointRequest = z.infer<typeof CreateEndpointRequest>;

export const UpdateEndpointRequest = CreateEndpointRequest.omit({ type: true })
  .partial()
  .extend({
    gpu: Gpu.partial()
      .extend({
        /** An empty string clears it. */
        minCudaVersion: z.string().optional(),
      })
      .optional(),
  });
export type UpdateEndpointRequest = z.infer<typeof UpdateEndpointRequest>;

const endpointVersion = z.int().nullish().describe("Version that the endpoint is at; null where it is unknown.");
const WorkerStatus = z.enum(["RUNNING", "IDLE", "INITIALIZING", "THROTTLED", "UNHEALTHY"]);

export const Worker = z.object({
  id: idOf("worker", "`workerId` of `getWorkerLogs`"),
  status: WorkerStatus.describe(
    "What it does now: runs a job, waits for one, starts, waits for a free machine, or fails its health checks.",
  ),
  isStale: z.boolean().describe("Whether it runs an older version than the endpoint's, until its job is done."),
  version: z.int().nullish().describe("Version of the endpoint that it runs; null where it is unknown."),
  gpuCount: z.int().describe("How many GPUs it has."),
  image: z.string().nullish().describe("Container image that it runs; null where it is unknown."),
  uptimeSeconds: z.int().nullish().describe("Seconds that it has run; null until it runs."),
  gpuTypeId: z.string().nullish().describe("GPU type that it has, as `getGpuType` takes it; null until it is placed."),
  dataCenterId: z.string().nullish().describe("Data center where it was placed; null until it is."),
  startedAt: z.string().nullish().describe("When it last started, RFC 3339; null where it has not."),
});
export type Worker = Tolerant<z.infer<typeof Worker>>;

export const EndpointWorkers = z.object({
  workers: z.array(Worker).describe("The active workers."),
  summary: z
    .object({
      running: z.int().describe("Workers that work on a job."),
      idle: z.int().describe("Workers that wait for a job."),
      initializing: z.int().describe("Workers that start."),
      throttled: z.int().describe("Workers that wait for a free machine."),
      unhealthy: z.int().describe("Workers that fail their health checks."),
      total: z.int().describe("All of them."),
    })
    .describe("The workers counted by status."),
  endpointVersion,
});
export type EndpointWorkers = Tolerant<z.infer<typeof EndpointWorkers>>;

/** The requested part of a long list. */
export const PageQuery = z.strictObject({
  limit: z.int().optional(),
  /** `pagination.nextCursor` of the page before. */
  cursor: z.string().optional(),
});
export type PageQuery = z.infer<typeof PageQuery>;

const text = z.string().nullish();

export const Build = z.object({
  id: z.string().describe("Identifies the build, as `buildId` of a release does."),
  status: z
    .enum(["PENDING", "BUILDING", "UPLOADING", "TESTING", "COMPLETED", "FAILED", "CANCELLED", "TEST_FAILED"])
    .describe("How far it is; the last four are final."),
  commitHash: text.describe("Commit that was built; null or absent where it is unknown."),
  commitMessage: text.describe("Message of the commit; null or absent where it is unknown."),
  branch: text.describe("Branch of the commit; null or absent where it is unknown."),
  commitDate: text.describe("When the commit was made, RFC 3339; null or absent where it is unknown."),
  imageName: text.describe("Image that was built; null or absent until there is one."),
  startedAt: text.describe("When it began, RFC 3339; null or absent until it does."),
  completedAt: text.describe("When it ended, RFC 3339; null or absent until it does."),
  error: text.describe("Why it failed; null or absent unless it did."),
});
export type Build = Tolerant<z.infer<typeof Build>>;
export const EndpointReleases = z.object({
  endpointVersion,
  rollout: z
    .object({
      inProgress: z.boolean().describe("Whether a worker still runs an older version."),
      workersOnLatest: z.int().describe("Workers that run the endpoint's version."),
      workersTotal: z.int().describe("All workers of the endpoint."),
      percentOnLatest: z.int().describe("Workers that run the endpoint's version, in percent of all; 0 without any."),
    })
    .describe("How far the newest release has come."),
  releases: z
    .array(
      z.object({
        id: z.string().describe("Identifies the release among those of the endpoint."),
        version: z.int().nullish().describe("Version of the endpoint that it created; null where it is unknown."),
        source: z
          .enum(["GIT_BUILD", "MANUAL"])
          .describe("What caused it: a build from a repository, or a change of the endpoint."),
        buildId: z.string().nullish().describe("Id of the build that caused it; null where none did."),
        createdByUserId: z.string().nullish().describe("Id of the user who created it; null where it is unknown."),
        workerCount: z.int().describe("Workers that run it now."),
        createdAt,
        diff: z
          .array(
            z.object({
              field: z.string().describe("Name of what it changed, such as `gpuCount` or `template.env`."),
              old: z
                .unknown()
                .describe("Value before; null where there was none. That of variables is hidden as `env` is."),
              new: z
                .unknown()
                .describe("Value since; null where there is none. That of variables is hidden as `env` is."),
            }),
          )
          .describe("What it changed of the endpoint."),
      }),
    )
    .describe("The releases, newest first: the newest 1000, or those of the page that was asked for."),
  pagination: z
    .object({
      nextCursor: z.string().nullish().describe("`cursor` of the page that follows; null or absent where none does."),
      hasNextPage: z.boolean().describe("Whether a page follows."),
    })
    .optional()
    .describe("Where the next page is; absent where the service has no pages."),
});
export type EndpointReleases = Tolerant<z.infer<typeof EndpointReleases>>;
