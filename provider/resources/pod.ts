import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Pod } from "../client";
import { autoName, type CheckFailure, defineResource } from "../lifecycle/definition";
import type { Difference } from "../lifecycle/diff";
import { duration } from "../lifecycle/duration";
import { control, replaces, replacesWhenSwitched, unordered, writeOnly } from "../lifecycle/fields";
import { isObject, type Properties } from "../lifecycle/values";
import { candidates, createWithFirst, placeStands } from "./candidates";
import { containerPatch, cudaVersion, templatedContainerFields, withContainerDefaults } from "./container";
import { isMounted, mounts, oneKindOfMount, shownMounts } from "./mounts";
import { patchOf } from "./patch";
import { broughtTo, stands } from "./podStatus";
import { exactlyOne, imageOrTemplate, oneCudaChoice, powerOfTwo } from "./rules";
import {
  type Compared,
  comparedWithTemplate,
  isFirstRevision,
  templateDifferences,
  templateDrift,
} from "./templateCopy";

const inputs = z.strictObject({
  name: autoName(),
  ...templatedContainerFields,
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
  startSsh: writeOnly(replaces(z.boolean().optional())),
  startJupyter: writeOnly(replaces(z.boolean().optional())),
  locked: z.boolean().default(false),
  desiredStatus: z.enum(["RUNNING", "EXITED"]).default("RUNNING"),
  awaitRunning: control(z.boolean().optional()),
  createTimeout: control(duration.optional()),
});

type Inputs = z.output<typeof inputs>;

/** What write-only arguments mean that are left out, unless a template says otherwise. */
const UNSAID: Properties = { startSsh: false, startJupyter: false, "gpu.allowedCudaVersions": [] };

/** Pod: one machine with GPUs or CPUs that runs one container. */
export const pod = defineResource<typeof inputs, LivePod>({
  kind: "Pod",
  inputs,
  complete: withContainerDefaults,
  rules: (given, isUnknown) => [
    ...exactlyOne(given, isUnknown, "gpu", "cpu"),
    ...imageOrTemplate(given, isUnknown),
    ...oneCudaChoice(given.gpu),
    ...oneKindOfMount(given.mounts),
    ...powerOfTwo("cpu.vcpuCount", given.cpu?.vcpuCount),
    ...placementRules(given),
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
  settled: (difference, old) =>
    placeStands(difference, old, "gpu.id") ||
    (old.templateId === undefined && saysTheSame(difference)) ||
    isFirstRevision(difference, old),
  // A new copy restarts the pod: without a revision in the program that is only said.
  further: (old, next) => (next.templateRevision === undefined ? [] : templateDifferences(old, next)),
  guarded: ({ locked }) =>
    locked === true ? "it is locked: set locked: false and run `pulumi up` before you change the rest" : undefined,
  // Two pods would write to one volume at the same time.
  deleteBeforeReplace: (old, next) =>
    volumeOf(old.mounts) !== undefined && volumeOf(old.mounts) === volumeOf(next.mounts),

  create: (context, wanted, naming) => {
    const { gpu, gpuAlternatives = [], dataCenterIds, mounts, name = "", ...rest } = wanted;
    const {
      locked: _,
      desiredStatus: __,
      awaitRunning: ___,
      createTimeout: ____,
      templateRevision: _____,
      ...body
    } = rest;
    const types = gpu === undefined ? [] : [gpu.id, ...gpuAlternatives];
    return createWithFirst(context, "Pod", candidates(types, dataCenterIds), ({ gpuTypeId, dataCenterId }) =>
      context.client.pods.create(
        {
          ...body,
          name,
          ...(isMounted(mounts) && { mounts }),
          ...(gpu === undefined || gpuTypeId === undefined ? {} : { gpu: { ...gpu, id: gpuTypeId } }),
          ...(dataCenterId === undefined ? {} : { dataCenterIds: [dataCenterId] }),
        },
        naming,
      ),
    );
  },
  read: async (context, id, state): Promise<LivePod | undefined> => {
    const live = await comparedWithTemplate(context, context.client.pods.read(id), state);
    return live?.status === "TERMINATED" ? undefined : live;
  },
  update: async ({ client }, id, wanted, change) => {
    const { changed } = change;
    const live = changed.has("env") ? await client.pods.get(id) : undefined;
    const patch = {
      ...patchOf(
        wanted,
        new Set((["name", "mounts", "globalNetworking"] as const).filter((field) => changed.has(field))),
      ),
      ...containerPatch(wanted, change, live?.env),
      // A locked pod refuses to be stopped: it is unlocked first, and locked at the very end.
      ...(changed.has("locked") && !wanted.locked && { locked: false }),
    };
    return Object.keys(patch).length === 0 ? (live ?? client.pods.get(id)) : client.pods.update(id, patch);
  },
  ready: async (context, made, wanted) => {
    const live = await broughtTo(context, made, wanted);
    return wanted.locked && !live.locked ? context.client.pods.update(live.id, { locked: true }) : live;
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
    mounts: shownMounts(live.mounts),
    globalNetworking: pendingNetworking(live, state) ?? live.globalNetworking.enabled,
    desiredStatus: stands(live) ? "EXITED" : "RUNNING",
  }),
  outputs: (live, context, old) => ({
    disk: live.disk,
    gpuTypeId: live.gpu?.id,
    dataCenterId: live.dataCenterId,
    memory: live.cpu?.memory,
    ssh: { proxy: live.ssh.proxy?.command, direct: live.ssh.direct?.command },
    publicPorts: publicPorts(live),
    proxyUrls: proxyUrls(live, context.settings.proxyDomain),
    internalDns: live.globalNetworking.internalDns,
    costPerHour: old?.costPerHour ?? live.cost,
    createdAt: live.createdAt,
    ...templateDrift(live, context, old),
  }),
});

interface LivePod extends Pod, Compared {}

function volumeOf(value: unknown): unknown {
  const network = isObject(value) && Array.isArray(value.network) ? value.network[0] : undefined;
  return isObject(network) ? network.volumeId : undefined;
}

function declaredGpu(gpu: unknown): unknown {
  return isObject(gpu) ? gpu.id : undefined;
}

/** Addresses of the http ports, by port; they stay the same from start to start. */
function proxyUrls({ id, ports }: Pod, domain: string | undefined): Record<string, string> | undefined {
  if (domain === undefined) return undefined;
  const http = ports.filter((port) => port.endsWith("/http")).map((port) => Number.parseInt(port, 10));
  return Object.fromEntries(http.map((port) => [String(port), `https://${id}-${port}.${domain}`]));
}

/** Addresses of the ports that reach the internet; a start of the pod deals new numbers. */
function publicPorts(live: Pod) {
  return (live.runtime?.ports ?? []).flatMap(({ private: port, public: external, type, ip }) =>
    port === undefined || !ip || !external ? [] : [{ port, protocol: type, address: `${ip}:${external}` }],
  );
}

/**
 * A change of the global network takes effect at the next start: while the service still shows what it showed when the
 * state was written, what is declared is on its way.
 */
function pendingNetworking({ globalNetworking }: Pod, state: Properties): unknown {
  const adopting = state.createdAt === undefined;
  const recorded = state.internalDns !== undefined;
  return !adopting && globalNetworking.enabled === recorded ? state.globalNetworking : undefined;
}

function saysTheSame({ path, old, next }: Difference): boolean {
  return path in UNSAID && isDeepStrictEqual(old ?? UNSAID[path], next ?? UNSAID[path]);
}

function placementRules({ cpu, gpuAlternatives, cloud, mounts }: Partial<Inputs>): CheckFailure[] {
  const failures: CheckFailure[] = [];
  if (cpu !== undefined && mounts?.persistent !== undefined)
    failures.push({ property: "mounts.persistent", reason: "is not offered on CPU pods; use a network volume" });
  if (cpu !== undefined && gpuAlternatives !== undefined)
    failures.push({ property: "gpuAlternatives", reason: "needs gpu; a CPU pod has no alternatives" });
  if (cloud === "COMMUNITY" && mounts?.network !== undefined)
    failures.push({
      property: "mounts.network",
      reason: 'needs cloud "SECURE": network volumes are not offered in the COMMUNITY cloud',
    });
  return failures;
}
