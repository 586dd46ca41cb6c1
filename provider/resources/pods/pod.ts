import { isDeepStrictEqual } from "node:util";
import { needed, type Pod, type Template } from "../../../client";
import { podUrlAt } from "../../../common/presets";
import { z } from "../../../common/zod";
import { catalogued } from "../../catalog/catalogued";
import { type CheckFailure, defineResource, type Run, type Verdict } from "../../lifecycle/definition";
import type { Difference } from "../../lifecycle/fields/difference";
import { from } from "../../lifecycle/fields/example";
import {
  afterCreate,
  autoName,
  control,
  hint,
  named,
  replaces,
  replacesWhenSwitched,
  stable,
  timeout,
  unordered,
  writeOnly,
} from "../../lifecycle/fields/fields";
import { isUnknown } from "../../lifecycle/fields/unknown";
import { type Properties, valueAt } from "../../lifecycle/fields/values";
import { oneCommand, sendable, shownCommand } from "../command";
import {
  containerPatch,
  cpu,
  cudaVersion,
  cudaVersions,
  diskInGb,
  templatedContainerFields,
  withContainerDefaults,
} from "../container";
import { patchOf } from "../patch";
import { gpuOrCpu, imageOrTemplate, oneCudaChoice, powerOfTwo } from "../rules";
import * as templateCopy from "../serverless/templateCopy";
import { readable } from "../serverless/templateCopy";
import { warnAboutGlobalVolume } from "../storage/globalMounts";
import { candidates, createWithFirst, keepsPlacement, waitForCapacity } from "./candidates";
import { globalMountMistakes, isMounted, mounts, oneKindOfMount, sharesVolume, shownMounts } from "./mounts";
import { isStopped, reachStatus } from "./podStatus";
import { plentyOf, refuseWithoutStock } from "./stock";

const least = z.int().min(1);
const globalNetworking = { globalNetworking: "globalNetworking" };

const podGpu = named(
  "PodGpu",
  z
    .strictObject(
      {
        id: replaces(
          catalogued("gpuType", z.string().min(1), { count: "count", cloud: "cloud", ...globalNetworking }),
        ).describe("GPU type of the catalog, such as `NVIDIA L4`."),
        count: replaces(z.int().min(1).default(1)).describe("GPUs of the pod."),
        allowedCudaVersions: writeOnly(unordered(replaces(cudaVersions.optional()))).describe(
          'CUDA versions such as "12.4"; not together with `minCudaVersion`. Default: any, or the template\'s.',
        ),
        minCudaVersion: writeOnly(replaces(cudaVersion.optional())).describe(
          'Lowest CUDA version, such as "12.4". Default: none.',
        ),
        minRamPerGpu: writeOnly(replaces(least.optional())).describe(
          "GB of memory that the machine must have for each GPU. A pod on a machine that has enough is not " +
            "replaced. Default: any.",
        ),
        minVcpuCountPerGpu: writeOnly(replaces(least.optional())).describe(
          "Number of vCPUs that the machine must have for each GPU. A pod on a machine that has enough is not " +
            "replaced. Default: any.",
        ),
      },
      hint((input) => typeof input === "string" && `must be an object, such as { id: ${JSON.stringify(input)} }`),
    )
    .describe("GPUs of a pod."),
);

const inputs = z.strictObject({
  name: autoName(),
  ...templatedContainerFields,
  templateId: catalogued("podTemplate", templatedContainerFields.templateId),
  gpu: replacesWhenSwitched(podGpu.optional()).describe("Exactly one of `gpu` and `cpu`."),
  gpuAlternatives: control(
    z
      .array(catalogued("gpuType", z.string().min(1), { count: "gpu.count", cloud: "cloud", ...globalNetworking }))
      .optional(),
  ).describe(
    "GPU types to try, in order, when `gpu.id` is not available. The output `gpuTypeId` names the chosen type. Default: none.",
  ),
  cpu: replaces(cpu.optional()).describe("Exactly one of `gpu` and `cpu`."),
  cloud: replaces(named("Cloud", z.enum(["SECURE", "COMMUNITY"])).default("SECURE")).describe(
    "Cloud that the machine belongs to. Network volumes need SECURE.",
  ),
  dataCenterIds: writeOnly(
    unordered(replaces(z.array(catalogued("dataCenter", z.string().min(1), globalNetworking)).default([]))),
  ).describe(
    "Data centers to try, in order; none: any. A list that includes the pod's current data center is not a change.",
  ),
  mounts: mounts.default({}),
  globalNetworking: z
    .boolean()
    .default(false)
    .describe("Needs an NVIDIA GPU and a data center that offers it; takes effect at the next start."),
  startSsh: writeOnly(replaces(z.boolean().optional())).describe(
    "Injects the account's SSH keys. Default false, or the template's.",
  ),
  startJupyter: writeOnly(replaces(z.boolean().optional())).describe(
    "Starts Jupyter with a generated password. Default false, or the template's.",
  ),
  locked: afterCreate(z.boolean().default(false)).describe(
    "Refuses to be stopped, restarted and reset. This provider deletes no locked pod; whether the service does is not known.",
  ),
  desiredStatus: afterCreate(named("PodDesiredStatus", z.enum(["RUNNING", "EXITED"])).default("RUNNING")).describe(
    "Started or stopped; a stopped pod keeps only its mounts.",
  ),
  waitForCapacity,
  awaitRunning: control(z.boolean().default(true)).describe("Whether a run waits until the pod runs."),
  createTimeout: timeout("15m").describe('How long it waits, such as "90s" or "15m".'),
});

type Inputs = z.output<typeof inputs>;

/** What write-only arguments mean if they are left out, without a template. */
const OMITTED_DEFAULTS: Properties = { startSsh: false, startJupyter: false, "gpu.allowedCudaVersions": [] };

export const pod = defineResource({
  kind: "Pod",
  noun: "Pod",
  rights: { preview: "read: pods, templates", up: "read: templates; write: pods" },
  priced: true,
  deletesFirst: "withVolume",
  uses: ["globalVolume", "networkVolume", "registry", "secret", "template"],
  adoption: { protect: true, unfit: memberOfCluster },
  orphans: "named",
  drifted: templateCopy.drifted,
  source: { operation: "POST /v2/pods", page: "api-reference-v2/pods/create-a-pod" },
  description: "One machine with GPUs or CPUs that runs one container.",
  inputs,
  shows: ["name", "image", "env", "mounts", "cloud", "locked", "desiredStatus"],
  outputs: z.object({
    disk: diskInGb,
    gpuTypeId: z
      .string()
      .optional()
      .describe("The chosen GPU type: `gpu.id` or one of `gpuAlternatives`. Undefined on CPU pods."),
    dataCenterId: z.string().optional().describe("Data center of the pod."),
    memory: z.int().optional().describe("GB of memory, on GPU pods for all GPUs together."),
    vcpuCount: z.int().optional().describe("Number of vCPUs, on GPU pods for all GPUs together."),
    ssh: z
      .object({
        proxy: z.string().optional().describe("Through the service's proxy."),
        direct: z.string().optional().describe("To the pod itself, where port 22/tcp is public."),
      })
      .describe("Commands for a shell: through the proxy, and to the pod itself where port 22/tcp is public."),
    publicPorts: z
      .array(
        named(
          "PublicPort",
          z
            .object({
              port: z.int().describe("As declared in `ports`."),
              protocol: z.string().optional().describe("`tcp` or `http`."),
              address: z.string().describe("`ip:port`. A start of the pod gives it a new number."),
            })
            .describe("A port that reaches the internet."),
        ),
      )
      .describe("TCP ports that reach the internet."),
    proxyUrls: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'Addresses of the http ports by port, such as `{ "8888": "https://…" }`; undefined where the cloud\'s proxy is not known.',
      ),
    internalDns: z.string().optional().describe("Name in the global network, where enabled."),
    costPerHour: stable(z.number()).describe("USD, when it was created."),
    createdAt: stable(z.string()).describe("When it was created, RFC 3339."),
    ...templateCopy.outputs,
  }),
  examples: [
    {
      title: "A GPU, or the next best, with a network volume and a shell",
      name: "dev",
      args: {
        image: "registry.example.com/pytorch:2.4",
        gpu: { id: "NVIDIA GeForce RTX 4090" },
        gpuAlternatives: ["NVIDIA RTX A5000", "NVIDIA L4"],
        dataCenterIds: ["EU-RO-1"],
        mounts: { network: [{ volumeId: from("networkVolume"), path: "/workspace" }] },
        ports: ["22/tcp", "8888/http"],
        startSsh: true,
      },
    },
    {
      title: "CPUs alone",
      name: "worker",
      args: { image: "registry.example.com/worker:3", cpu: { id: "cpu5c", vcpuCount: 4 }, disk: 20 },
    },
  ],

  takes: [
    {
      argument: "template",
      byId: "stays",
      description:
        "A Template whose settings are copied, and copied again in the run that changes it. Give this or `templateId`.",
    },
  ],
  withDefaults: withContainerDefaults,
  rules: (declared, isUnknown) => [
    ...gpuOrCpu(declared, isUnknown),
    ...imageOrTemplate(declared, isUnknown),
    ...oneCommand(declared),
    ...oneCudaChoice(declared.gpu),
    ...oneKindOfMount(declared.mounts),
    ...globalMountMistakes(declared.mounts, declared.cpu),
    ...powerOfTwo("cpu.vcpuCount", declared.cpu?.vcpuCount),
    ...placementRules(declared),
  ],
  check: async ({ client, log }, inputs, old) => {
    if (Object.keys(old).length > 0) return [];
    if (inputs.cloud === "COMMUNITY" && Array.isArray(inputs.dataCenterIds) && inputs.dataCenterIds.length > 0)
      log.warn(
        "dataCenterIds: the service was seen to refuse every new COMMUNITY pod with data centers (August 2026). Leave them " +
          'out, or use cloud "SECURE".',
      );
    const ownBytes = sizeOf(inputs);
    const { templateId } = inputs;
    // If the pod's own part is small, a template that the service accepted leaves room for it.
    const readsTemplate =
      ownBytes > MOST_BYTES / 2 && ownBytes <= MOST_BYTES && typeof templateId === "string" && !isUnknown(templateId);
    const template = readsTemplate ? await readable(client.templates.read(templateId)) : undefined;
    const bytes = ownBytes + (template === undefined ? 0 : sizeOf(template));
    return bytes > MOST_BYTES ? [{ property: "env", reason: tooLarge(bytes, template !== undefined) }] : [];
  },
  differences: (changes, old, next, run) => {
    const open = changes.filter((each) => !isMet(each, old, run));
    // Copying again restarts the pod. Without a revision in the program, the drift is only reported.
    return next.templateRevision === undefined ? open : templateCopy.withDifferences(open, old, next, run);
  },
  judge: async (context, { subject, old, next, changes, replaces }) => {
    if (replaces.length === 0) return whileLocked(old, next, changes);
    if (old.locked === true)
      return { guard: "it is locked: set locked: false and run `pulumi up` before you change the rest" };
    const deletesFirst = sharesVolume(old, next);
    if (deletesFirst || next.__deleteBeforeReplace === true) await refuseWithoutStock(context, subject, old, next);
    const loses = valueAt(old, ["mounts", "persistent"]) === undefined ? undefined : "its persistent mount";
    return { deletesFirst, loses };
  },

  create: (context, { gpu, dataCenterIds, mounts, name = "", ...rest }, naming, controls, onAgain) => {
    const body = sendable(rest);
    const { gpuAlternatives = [], waitForCapacity } = controls;
    const types = gpu === undefined ? [] : [gpu.id, ...gpuAlternatives];
    const hasPlenty = plentyOf(context.client, { gpu, mounts, ...rest });
    const waiting = { subject: `Pod ${name}`, waitForCapacity, onAgain, hasPlenty };
    return createWithFirst(context, waiting, candidates(types, dataCenterIds), ({ gpuTypeId, dataCenterId }) =>
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
  explain: async (context, error, { mounts }) =>
    warnAboutGlobalVolume(context, error, "mounts.global", mounts.global !== undefined),
  list: ({ client }, options) => client.pods.list(options),
  read: async (context, id, state): Promise<LivePod | undefined> => {
    const live = await templateCopy.compare(context, context.client.pods.read(id), state);
    return live?.status === "TERMINATED" ? undefined : live;
  },
  update: async (context, id, wanted, change) => {
    const { client } = context;
    const { changed } = change;
    const live = changed.has("env") ? await client.pods.get(id) : undefined;
    // Every change of a global volume replaces.
    const { global: _, ...mounts } = wanted.mounts;
    const patch = {
      ...patchOf(
        { ...wanted, mounts },
        new Set((["name", "mounts", "globalNetworking"] as const).filter((field) => changed.has(field))),
      ),
      ...(await containerPatch(context, wanted, change, live && needed("Pod", live, "env"))),
    };
    // A locked pod refuses to be stopped or reset. So it is unlocked first, and locked at the very end.
    const unlocks = changed.has("locked") && !wanted.locked;
    const unlocked = unlocks ? await client.pods.update(id, { locked: false }) : live;
    return Object.keys(patch).length === 0 ? (unlocked ?? client.pods.get(id)) : client.pods.update(id, patch);
  },
  ready: async (context, answer, wanted, controls, proof) => {
    // Somebody may have stopped or started it by hand, and the program leaves that to them.
    // mutant ignored-status-enforced: false
    const isLeft = proof.changed !== undefined && proof.isIgnored("desiredStatus");
    const desiredStatus = isLeft ? statusOf(answer) : wanted.desiredStatus;
    const reached = await reachStatus(context, answer, { ...controls, desiredStatus });
    const locks = wanted.locked && !reached.locked;
    const live = locks ? await context.client.pods.update(reached.id, { locked: true }) : reached;
    // A stopped pod costs nothing. Its cost while it runs was in the answer before the stop.
    return { ...live, cost: live.cost || answer.cost };
  },
  delete: async ({ client }, id, state) => {
    if (state.locked === true && (await client.pods.read(id))?.locked) {
      throw new Error(
        `Pod ${id} is locked and can't be deleted. Set locked: false, run \`pulumi up\`, then delete it.`,
      );
    }
    return client.pods.delete(id);
  },

  observe: (live, state) => ({
    ...live,
    ...shownCommand(live, state),
    // Unread values are not drift.
    ...(live.gpu !== undefined && {
      gpu: { ...live.gpu, id: live.gpu.id === state.gpuTypeId ? valueAt(state, ["gpu", "id"]) : live.gpu.id },
    }),
    mounts: live.mounts === undefined ? state.mounts : shownMounts(live.mounts, state.mounts),
    globalNetworking:
      live.globalNetworking === undefined
        ? state.globalNetworking
        : (pendingNetworking(live, state) ?? live.globalNetworking.enabled),
    desiredStatus: live.status === undefined ? state.desiredStatus : statusOf(live),
  }),
  computed: (live: LivePod, context, old) => ({
    disk: live.disk,
    gpuTypeId: live.gpu?.id,
    dataCenterId: live.dataCenterId ?? undefined,
    memory: live.cpu?.memory ?? live.gpu?.memory,
    vcpuCount: live.cpu?.vcpuCount ?? live.gpu?.vcpuCount,
    ssh: { proxy: live.ssh?.proxy?.command, direct: live.ssh?.direct?.command },
    publicPorts: publicPorts(live),
    proxyUrls: proxyUrls(live, context.settings.proxyDomain),
    internalDns: live.globalNetworking?.internalDns,
    costPerHour: old.costPerHour || live.cost,
    createdAt: live.createdAt,
    ...templateCopy.driftOutputs(live, context, old),
  }),
});

interface LivePod extends Pod, templateCopy.Compared {}

const statusOf = (live: Pod) => (isStopped(live) ? "EXITED" : "RUNNING");

/** Largest request for a new pod that the service accepts, with its template merged in. */
const MOST_BYTES = 102_400;

/** Bytes of the parts that may be large, as they are sent. */
function sizeOf({ image, args, entrypoint, cmd, ports, env }: Properties | Template): number {
  return Buffer.byteLength(JSON.stringify({ image, args, entrypoint, cmd, ports, env }));
}

function tooLarge(bytes: number, withTemplate: boolean): string {
  return (
    `makes the pod too large: ${bytes} bytes${withTemplate ? " with its template" : ""}, and the service takes 102,400 bytes. ` +
    "Keep large values in files of a volume or of the image, or in a Secret"
  );
}

/** Addresses of the http ports, by port. They stay the same across restarts. */
function proxyUrls({ id, ports = [] }: Pod, domain: string | undefined): Record<string, string> | undefined {
  if (domain === undefined) return undefined;
  const http = ports.filter((port) => port.endsWith("/http")).map((port) => Number.parseInt(port, 10));
  const urls = http.map((port): [string, string | undefined] => [String(port), podUrlAt(id, port, domain)]);
  return Object.fromEntries(urls.flatMap(([port, url]) => (url === undefined ? [] : [[port, url]])));
}

/** Addresses of the ports that are open to the internet. Each start of the pod assigns new numbers. */
function publicPorts(live: Pod) {
  return (live.runtime?.ports ?? []).flatMap(({ private: port, public: external, type, ip }) =>
    port === undefined || !ip || !external ? [] : [{ port, protocol: type, address: `${ip}:${external}` }],
  );
}

/**
 * The declared value of the global network while a change is pending. A change takes effect at the next start. Until then
 * the service shows what it showed when the state was written.
 */
function pendingNetworking({ globalNetworking }: Pod, state: Properties): unknown {
  const adopting = state.createdAt === undefined;
  const recorded = state.internalDns !== undefined;
  return !adopting && globalNetworking?.enabled === recorded ? state.globalNetworking : undefined;
}

function memberOfCluster({ cluster }: LivePod): string | undefined {
  if (cluster === undefined) return undefined;
  return `is a member of cluster ${cluster.id}, which alone changes and deletes it. Import or adopt the Cluster "${cluster.id}" instead.`;
}

/** Arguments whose change resets the container of a running pod. */
const RESETTING = /^(image|args|entrypoint|cmd|disk|ports|env|registry|templateId|templateRevision)\b/;

/** What a locked pod does not allow. That it refuses a stop is documented; a change that resets it, the service may let through. */
function whileLocked(old: Properties, next: Properties, changes: readonly string[]): Verdict {
  if (old.locked !== true || next.locked !== true || old.desiredStatus !== "RUNNING") return {};
  if (next.desiredStatus === "EXITED") {
    const wayOut = 'Set locked: false with desiredStatus "EXITED"; lock it again afterwards.';
    return { refused: `desiredStatus: a locked pod can't be stopped. ${wayOut}` };
  }
  const resetting = changes.filter((path) => RESETTING.test(path)).join(", ");
  const warning = `it is locked, and a change of ${resetting} resets its container, which the service may refuse. Then set locked: false with the change; lock it again afterwards.`;
  return resetting === "" ? {} : { warning };
}

/** Whether the pod is already as a difference asks for. */
function isMet(difference: Difference, old: Properties, run: Run): boolean {
  return (
    keepsPlacement(difference, old, "gpu.id") ||
    isWithinShare(difference, old) ||
    (old.templateId === undefined && isSameSetting(difference)) ||
    templateCopy.isFirstRevision(difference, old, run)
  );
}

/** Whether the current machine has the declared minimum for each GPU. */
function isWithinShare({ path, next }: Difference, old: Properties): boolean {
  const has = { "gpu.minRamPerGpu": old.memory, "gpu.minVcpuCountPerGpu": old.vcpuCount }[path];
  const count = valueAt(old, ["gpu", "count"]);
  if (!path.startsWith("gpu.min") || path === "gpu.minCudaVersion") return false;
  if (next === undefined) return true;
  return typeof has === "number" && typeof count === "number" && typeof next === "number" && has / count >= next;
}

function isSameSetting({ path, old, next }: Difference): boolean {
  return path in OMITTED_DEFAULTS && isDeepStrictEqual(old ?? OMITTED_DEFAULTS[path], next ?? OMITTED_DEFAULTS[path]);
}

function placementRules({ cpu, gpuAlternatives, cloud, mounts, globalNetworking }: Partial<Inputs>): CheckFailure[] {
  const failures: CheckFailure[] = [];
  if (cpu !== undefined && mounts?.persistent !== undefined)
    failures.push({ property: "mounts.persistent", reason: "is not offered on CPU pods; use a network volume" });
  if (cpu !== undefined && globalNetworking === true)
    failures.push({ property: "globalNetworking", reason: "needs an NVIDIA GPU; a CPU pod can't have it" });
  if (cpu !== undefined && gpuAlternatives !== undefined)
    failures.push({ property: "gpuAlternatives", reason: "needs gpu; a CPU pod has no alternatives" });
  if (cloud === "COMMUNITY" && mounts?.network !== undefined)
    failures.push({
      property: "mounts.network",
      reason: 'needs cloud "SECURE": network volumes are not offered in the COMMUNITY cloud',
    });
  return failures;
}
