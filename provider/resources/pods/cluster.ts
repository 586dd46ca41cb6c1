import { type Cluster, needed, type Pod } from "../../../client";
import { inSeconds, milliseconds } from "../../../common/duration";
import { z } from "../../../common/zod";
import { catalogued } from "../../catalog/catalogued";
import { type CheckFailure, type Context, defineResource } from "../../lifecycle/definition";
import {
  autoName,
  control,
  named,
  replaces,
  stable,
  timeout,
  unordered,
  writeOnly,
} from "../../lifecycle/fields/fields";
import { type Properties, valueAt } from "../../lifecycle/fields/values";
import { waitUntil } from "../../lifecycle/make/wait";
import { COMMAND, oneCommand, sendable, shownCommand } from "../command";
import { templatedContainerFields, withContainerDefaults } from "../container";
import { logTail } from "../logTail";
import { imageOrTemplate } from "../rules";
import { candidates, createWithFirst, keepsPlacement, waitForCapacity } from "./candidates";
import { isMounted, mounts, oneKindOfMount, sharesVolume } from "./mounts";
import { DEAD, isStopped } from "./podStatus";
import { refuseWithoutStock } from "./stock";

// The service shows a cluster's container only through its member pods, and can't change it.
const fixed = <T extends z.ZodType>(schema: T): T => writeOnly(replaces(schema));

const compute = named(
  "ClusterCompute",
  z
    .strictObject({
      gpuTypeId: catalogued("gpuType", z.string().min(1), { count: "gpuCountPerPod" }).describe(
        "GPU type of the catalog.",
      ),
      gpuCountPerPod: z.int().min(1).describe("GPUs in each pod."),
      podCount: z.int().min(2).max(250).describe("Pods, 2 to 250."),
    })
    .describe("Hardware of a cluster: pods that are all alike."),
);
const clusterType = named("ClusterType", z.enum(["APPLICATION", "TRAINING", "SLURM", "RAY"]));

const inputs = z.strictObject({
  name: autoName(),
  type: replaces(clusterType).describe("What is set up on its pods: nothing, a training network, Slurm or Ray."),
  compute: replaces(compute),
  gpuAlternatives: control(
    z.array(catalogued("gpuType", z.string().min(1), { count: "compute.gpuCountPerPod" })).optional(),
  ).describe(
    "GPU types to try, in order, when `compute.gpuTypeId` is not available. The output `gpuTypeId` names the " +
      "chosen type. Default: none.",
  ),
  image: fixed(templatedContainerFields.image),
  args: fixed(templatedContainerFields.args),
  entrypoint: fixed(templatedContainerFields.entrypoint),
  cmd: fixed(templatedContainerFields.cmd),
  disk: fixed(templatedContainerFields.disk),
  ports: fixed(templatedContainerFields.ports),
  env: fixed(templatedContainerFields.env),
  templateId: replaces(catalogued("podTemplate", z.string().min(1).optional())).describe(
    "Id of a Template for pods, own or public, in place of image, command, disk, ports, env and mounts. A " +
      "private image needs a template. Default: none.",
  ),
  mounts: fixed(mounts.default({})),
  dataCenterIds: fixed(unordered(z.array(catalogued("dataCenter", z.string().min(1))).default([]))).describe(
    "Data centers to try, in order; none: any.",
  ),
  startSsh: fixed(z.boolean().default(false)).describe("Whether its pods accept the account's SSH keys."),
  startJupyter: fixed(z.boolean().default(false)).describe("Whether its pods start Jupyter."),
  waitForCapacity,
  awaitRunning: control(z.boolean().default(true)).describe(
    "Whether a run waits until all pods run and the primary is known.",
  ),
  createTimeout: timeout("30m").describe('How long it waits, such as "90s" or "30m".'),
});

/** A cluster, with its member pods once it was waited for. */
interface LiveCluster extends Cluster {
  readonly members?: readonly Pod[];
}

export const cluster = defineResource({
  kind: "Cluster",
  noun: "Cluster",
  rights: { preview: "read: clusters, pods", up: "read: pods; write: clusters" },
  priced: true,
  deletesFirst: "withVolume",
  uses: ["networkVolume", "secret", "template"],
  adoption: { protect: true, more: containerOf },
  orphans: "named",
  source: { operation: "POST /v2/clusters", page: "api-reference-v2/clusters/create-a-cluster" },
  description: "Several pods of the same kind in one network. Only `name` updates in place.",
  inputs,
  shows: ["name", "type", "image", "env"],
  outputs: z.object({
    gpuTypeId: z.string().describe("The chosen GPU type."),
    dataCenterId: z.string().optional().describe("Data center of its pods."),
    network: z
      .object({
        cidr: z.string().describe("Its addresses, such as `10.1.0.0/24`."),
        vxlanId: z.int().optional().describe("Number of its VXLAN."),
        vxlanPort: z.int().optional().describe("UDP port of its VXLAN."),
      })
      .optional()
      .describe("The network between its pods."),
    primary: z
      .object({
        podId: z.string().describe("Id of the pod."),
        sshEndpoint: z.string().optional().describe("Address for a shell, where it declares 22/tcp."),
      })
      .optional()
      .describe("The pod of rank 0; `sshEndpoint` where it declares 22/tcp. `getCluster` also shows its status."),
    podIds: z
      .array(z.string())
      .optional()
      .describe("Member pods, where the run waited for them. `getCluster` shows how many are in each status."),
    costPerHour: z
      .number()
      .optional()
      .describe("USD for all pods when the cluster was created. Undefined if the run did not wait for the pods."),
    createdAt: stable(z.string()).describe("When it was created, RFC 3339."),
  }),
  examples: [
    {
      title: "Slurm on two pods of eight GPUs",
      name: "training",
      args: {
        type: "SLURM",
        image: "registry.example.com/slurm:24.05",
        compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
        ports: ["22/tcp"],
        startSsh: true,
      },
    },
  ],

  withDefaults: withContainerDefaults,
  rules: (declared, isUnknown) => [
    ...imageOrTemplate(declared, isUnknown),
    ...oneCommand(declared),
    ...oneKindOfMount(declared.mounts),
    ...(declared.mounts?.global === undefined
      ? []
      : [
          {
            property: "mounts.global",
            reason: "is for pods: no page of the service offers global volumes to clusters",
          },
        ]),
    ...templateRules(declared),
  ],
  differences: (changes, old) => changes.filter((each) => !keepsPlacement(each, old, "compute.gpuTypeId")),
  judge: async (context, { subject, old, next, replaces }) => {
    if (replaces.length === 0) return {};
    const deletesFirst = sharesVolume(old, next);
    if (deletesFirst || next.__deleteBeforeReplace === true)
      await refuseWithoutStock(context, subject, asPod(old), asPod(next), "CLUSTER");
    const isLost = valueAt(old, ["mounts", "persistent"]) !== undefined;
    return { deletesFirst, loses: isLost ? "the persistent mounts of its pods" : undefined };
  },

  create: (
    context,
    { compute, dataCenterIds, mounts, name = "", ...rest },
    naming,
    { gpuAlternatives = [], waitForCapacity },
    onAgain,
  ): Promise<LiveCluster> => {
    const body = sendable(rest);
    const list = candidates([compute.gpuTypeId, ...gpuAlternatives], dataCenterIds);
    const waiting = { subject: `Cluster ${name}`, waitForCapacity, onAgain };
    return createWithFirst(context, waiting, list, ({ gpuTypeId = compute.gpuTypeId, dataCenterId }) =>
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
  list: ({ client }, options) => client.clusters.list(options),
  read: ({ client }, id) => client.clusters.read(id),
  update: ({ client }, id, { name = "" }, { changed }) =>
    changed.has("name") ? client.clusters.update(id, { name }) : client.clusters.get(id),
  ready: (context, live, _, { awaitRunning, createTimeout }) =>
    awaitRunning ? waitForMembers(context, live, createTimeout) : Promise.resolve(live),
  delete: ({ client }, id) => client.clusters.delete(id),

  observe: ({ name, type, compute, template }, state) => ({
    name,
    type,
    templateId: template ?? undefined,
    // Unread values are not drift.
    ...(compute?.gpuTypeId !== undefined && {
      compute: {
        ...compute,
        gpuTypeId: compute.gpuTypeId === state.gpuTypeId ? valueAt(state, ["compute", "gpuTypeId"]) : compute.gpuTypeId,
      },
    }),
  }),
  computed: (live: LiveCluster, _, old) => ({
    gpuTypeId: live.compute?.gpuTypeId ?? old.gpuTypeId,
    dataCenterId: live.dataCenterId ?? undefined,
    network: live.network,
    primary: live.primary && { podId: live.primary.podId, sshEndpoint: live.primary.sshEndpoint },
    podIds: live.members?.map(({ id }) => id) ?? old.podIds,
    costPerHour: old.costPerHour ?? live.members?.reduce((sum, { cost = 0 }) => sum + cost, 0),
    createdAt: live.createdAt,
  }),
});

/** The arguments with the hardware in a pod's words. */
function asPod({ compute, ...others }: Properties): Properties {
  const [id, count, pods] = ["gpuTypeId", "gpuCountPerPod", "podCount"].map((name) => valueAt(compute, [name]));
  return { ...others, gpu: { id, count, pods } };
}

/** Arguments that a template brings. */
const FROM_TEMPLATE = ["image", ...COMMAND, "disk", "ports", "env"] as const;

function templateRules({ templateId, mounts, ...declared }: Partial<z.output<typeof inputs>>): CheckFailure[] {
  if (templateId === undefined) return [];
  const duplicates = [
    ...FROM_TEMPLATE.filter((field) => declared[field] !== undefined),
    ...(isMounted(mounts ?? {}) ? ["mounts"] : []),
  ];
  return duplicates.map((property) => ({ property, reason: "comes from the template; remove it, or templateId" }));
}

/**
 * Waits until every member runs and the primary is known. The service answers a create before its pods exist.
 *
 * @throws Error if a member fails, or not all run in time: the cluster exists and is billed
 */
async function waitForMembers(context: Context, created: LiveCluster, createTimeout: string): Promise<LiveCluster> {
  const { client, log } = context;
  const podCount = needed("Cluster", needed("Cluster", created, "compute"), "podCount");
  const byStatus = (live: Cluster): Readonly<Record<string, number | undefined>> =>
    needed("Cluster", needed("Cluster", live, "pods"), "byStatus");
  const running = (live: Cluster) => byStatus(live).RUNNING ?? 0;
  const live = await waitUntil(context, {
    poll: async () => {
      const live = await client.clusters.get(created.id);
      const dead = [...DEAD].filter((status) => (byStatus(live)[status] ?? 0) > 0);
      if (dead.length === 0) return live;
      throw new Error(
        `Cluster ${created.id} has pods that are ${dead.join(" and ")} and will not run.${await deadLogs(context, created.id)}`,
      );
    },
    done: (live) => running(live) >= podCount && live.primary !== undefined,
    progress: (live, elapsed, isLast) =>
      log.status(
        `Cluster ${created.id}`,
        `${running(live)} of ${podCount} pods run after ${inSeconds(elapsed)}`,
        isLast,
      ),
    timeoutMs: milliseconds(createTimeout),
    late: () =>
      `Cluster ${created.id} did not run within createTimeout (${createTimeout}). It exists, is billed and stays in ` +
      "the state: `pulumi up` keeps waiting, `pulumi destroy` removes it.",
  });
  return { ...live, members: await client.clusters.pods(created.id) };
}

async function deadLogs(context: Context, id: string): Promise<string> {
  const { client } = context;
  const first = (await client.clusters.pods(id)).find(isStopped);
  return first === undefined ? "" : logTail(context, (options) => client.pods.logs(first.id, options));
}

/** The arguments of a cluster's container. Only its member pods show them. */
async function containerOf({ client }: Context, id: string): Promise<Properties> {
  const [member] = await client.clusters.pods(id);
  // A cluster with a template declares none of these.
  if (member === undefined || (await client.clusters.read(id))?.template) return {};
  const { image, disk, ports, env, mounts } = member;
  return { image, ...shownCommand(member, {}), disk, ports, env, mounts };
}
