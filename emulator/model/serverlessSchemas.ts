import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { pagination } from "../http/paging";
import { named } from "../http/route";
import { LEAST, MOST } from "./bounds";
import { assembled, containerFields, containerShown, cudaVersion } from "./containerSchemas";
import { cpuChoice, cpuShown, imageUnlessTemplate } from "./podSchemas";
import type { Received } from "./sent";

const name = z.string().min(1);

/** Adds `uniqueItems`, which zod can't express. */
const unique = <S extends z.ZodType<readonly unknown[]>>(array: S): S =>
  array
    .refine(
      (items) => items.every((item, index) => !items.slice(0, index).some((other) => isDeepStrictEqual(item, other))),
      "items must be unique",
    )
    .meta({ uniqueItems: true });

const endpointType = named("EndpointType", z.enum(["QUEUE", "LOAD_BALANCER"]));
const flashboot = named("FlashBoot", z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]));

const requestCount = named(
  "RequestCountScaling",
  z.strictObject({ type: z.literal("REQUEST_COUNT"), requestCount: z.int().min(1) }),
);
const scaling = named(
  "EndpointScaling",
  z.discriminatedUnion("type", [
    named("QueueDelayScaling", z.strictObject({ type: z.literal("QUEUE_DELAY"), queueDelay: z.number().min(0.5) })),
    requestCount,
  ]),
);

const workers = named(
  "EndpointWorkers",
  z.strictObject({
    min: z.int().min(0).optional(),
    max: z.int().min(0).optional(),
    idleTimeout: z.int().min(LEAST.idleSeconds).max(MOST.idleSeconds).optional(),
  }),
);

const pools = z.array(z.string()).min(1);
const excludedTypes = unique(z.array(z.string().regex(/^\s*[^-\s]/)));
const count = z.int().min(1);
const cudaSet = z.array(cudaVersion).optional();

const gpuChoice = named(
  "CreateEndpointGpuConfig",
  z.strictObject({
    pools,
    excludedTypes: excludedTypes.optional(),
    count: count.default(1),
    allowedCudaVersions: cudaSet,
    minCudaVersion: cudaVersion.optional(),
  }),
);

const gpuPatch = named(
  "UpdateEndpointGpuConfig",
  z
    .strictObject({
      pools: pools.optional(),
      excludedTypes: excludedTypes.optional(),
      count: count.optional(),
      allowedCudaVersions: cudaSet,
      /** Empty clears the floor. */
      minCudaVersion: z
        .string()
        .regex(/^$|^\d+\.\d+$/)
        .optional(),
    })
    .refine(
      (gpu) => gpu.excludedTypes === undefined || gpu.pools !== undefined,
      "properties 'pools' required, if 'excludedTypes' exists",
    )
    .meta({ dependentRequired: { excludedTypes: ["pools"] } }),
);

const mountedVolumes = z.array(z.strictObject({ volumeId: z.string() }));
const mountsSent = z.strictObject({ network: mountedVolumes.optional(), global: mountedVolumes.max(1).optional() });

/** What both bodies may have besides the container fields, the GPUs and the template. */
const settable = z.strictObject({
  name,
  scaling,
  cpu: unique(z.array(cpuChoice).min(1)),
  workers,
  dataCenterIds: z.array(z.string()),
  networkVolumes: z.array(z.string()),
  mounts: mountsSent,
  timeout: z.int(),
  flashboot,
});

export const createEndpointRequest = named(
  "CreateEndpointRequest",
  z
    .strictObject({
      ...containerFields,
      ...settable.partial({ cpu: true, networkVolumes: true, mounts: true }).shape,
      type: endpointType,
      gpu: gpuChoice.optional(),
      workers: workers.default({}),
      dataCenterIds: z.array(z.string()).default([]),
      timeout: z.int().default(300_000),
      flashboot: flashboot.default("OFF"),
      templateId: z.string().min(1).optional(),
    })
    .refine(imageUnlessTemplate.rule, imageUnlessTemplate.message)
    .refine(({ type, scaling: { type: scaler } }) => type === "QUEUE" || scaler === "REQUEST_COUNT", {
      path: ["scaling", "type"],
      message: "value must be one of 'REQUEST_COUNT'",
    })
    .meta({
      ...assembled,
      allOf: [
        imageUnlessTemplate.meta,
        {
          anyOf: [
            { properties: { type: { const: "QUEUE" } } },
            { properties: { scaling: { $ref: "#/components/schemas/RequestCountScaling" } } },
          ],
        },
      ],
    }),
);

export const updateEndpointRequest = named(
  "UpdateEndpointRequest",
  z.strictObject({
    ...containerFields,
    ...settable.partial().shape,
    gpu: gpuPatch.optional(),
    templateId: z.string().optional(),
  }),
);

const url = z.url();
/** A plain string, because a URL must not contain the literal `{job_id}`. */
const urlTemplate = z.string();
const requestUrls = named(
  "EndpointRequestUrls",
  z.union([
    named(
      "QueueBasedRequestUrls",
      z.strictObject({
        run: url,
        runSync: url,
        status: urlTemplate,
        stream: urlTemplate,
        cancel: urlTemplate,
        retry: urlTemplate,
        purgeQueue: url,
        health: url,
      }),
    ),
    named("LoadBalancingRequestUrls", z.strictObject({ base: url, health: url })),
  ]),
);

export const endpoint = named(
  "Endpoint",
  z.object({
    id: z.string(),
    ...settable.pick({ scaling: true, dataCenterIds: true, networkVolumes: true, timeout: true, flashboot: true })
      .shape,
    name: z.string(),
    type: endpointType,
    requestUrls,
    ...containerShown,
    gpu: named(
      "EndpointGpuConfig",
      z.object({
        pools,
        excludedTypes: excludedTypes.optional(),
        count,
        allowedCudaVersions: z.array(z.string()),
        minCudaVersion: z.string().nullable(),
      }),
    ).optional(),
    cpu: z.array(cpuShown).min(1).optional(),
    workers: workers.required({ min: true, max: true }),
    mounts: mountsSent.required().optional(),
    createdAt: z.iso.datetime(),
  }),
);
export type EndpointShown = Received<typeof endpoint>;

export const listEndpointsResponse = named(
  "ListEndpointsResponse",
  z.object({ endpoints: z.array(endpoint), pagination }),
);

const tally = z.int().min(0);
const version = z.int().nullable();

export const worker = named(
  "Worker",
  z.object({
    id: z.string(),
    status: named("WorkerStatus", z.enum(["RUNNING", "IDLE", "INITIALIZING", "THROTTLED", "UNHEALTHY"])),
    isStale: z.boolean(),
    version,
    gpuCount: tally,
    image: z.string().nullable(),
    uptimeSeconds: tally.nullable(),
    gpuTypeId: z.string().nullable(),
    dataCenterId: z.string().nullable(),
    startedAt: z.iso.datetime().nullable(),
  }),
);
export const listWorkersResponse = named(
  "ListEndpointWorkersResponse",
  z.object({
    workers: z.array(worker),
    summary: named(
      "WorkerSummary",
      z.object({ running: tally, idle: tally, initializing: tally, throttled: tally, unhealthy: tally, total: tally }),
    ),
    endpointVersion: version,
  }),
);

export const release = named(
  "Release",
  z.object({
    id: z.string(),
    version,
    source: named("ReleaseSource", z.enum(["GIT_BUILD", "MANUAL"])),
    buildId: z.string().nullable(),
    createdByUserId: z.string().nullable(),
    workerCount: tally,
    createdAt: z.iso.datetime(),
    diff: z.array(named("ReleaseDiffEntry", z.object({ field: z.string(), old: z.unknown(), new: z.unknown() }))),
  }),
);
export const listReleasesResponse = named(
  "ListEndpointReleasesResponse",
  z.object({
    endpointVersion: version,
    rollout: named(
      "RolloutSummary",
      z.object({
        inProgress: z.boolean(),
        workersOnLatest: tally,
        workersTotal: tally,
        percentOnLatest: z.int().min(0).max(100),
      }),
    ),
    releases: z.array(release),
    pagination,
  }),
);
