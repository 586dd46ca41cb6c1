import { z } from "zod";
import type { Endpoint, UpdateEndpointRequest } from "../client";
import { autoName, type Change, type CheckFailure, defineResource } from "../lifecycle/definition";
import { duration } from "../lifecycle/duration";
import { computedWhenOmitted, control, replaces, replacesWhenSwitched, unordered } from "../lifecycle/fields";
import { isObject, type Properties } from "../lifecycle/values";
import {
  appliesTemplate,
  containerPatch,
  cudaVersion,
  templatedContainerFields,
  withContainerDefaults,
} from "./container";
import { patchOf } from "./patch";
import { exactlyOne, imageOrTemplate, oneCudaChoice, powerOfTwo } from "./rules";
import {
  type Compared,
  comparedWithTemplate,
  isFirstRevision,
  templateDifferences,
  templateDrift,
} from "./templateCopy";
import { workersReady } from "./workers";

const inputs = z.strictObject({
  name: autoName(),
  type: replaces(z.enum(["QUEUE", "LOAD_BALANCER"])),
  ...templatedContainerFields,
  gpu: replacesWhenSwitched(
    z
      .strictObject({
        pools: z.array(z.string().min(1)).min(1),
        excludedTypes: unordered(
          z.array(z.string().trim().regex(/^[^-]/, "must be GPU type ids, without a minus")).default([]),
        ),
        count: z.int().min(1).default(1),
        allowedCudaVersions: unordered(z.array(cudaVersion).optional()),
        minCudaVersion: cudaVersion.optional(),
      })
      .optional(),
  ),
  cpu: replacesWhenSwitched(
    z
      .array(z.strictObject({ id: z.string().min(1), vcpuCount: z.int().min(2) }))
      .min(1)
      .optional(),
  ),
  workers: z
    .strictObject({
      min: z.int().min(0).default(0),
      // The service lowers it after days without requests: left out, that is no drift.
      max: computedWhenOmitted(z.int().min(0).optional()),
      idleTimeout: z.int().min(1).max(3600).optional(),
    })
    .default({ min: 0 }),
  scaling: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("QUEUE_DELAY"), queueDelay: z.number().min(0.5) }),
    z.strictObject({ type: z.literal("REQUEST_COUNT"), requestCount: z.int().min(1) }),
  ]),
  dataCenterIds: unordered(z.array(z.string().min(1)).default([])),
  networkVolumes: unordered(z.array(z.string().min(1)).default([])),
  timeout: z.int().min(0).default(300_000),
  flashboot: z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]).default("OFF"),
  awaitWorkers: control(z.boolean().optional()),
  createTimeout: control(duration.optional()),
});

type Inputs = z.output<typeof inputs>;
type Cpu = NonNullable<Inputs["cpu"]>[number];

const DEFAULT_IDLE_TIMEOUT = 10;
const DEFAULT_MAX_WORKERS = 3;
const DEFAULT_CREATE_TIMEOUT = "15m";

/** Arguments that a PATCH takes as they are. */
const PATCHED = ["name", "scaling", "dataCenterIds", "networkVolumes", "timeout", "flashboot", "cpu"] as const;

/** Serverless endpoint over REST: a queue or a load balancer before GPU or CPU workers, with or without a template. */
export const serverlessContainer = defineResource<typeof inputs, LiveEndpoint>({
  kind: "ServerlessContainer",
  revision: true,
  inputs,
  complete: (given) => withIdleTimeout(withCudaDefault(withContainerDefaults(given))),
  rules: (given, isUnknown) => [
    ...exactlyOne(given, isUnknown, "gpu", "cpu"),
    ...imageOrTemplate(given, isUnknown),
    ...oneCudaChoice(given.gpu),
    ...(given.cpu ?? []).flatMap(cpuRules),
    ...workerRules(given),
  ],
  catalog: ({ gpu, cpu = [], dataCenterIds = [] }) => [
    ...(gpu?.pools ?? []).map((pool, index) => ({ path: `gpu.pools.${index}`, pool })),
    ...(gpu?.excludedTypes ?? []).map((type, index) => ({
      path: `gpu.excludedTypes.${index}`,
      excludedType: type,
      pools: gpu?.pools ?? [],
    })),
    ...cpu.map(({ id, vcpuCount }, index) => ({ path: `cpu.${index}.id`, cpu: id, vcpuCount })),
    ...dataCenterIds.map((dataCenter, index) => ({ path: `dataCenterIds.${index}`, dataCenter })),
  ],
  settled: isFirstRevision,
  further: templateDifferences,

  create: ({ client }, wanted, naming) => {
    const { awaitWorkers: _, createTimeout: __, templateRevision: ___, name = "", workers, ...body } = wanted;
    return client.serverless.create({ ...body, name, workers: { max: DEFAULT_MAX_WORKERS, ...workers } }, naming);
  },
  read: (context, id, state): Promise<LiveEndpoint | undefined> =>
    comparedWithTemplate(context, context.client.serverless.read(id), state),
  update: async ({ client }, id, wanted, change) => {
    const live = needsLive(wanted, change) ? await client.serverless.get(id) : undefined;
    const patch = patchFor(wanted, change, live);
    return Object.keys(patch).length === 0 ? (live ?? client.serverless.get(id)) : client.serverless.update(id, patch);
  },
  ready: async (context, made, { awaitWorkers, workers, createTimeout = DEFAULT_CREATE_TIMEOUT }) => {
    if (awaitWorkers && workers.min > 0) await workersReady(context, made.id, workers.min, createTimeout);
    return made;
  },
  delete: ({ client }, id) => client.serverless.delete(id),

  observe: (live) => ({
    ...live,
    type: live.type ?? "QUEUE",
    cpu: live.cpu?.map(({ id, vcpuCount }) => ({ id, vcpuCount })),
  }),
  outputs: (live, context, old) => ({
    disk: live.disk,
    requestUrls: live.requestUrls,
    createdAt: live.createdAt,
    ...templateDrift(live, context, old),
  }),
});

interface LiveEndpoint extends Endpoint, Compared {}

/** An empty set allows any version, and keeps out what a template would bring. */
function withCudaDefault(given: Properties): Properties {
  if (given.templateId !== undefined || !isObject(given.gpu)) return given;
  return { ...given, gpu: { allowedCudaVersions: [], ...given.gpu } };
}

/** The service takes no idle timeout for a queue that scales by its requests, and 10 s otherwise. */
function withIdleTimeout(given: Properties): Properties {
  const { type, scaling, workers } = given;
  if (!isObject(workers) || workers.idleTimeout !== undefined || !takesIdleTimeout(type, scaling)) return given;
  return { ...given, workers: { ...workers, idleTimeout: DEFAULT_IDLE_TIMEOUT } };
}

function takesIdleTimeout(type: unknown, scaling: unknown): boolean {
  return type === "LOAD_BALANCER" || (isObject(scaling) && scaling.type === "QUEUE_DELAY");
}

function cpuRules({ id, vcpuCount }: Cpu, index: number, all: readonly Cpu[]): CheckFailure[] {
  const first = all.findIndex((other) => other.id === id && other.vcpuCount === vcpuCount);
  return [
    ...powerOfTwo(`cpu.${index}.vcpuCount`, vcpuCount),
    ...(first < index ? [{ property: `cpu.${index}`, reason: `repeats cpu.${first}; remove one of them` }] : []),
  ];
}

function workerRules({ type, scaling, workers }: Partial<Inputs>): CheckFailure[] {
  const failures: CheckFailure[] = [];
  if (type === "LOAD_BALANCER" && scaling?.type === "QUEUE_DELAY") {
    failures.push({ property: "scaling.type", reason: 'must be "REQUEST_COUNT" for a load balancing endpoint' });
  }
  if (type === "QUEUE" && scaling?.type === "REQUEST_COUNT" && workers?.idleTimeout !== undefined) {
    failures.push({
      property: "workers.idleTimeout",
      reason: "is not taken by a queue that scales by REQUEST_COUNT; remove it",
    });
  }
  const { min, max = DEFAULT_MAX_WORKERS } = workers ?? { min: 0 };
  if (min > max) failures.push({ property: "workers.min", reason: `must not exceed workers.max (${max})` });
  return failures;
}

/** Parts of the patch that hold more than the arguments: variables of the platform, a maximum left to the service. */
function needsLive(wanted: Inputs, { changed }: Change<Inputs>): boolean {
  return changed.has("env") || (changed.has("workers") && wanted.workers.max === undefined);
}

/**
 * What changed. `workers` and `gpu` always go whole; the exclusions go along with every patch, for the service was seen
 * to drop them when they were left out.
 */
function patchFor(wanted: Inputs, change: Change<Inputs>, live: Endpoint | undefined): UpdateEndpointRequest {
  const { changed, old } = change;
  const { gpu, workers } = wanted;
  const patch: UpdateEndpointRequest = {
    ...patchOf(wanted, new Set(PATCHED.filter((field) => changed.has(field)))),
    ...containerPatch(wanted, change, live?.env),
    // A maximum that is left to the service may have been lowered below the minimum.
    ...(changed.has("workers") && { workers: { max: Math.max(live?.workers.max ?? 0, workers.min), ...workers } }),
  };
  if (gpu === undefined) return patch;
  // A template may bring CUDA versions of its own.
  if (changed.has("gpu") || appliesTemplate(wanted, changed)) return { ...patch, gpu: wholeGpu(gpu, old.gpu) };
  const { pools, excludedTypes } = gpu;
  return excludedTypes.length === 0 || changed.size === 0 ? patch : { ...patch, gpu: { pools, excludedTypes } };
}

/** A CUDA choice that was removed is cleared; one that was never made stays the template's. */
function wholeGpu(gpu: NonNullable<Inputs["gpu"]>, old: unknown): UpdateEndpointRequest["gpu"] {
  const before = isObject(old) && Array.isArray(old.allowedCudaVersions) ? old.allowedCudaVersions : [];
  const cleared = before.length > 0 ? { allowedCudaVersions: [] } : {};
  return { ...cleared, ...gpu, minCudaVersion: gpu.minCudaVersion ?? "" };
}
