import { z } from "zod";
import type { Pod } from "../client";
import { autoName, type Context, defineResource } from "../lifecycle/definition";
import { duration, milliseconds } from "../lifecycle/duration";
import { control, replaces, replacesWhenSwitched, unordered, writeOnly } from "../lifecycle/fields";
import { isObject } from "../lifecycle/values";
import { WaitTimeoutError, waitUntil } from "../lifecycle/wait";
import { candidates, createWithFirst } from "./candidates";
import { cudaVersion, mergedEnv, templatedContainerFields, withContainerDefaults } from "./container";
import { logTail } from "./logTail";
import { mounts, oneKindOfMount, shownMounts } from "./mounts";
import { patchOf } from "./patch";
import { exactlyOne, imageOrTemplate, oneCudaChoice, powerOfTwo } from "./rules";

const inputs = z.strictObject({
  name: autoName(),
  ...templatedContainerFields,
  templateId: writeOnly(templatedContainerFields.templateId),
  gpu: replacesWhenSwitched(
    z
      .strictObject({
        id: replaces(z.string().min(1)),
        count: replaces(z.int().min(1).default(1)),
        allowedCudaVersions: writeOnly(unordered(replaces(z.array(cudaVersion).optional()))),
        minCudaVersion: writeOnly(replaces(cudaVersion.optional())),
      })
      .optional(),
  ),
  gpuAlternatives: control(z.array(z.string().min(1)).optional()),
  cpu: replacesWhenSwitched(
    z.strictObject({ id: replaces(z.string().min(1)), vcpuCount: replaces(z.int().min(2)) }).optional(),
  ),
  cloud: replaces(z.enum(["SECURE", "COMMUNITY"]).default("SECURE")),
  dataCenterIds: writeOnly(unordered(replaces(z.array(z.string().min(1)).default([])))),
  mounts: mounts.default({}),
  globalNetworking: z.boolean().default(false),
  startSsh: writeOnly(replaces(z.boolean().default(false))),
  startJupyter: writeOnly(replaces(z.boolean().default(false))),
  locked: z.boolean().default(false),
  desiredStatus: z.enum(["RUNNING", "EXITED"]).default("RUNNING"),
  awaitRunning: control(z.boolean().default(true)),
  createTimeout: control(duration.default("15m")),
});

type Inputs = z.output<typeof inputs>;

/** Arguments that a PATCH takes; what runs and whether it is locked is brought about afterwards. */
const PATCHED = [
  "name",
  "image",
  "args",
  "disk",
  "ports",
  "registry",
  "mounts",
  "globalNetworking",
  "templateId",
] as const;

/** Pod: one machine with GPUs or CPUs that runs one container. */
export const pod = defineResource({
  kind: "Pod",
  inputs,
  complete: withContainerDefaults,
  rules: (given, isUnknown) => [
    ...exactlyOne(given, isUnknown, "gpu", "cpu"),
    ...imageOrTemplate(given, isUnknown),
    ...oneCudaChoice(given.gpu),
    ...oneKindOfMount(given.mounts),
    ...powerOfTwo("cpu.vcpuCount", given.cpu?.vcpuCount),
    ...(given.cpu !== undefined && given.mounts?.persistent !== undefined
      ? [{ property: "mounts.persistent", reason: "is not offered on CPU pods; use a network volume" }]
      : []),
    ...(given.cloud === "COMMUNITY" && given.mounts?.network !== undefined
      ? [
          {
            property: "mounts.network",
            reason: 'needs cloud "SECURE": network volumes are not offered in the COMMUNITY cloud',
          },
        ]
      : []),
    ...(given.cpu !== undefined && given.gpuAlternatives !== undefined
      ? [{ property: "gpuAlternatives", reason: "needs gpu; a CPU pod has no alternatives" }]
      : []),
  ],
  catalog: ({ gpu, gpuAlternatives = [], cloud, cpu, dataCenterIds = [] }) => [
    ...(gpu === undefined ? [] : [{ path: "gpu.id", gpuType: gpu.id, count: gpu.count, cloud }]),
    ...gpuAlternatives.map((gpuType, index) => ({
      path: `gpuAlternatives.${index}`,
      gpuType,
      count: gpu?.count,
      cloud,
    })),
    ...(cpu === undefined ? [] : [{ path: "cpu.id", cpu: cpu.id, vcpuCount: cpu.vcpuCount }]),
    ...dataCenterIds.map((dataCenter, index) => ({ path: `dataCenterIds.${index}`, dataCenter })),
  ],
  // A list that still holds the place where the pod runs asks for nothing new.
  settled: ({ path, next }, old) =>
    path === "dataCenterIds" && Array.isArray(next) && (next.length === 0 || next.includes(old.dataCenterId)),
  // Two pods can't hold one volume at the same path of work at the same time.
  deleteBeforeReplace: (old, next) =>
    volumeOf(old.mounts) !== undefined && volumeOf(old.mounts) === volumeOf(next.mounts),

  create: (context, wanted, naming) => {
    const { gpu, gpuAlternatives = [], dataCenterIds, mounts, name = "", ...rest } = wanted;
    const { locked: _, desiredStatus: __, awaitRunning: ___, createTimeout: ____, ...body } = rest;
    const types = gpu === undefined ? [] : [gpu.id, ...gpuAlternatives];
    return createWithFirst(context, "Pod", candidates(types, dataCenterIds), ({ gpuTypeId, dataCenterId }) =>
      context.client.pods.create(
        {
          ...body,
          name,
          // An empty object would count as a choice against the template's storage.
          ...(mounts.persistent === undefined && mounts.network === undefined ? {} : { mounts }),
          ...(gpu === undefined || gpuTypeId === undefined ? {} : { gpu: { ...gpu, id: gpuTypeId } }),
          ...(dataCenterId === undefined ? {} : { dataCenterIds: [dataCenterId] }),
        },
        naming,
      ),
    );
  },
  read: async ({ client }, id) => {
    const live = await client.pods.read(id);
    return live?.status === "TERMINATED" ? undefined : live;
  },
  update: async ({ client }, id, wanted, { changed, old }) => {
    const patch = {
      ...patchOf(wanted, new Set(PATCHED.filter((field) => changed.has(field))), { registry: null, mounts: {} }),
      ...(changed.has("env") && { env: mergedEnv((await client.pods.get(id)).env, old.env, wanted.env ?? {}) }),
      // A locked pod refuses changes; locking comes last, see `ready`.
      ...(changed.has("locked") && !wanted.locked && { locked: false }),
    };
    return Object.keys(patch).length === 0 ? client.pods.get(id) : client.pods.update(id, patch);
  },
  ready: async (context, made, wanted) => {
    let live = await brought(context, made, wanted);
    if (wanted.locked && !live.locked) live = await context.client.pods.update(live.id, { locked: true });
    return live;
  },
  delete: async ({ client }, id, state) => {
    if (state.locked === true && (await client.pods.read(id))?.locked) {
      throw new Error(
        `Pod ${id} is locked, and so it is not deleted. Set locked: false, run \`pulumi up\`, then delete it.`,
      );
    }
    await client.pods.delete(id);
  },

  observe: (live, state) => ({
    ...live,
    gpu: live.gpu && { ...live.gpu, id: live.gpu.id === state.gpuTypeId ? declaredGpu(state.gpu) : live.gpu.id },
    cpu: live.cpu && { id: live.cpu.id, vcpuCount: live.cpu.vcpuCount },
    mounts: shownMounts(live.mounts),
    globalNetworking: live.globalNetworking.enabled,
    desiredStatus: live.status === "EXITED" || live.status === "ERROR" ? live.status : "RUNNING",
  }),
  outputs: (live, _, old) => ({
    disk: live.disk,
    gpuTypeId: live.gpu?.id,
    dataCenterId: live.dataCenterId,
    memory: live.cpu?.memory,
    ssh: { proxy: live.ssh.proxy?.command, direct: live.ssh.direct?.command },
    publicPorts: publicPorts(live),
    internalDns: live.globalNetworking.internalDns,
    costPerHour: old?.costPerHour ?? live.cost,
    createdAt: live.createdAt,
  }),
});

function volumeOf(value: unknown): unknown {
  const network = isObject(value) && Array.isArray(value.network) ? value.network[0] : undefined;
  return isObject(network) ? network.volumeId : undefined;
}

function declaredGpu(gpu: unknown): unknown {
  return isObject(gpu) ? gpu.id : undefined;
}

/** Addresses of the ports that reach the internet; a start of the pod deals new numbers. */
function publicPorts(live: Pod) {
  return (live.runtime?.ports ?? []).flatMap(({ private: port, public: external, type, ip }) =>
    port === undefined || !ip || !external ? [] : [{ port, protocol: type, address: `${ip}:${external}` }],
  );
}

/** Starts or stops the pod as declared, and waits for it. */
async function brought(context: Context, made: Pod, wanted: Inputs): Promise<Pod> {
  const { client } = context;
  if (wanted.desiredStatus === "EXITED") {
    if (made.status === "EXITED") return made;
    await client.pods.action(made.id, "stop");
    return statusReached(context, made.id, wanted, "EXITED");
  }
  const started = made.actions.includes("start");
  if (started) await client.pods.action(made.id, "start");
  if (made.status === "RUNNING" || !wanted.awaitRunning) return made;
  return statusReached(context, made.id, wanted, "RUNNING", started ? made.status : undefined);
}

/**
 * @param before the status that an action has just left: it may still be shown for a moment, and is no failure until
 *   another one was seen
 */
async function statusReached(
  { client, log }: Context,
  id: string,
  wanted: Inputs,
  goal: "RUNNING" | "EXITED",
  before?: Pod["status"],
): Promise<Pod> {
  const dead = new Set<Pod["status"]>(goal === "RUNNING" ? ["EXITED", "ERROR", "TERMINATED"] : ["ERROR", "TERMINATED"]);
  const logs = () => logTail((signal) => client.pods.logs(id, { tail: 10, signal }));
  let left = before === undefined;
  try {
    return await waitUntil({
      poll: async () => {
        const live = await client.pods.get(id);
        left ||= live.status !== before;
        if (!left || !dead.has(live.status)) return live;
        throw new Error(`Pod ${id} is ${live.status} and will not become ${goal}.${await logs()}`);
      },
      done: (live) => live.status === goal,
      progress: (live, elapsed) => log.status(`Pod ${id}: ${live.status} for ${Math.round(elapsed / 1000)} s`),
      timeoutMs: milliseconds(wanted.createTimeout),
    });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
    throw new Error(
      `Pod ${id} did not become ${goal} within createTimeout (${wanted.createTimeout}). It exists, is billed and stays in ` +
        `the state: \`pulumi up\` goes on waiting, \`pulumi destroy\` removes it.${await logs()}`,
      { cause: error },
    );
  }
}
