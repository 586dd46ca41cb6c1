import { z } from "zod";
import type { Cluster, Pod } from "../client";
import { milliseconds } from "../duration";
import { autoName, type Context, defineResource } from "../lifecycle/definition";
import { duration } from "../lifecycle/duration";
import { control, replaces, unordered, writeOnly } from "../lifecycle/fields";
import { isObject } from "../lifecycle/values";
import { WaitTimeoutError, waitUntil } from "../lifecycle/wait";
import { candidates, createWithFirst, placeStands } from "./candidates";
import { baseContainerFields } from "./container";
import { logTail } from "./logTail";
import { isMounted, mounts, oneKindOfMount } from "./mounts";
import { DEAD, stands } from "./podStatus";

// The service shows a cluster's container only through its member pods, and changes nothing of it.
const fixed = <T extends z.ZodType>(schema: T): T => writeOnly(replaces(schema));

const inputs = z.strictObject({
  name: autoName(),
  type: replaces(z.enum(["APPLICATION", "TRAINING", "SLURM", "RAY"])),
  compute: replaces(
    z.strictObject({
      gpuTypeId: z.string().min(1),
      gpuCountPerPod: z.int().min(1),
      podCount: z.int().min(2).max(250),
    }),
  ),
  gpuAlternatives: control(z.array(z.string().min(1)).optional()),
  image: fixed(z.string().min(1)),
  args: fixed(baseContainerFields.args),
  disk: fixed(baseContainerFields.disk),
  ports: fixed(baseContainerFields.ports),
  env: fixed(baseContainerFields.env),
  mounts: fixed(mounts.default({})),
  dataCenterIds: fixed(unordered(z.array(z.string().min(1)).default([]))),
  startSsh: fixed(z.boolean().default(false)),
  startJupyter: fixed(z.boolean().default(false)),
  awaitRunning: control(z.boolean().optional()),
  createTimeout: control(duration.optional()),
});

type Inputs = z.output<typeof inputs>;

const DEFAULT_CREATE_TIMEOUT = "30m";

/** A cluster, with its member pods where it was waited for. */
interface LiveCluster extends Cluster {
  readonly members?: readonly Pod[];
}

/** Cluster: several pods of the same kind in one network. Only its name changes in place. */
export const cluster = defineResource<typeof inputs, LiveCluster>({
  kind: "Cluster",
  inputs,
  rules: (given) => oneKindOfMount(given.mounts),
  catalog: ({ compute, gpuAlternatives = [], dataCenterIds = [] }) => [
    ...(compute === undefined
      ? []
      : [{ path: "compute.gpuTypeId", gpuType: compute.gpuTypeId, count: compute.gpuCountPerPod }]),
    ...gpuAlternatives.map((gpuType, index) => ({
      path: `gpuAlternatives.${index}`,
      gpuType,
      count: compute?.gpuCountPerPod,
    })),
    ...dataCenterIds.map((dataCenter, index) => ({ path: `dataCenterIds.${index}`, dataCenter })),
  ],
  settled: (difference, old) => placeStands(difference, old, "compute.gpuTypeId"),

  create: (context, wanted, naming) => {
    const { compute, gpuAlternatives = [], dataCenterIds, mounts, name = "", ...rest } = wanted;
    const { awaitRunning: _, createTimeout: __, ...body } = rest;
    const list = candidates([compute.gpuTypeId, ...gpuAlternatives], dataCenterIds);
    return createWithFirst(context, "Cluster", list, ({ gpuTypeId = compute.gpuTypeId, dataCenterId }) =>
      context.client.clusters.create(
        {
          ...body,
          name,
          compute: { ...compute, gpuTypeId },
          ...(isMounted(mounts) && { mounts }),
          ...(dataCenterId === undefined ? {} : { dataCenterIds: [dataCenterId] }),
        },
        naming,
      ),
    );
  },
  read: ({ client }, id) => client.clusters.read(id),
  update: ({ client }, id, { name = "" }, { changed }) =>
    changed.has("name") ? client.clusters.update(id, { name }) : client.clusters.get(id),
  ready: (context, made, wanted) =>
    wanted.awaitRunning === false ? Promise.resolve(made) : complete(context, made, wanted),
  delete: ({ client }, id) => client.clusters.delete(id),

  observe: ({ name, type, compute }, state) => ({
    name,
    type,
    compute: {
      ...compute,
      gpuTypeId: compute.gpuTypeId === state.gpuTypeId ? declaredGpu(state.compute) : compute.gpuTypeId,
    },
  }),
  outputs: (live, _, old) => ({
    gpuTypeId: live.compute.gpuTypeId,
    dataCenterId: live.dataCenterId,
    network: live.network === undefined ? undefined : { cidr: live.network.cidr },
    primary:
      live.primary === undefined ? undefined : { podId: live.primary.podId, sshEndpoint: live.primary.sshEndpoint },
    podIds: live.members?.map(({ id }) => id) ?? old?.podIds,
    costPerHour: old?.costPerHour ?? live.members?.reduce((sum, { cost }) => sum + cost, 0),
    createdAt: live.createdAt,
  }),
});

function declaredGpu(compute: unknown): unknown {
  return isObject(compute) ? compute.gpuTypeId : undefined;
}

/** Waits until every member runs and the primary is known; the service answers a create before its pods exist. */
async function complete(
  { client, log }: Context,
  made: LiveCluster,
  { createTimeout = DEFAULT_CREATE_TIMEOUT }: Inputs,
): Promise<LiveCluster> {
  const { podCount } = made.compute;
  const running = (live: Cluster) => live.pods.byStatus.RUNNING ?? 0;
  try {
    const live = await waitUntil({
      poll: async () => {
        const live = await client.clusters.get(made.id);
        const dead = [...DEAD].filter((status) => (live.pods.byStatus[status] ?? 0) > 0);
        if (dead.length === 0) return live;
        throw new Error(
          `Cluster ${made.id} has pods that are ${dead.join(" and ")} and will not run.${await deadLogs(client, made.id)}`,
        );
      },
      done: (live) => running(live) >= podCount && live.primary !== undefined,
      progress: (live, elapsed) =>
        log.status(
          `Cluster ${made.id}`,
          `${running(live)} of ${podCount} pods run after ${Math.round(elapsed / 1000)} s`,
        ),
      timeoutMs: milliseconds(createTimeout),
    });
    return { ...live, members: await client.clusters.pods(made.id) };
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
    throw new Error(
      `Cluster ${made.id} did not run within createTimeout (${createTimeout}). It exists, is billed and stays in ` +
        "the state: `pulumi up` goes on waiting, `pulumi destroy` removes it.",
      { cause: error },
    );
  }
}

async function deadLogs(client: Context["client"], id: string): Promise<string> {
  const first = (await client.clusters.pods(id)).find(stands);
  return first === undefined ? "" : logTail((options) => client.pods.logs(first.id, options));
}
