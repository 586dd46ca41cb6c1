import { type Endpoint, globalMounts, globalVolumesOf, needed, type UpdateEndpointRequest } from "../../../client";
import { DEFAULT_FLASH_BOOT, DEFAULT_IDLE_TIMEOUT, MOST_WORKERS } from "../../../common/defaults";
import { isRecord, parseJson } from "../../../common/json";
import { withOpenAi } from "../../../common/queueUrls";
import { z } from "../../../common/zod";
import { catalogued } from "../../catalog/catalogued";
import { scheduled, scheduleField } from "../../cost/schedule";
import {
  type Change,
  type CheckFailure,
  type Context,
  defineResource,
  type Proof,
  revision,
} from "../../lifecycle/definition";
import {
  autoName,
  control,
  type Desired,
  hint,
  json,
  named,
  replaces,
  replacesWhenSwitched,
  stable,
  timeout,
  unordered,
} from "../../lifecycle/fields/fields";
import type { Properties } from "../../lifecycle/fields/values";
import { inWords } from "../../lifecycle/fields/zodMessages";
import { perRun } from "../../lifecycle/perRun";
import { UnprovenError } from "../../lifecycle/state/partlyMade";
import { issuesText } from "../../smoke/bounds";
import { expectation } from "../../smoke/expectation";
import { oneCommand, sendable, shownCommand } from "../command";
import {
  appliesTemplate,
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
import { globalVolumeMistakes, warnAboutGlobalVolume } from "../storage/globalMounts";
import { loadBalancerUrls, queueUrls } from "./queueUrls";
import {
  expectProblem,
  gate,
  inputProblem,
  jsonText,
  proofTime,
  provingRequest,
  requestGate,
  requestMistakes,
} from "./smokeFields";
import * as templateCopy from "./templateCopy";
import { withWorkers } from "./temporaryWorkers";
import { WorkerNumbers } from "./workerNumbers";
import { flashBoot, mostWorkers, wantedFlashBoot, warnAboutQuota, workersReady } from "./workers";

const endpointGpu = named(
  "EndpointGpu",
  z
    .strictObject(
      {
        pools: z
          .array(catalogued("pool", z.string().min(1)))
          .min(1)
          .describe("GPU pools of the catalog in order of priority, at least one."),
        excludedTypes: unordered(
          z
            .array(
              catalogued("excludedType", z.string().trim().regex(/^[^-]/, "must be GPU type ids, without a minus"), {
                pools: "pools",
              }),
            )
            .default([]),
        ).describe("GPU types taken out of the pools."),
        count: z.int().min(1).default(1).describe("GPUs of a worker."),
        allowedCudaVersions: unordered(cudaVersions.optional()).describe(
          'CUDA versions such as "12.4"; not together with `minCudaVersion`. Default: any, or the template\'s.',
        ),
        minCudaVersion: cudaVersion.optional().describe('Lowest CUDA version, such as "12.4". Default: none.'),
      },
      hint((input) => {
        const pools = (Array.isArray(input) ? input : [input]).filter((each) =>
          /^[A-Z]+_[A-Z\d_]+$/.test(String(each)),
        );
        const sample = JSON.stringify(pools.length > 0 ? pools : ["AMPERE_24"]);
        return input !== undefined && input !== null && `must be an object with pools, such as { pools: ${sample} }`;
      }),
    )
    .describe("GPUs of an endpoint's workers."),
);

const endpointWorkers = named(
  "EndpointWorkers",
  z
    .strictObject({
      min: z.int().min(0).default(0).describe("Workers that are always on, and billed."),
      max: mostWorkers,
      idleTimeout: z
        .int()
        .min(1)
        .max(3600)
        .optional()
        .describe(
          `Seconds, 1 to 3600. Default ${DEFAULT_IDLE_TIMEOUT}; not taken by a queue that scales by REQUEST_COUNT.`,
        ),
    })
    .describe("How many workers there are. Default: those of its members."),
);

const scaling = named(
  "Scaling",
  z
    .discriminatedUnion("type", [
      named(
        "QueueDelayScaling",
        z
          .strictObject({
            type: z.literal("QUEUE_DELAY").describe("By the delay in the queue."),
            queueDelay: z.number().min(0.5).describe("Seconds, at least 0.5."),
          })
          .describe("A job has waited longer than `queueDelay` seconds, at least 0.5. Not for load balancers."),
      ),
      named(
        "RequestCountScaling",
        z
          .strictObject({
            type: z.literal("REQUEST_COUNT").describe("By the number of requests."),
            requestCount: z.int().min(1).describe("Requests a worker, at least 1."),
          })
          .describe("There are more than `requestCount` requests a worker."),
      ),
    ])
    .describe("When workers are added."),
);

const jobVerification = z.strictObject({
  input: z.unknown().describe("Input of the worker's handler: any JSON except an empty object."),
  expect: named("SmokeExpectation", expectation).optional().describe("The expected output. Default: any."),
  timeout: proofTime,
  retries: z.int().min(0).default(0).describe("How often a failed job is repeated within `timeout`."),
});

const requestVerification = z.strictObject({
  request: provingRequest.describe(
    "A request, in place of a job: for load balancers, and for language models of a queue.",
  ),
});

function verificationProblem(value: unknown): string | undefined {
  const isRequest = isRecord(value) && "request" in value;
  const { data, error } = (isRequest ? requestVerification : jobVerification).safeParse(value, { error: inWords });
  if (data === undefined) return error && issuesText(error);
  if (!("request" in data)) return inputProblem(data.input) ?? (data.expect && expectProblem(data.expect));
  const [mistake] = requestMistakes(data.request);
  return mistake && `request.${mistake.property} ${mistake.reason}`;
}

/** Arguments whose change leaves the workers as they are. */
const KEEP_WORKERS: ReadonlySet<string> = new Set(["name", "scaling", "timeout", "workers"]);

const inputs = z.strictObject({
  name: autoName(),
  type: replaces(named("EndpointType", z.enum(["QUEUE", "LOAD_BALANCER"]))).describe(
    "Whether requests wait in a queue, or go to a worker at once.",
  ),
  ...templatedContainerFields,
  templateId: catalogued("serverlessTemplate", templatedContainerFields.templateId),
  gpu: replacesWhenSwitched(endpointGpu.optional()).describe("Exactly one of `gpu` and `cpu`."),
  cpu: replacesWhenSwitched(z.array(cpu).min(1).optional()).describe(
    "CPU workers in order of priority. Exactly one of `gpu` and `cpu`.",
  ),
  workers: endpointWorkers.default({ min: 0 }),
  schedule: scheduleField,
  scaling,
  dataCenterIds: unordered(z.array(catalogued("dataCenter", z.string().min(1))).default([])).describe(
    "Data centers where workers may run; none: any.",
  ),
  networkVolumes: unordered(
    z.array(catalogued("networkVolume", z.string().min(1), { dataCenters: "dataCenterIds" })).default([]),
  ).describe(
    "Ids of network volumes, at most one in a data center. A worker finds its data center's volume at `/runpod-volume`.",
  ),
  globalVolumes: z
    .array(z.string().min(1))
    .length(1, "must name one volume; leave it out for none")
    .optional()
    .describe(
      "Id of a global volume, which GPU workers find at `/runpod-volume`; not together with `networkVolumes`. Workers may run " +
        "anywhere. Default: none.",
    ),
  timeout: z.int().min(0).default(300_000).describe("Milliseconds that a request may take; 0: no limit."),
  flashboot: wantedFlashBoot,
  awaitWorkers: control(z.boolean().default(false)).describe(
    "Whether a run waits until `workers.min` workers are ready.",
  ),
  createTimeout: timeout("15m").describe('How long it waits, such as "90s" or "15m".'),
  verify: control(
    json(
      z.union([
        named("Verification", jobVerification.describe("A job that shows whether an endpoint serves.")),
        named("RequestVerification", requestVerification.describe("A request that shows whether an endpoint serves.")),
      ]),
      jsonText(verificationProblem).optional(),
    ),
  ).describe(
    "A job, or a `request`, that must succeed after the endpoint is created, and after each update that replaces its workers. " +
      "If it fails after an update, the endpoint's previous arguments are restored and the update fails with its error. " +
      "Load balancers take a `request`. Default: none.",
  ),
});

type Inputs = z.output<typeof inputs>;
const numbers = new WorkerNumbers(inputs, { min: "workers.min", max: "workers.max" });
type Cpu = NonNullable<Inputs["cpu"]>[number];

/** Arguments that a PATCH sends unchanged. */
const PATCHED = ["name", "scaling", "dataCenterIds", "networkVolumes", "timeout", "flashboot", "cpu"] as const;
/** What a PATCH sends for arguments that were removed. */
const CLEARED = { flashboot: DEFAULT_FLASH_BOOT };

export const serverlessContainer = defineResource({
  kind: "ServerlessContainer",
  noun: "Endpoint",
  rights: { preview: "read: serverless, templates", up: "read: templates; write: serverless" },
  priced: true,
  uses: ["globalVolume", "networkVolume", "registry", "secret", "template"],
  adoption: { protect: true, listedWith: "serverlessEndpoint" },
  // A killed run's endpoint is found as a ServerlessEndpoint, by the form of its generated name: both kinds share a list.
  orphans: "noted",
  drifted: templateCopy.drifted,
  source: { operation: "POST /v2/serverless", page: "api-reference-v2/serverless/create-a-serverless-endpoint" },
  description:
    "A serverless endpoint with all that REST offers: GPU or CPU workers, with or without a template. Everything but " +
    "`type`, and the choice between `gpu` and `cpu`, updates in place.",
  inputs,
  shows: ["name", "type", "image", "env", "dataCenterIds", "networkVolumes", "timeout"],
  outputs: z.object({
    disk: diskInGb.optional(),
    flashboot: flashBoot,
    requestUrls: stable(z.union([queueUrls, loadBalancerUrls]).optional()).describe(
      "Addresses for requests: of a queue's operations, or of the load balancer.",
    ),
    createdAt: stable(z.string()).describe("When it was created, RFC 3339."),
    revision: revision("endpoint"),
    ...templateCopy.outputs,
  }),
  examples: [
    {
      title: "A queue on GPUs",
      name: "summarizer",
      args: {
        type: "QUEUE",
        image: "registry.example.com/summarizer:2.1.0",
        gpu: { pools: ["AMPERE_24", "ADA_24"] },
        workers: { max: 2 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      },
    },
    {
      title: "A load balancer on CPUs",
      name: "embedder",
      args: {
        type: "LOAD_BALANCER",
        image: "registry.example.com/embedder:3",
        cpu: [{ id: "cpu5c", vcpuCount: 4 }],
        workers: { max: 4, idleTimeout: 30 },
        scaling: { type: "REQUEST_COUNT", requestCount: 16 },
        ports: ["80/http"],
        timeout: 60_000,
      },
    },
  ],

  takes: [
    {
      argument: "template",
      byId: "follows",
      description:
        "A Template whose settings are copied, and copied again in the run that changes it. Give this or `templateId`.",
    },
  ],
  withDefaults: (declared) => withIdleTimeout(withCudaDefault(withContainerDefaults(withScheduledWorkers(declared)))),
  rules: (declared, isUnknown) => [
    ...gpuOrCpu(declared, isUnknown),
    ...imageOrTemplate(declared, isUnknown),
    ...oneCommand(declared),
    ...oneCudaChoice(declared.gpu),
    ...(declared.cpu ?? []).flatMap(cpuRules),
    ...globalVolumeMistakes("globalVolumes", declared.globalVolumes?.[0], {
      cpu: declared.cpu !== undefined,
      networkVolumes: (declared.networkVolumes ?? []).length > 0,
    }),
    ...workerRules(declared),
  ],
  differences: (changes, old, next, run) =>
    numbers.differences(templateCopy.withDifferences(changes, old, next, run), next),
  judge: (context, change) => numbers.judge(context, change),

  create: ({ client }, { name = "", workers, globalVolumes, ...body }, naming) =>
    client.serverless.create(
      {
        flashboot: DEFAULT_FLASH_BOOT,
        ...sendable(body),
        ...globalMounts(globalVolumes),
        name,
        workers: { max: MOST_WORKERS, ...workers },
      },
      naming,
    ),
  list: ({ client }, options) => client.serverless.list(options),
  read: (context, id, state): Promise<LiveEndpoint | undefined> =>
    templateCopy.compare(context, context.client.serverless.read(id), state),
  update: (context, id, wanted, change, { verify }) =>
    numbers.updated(context, id, wanted, change, (whole) => patched(context, id, wanted, whole, verify !== undefined)),
  explain: (context, error, { workers, globalVolumes }, id) => {
    warnAboutGlobalVolume(context, error, "globalVolumes", globalVolumes !== undefined);
    return warnAboutQuota(context, error, workers.max ?? MOST_WORKERS, id);
  },
  ready: async (context, live, { workers }, controls, proof) => {
    const { awaitWorkers, createTimeout, verify } = controls;
    if (controls.schedule !== undefined) context.ledger.workers.schedules(live.id);
    const isUpdate = proof.changed !== undefined;
    if (isUpdate) await verified(context, live.id, verify, proof);
    if (awaitWorkers && workers.min > 0) await workersReady(context, live.id, workers.min, createTimeout);
    if (!isUpdate) await verified(context, live.id, verify, proof);
    return live;
  },
  delete: (context, id) => numbers.deleted(context, id, context.client.serverless.delete(id)),

  observe: (live, state, globalVolumes = globalVolumesOf(live)) => ({
    ...live,
    ...shownCommand(live, state),
    type: live.type ?? typeFrom(live.requestUrls) ?? state.type ?? "QUEUE",
    ...(globalVolumes && { globalVolumes: globalVolumes.length > 0 ? globalVolumes : undefined }),
    ...(live.cpu !== undefined && { cpu: live.cpu.map(({ id, vcpuCount }) => ({ id, vcpuCount })) }),
  }),
  computed: (live: LiveEndpoint, context, old) => ({
    disk: live.disk,
    flashboot: live.flashboot,
    requestUrls: live.requestUrls && withOpenAi(live.requestUrls),
    createdAt: live.createdAt,
    ...templateCopy.driftOutputs(live, context, old),
  }),
});

/** The type of an endpoint that GraphQL has created: REST may leave it out, and its addresses, too. */
function typeFrom(urls: Endpoint["requestUrls"]): Inputs["type"] | undefined {
  if (urls === undefined) return undefined;
  return "base" in urls ? "LOAD_BALANCER" : "QUEUE";
}

interface LiveEndpoint extends Endpoint, templateCopy.Compared {}

function withScheduledWorkers(declared: Properties): Properties {
  const declaredWorkers = isRecord(declared.workers) ? declared.workers : {};
  return scheduled(
    declared,
    { workersMin: declaredWorkers.min, workersMax: declaredWorkers.max },
    ({ workersMin: min, workersMax: max }) => ({ workers: { ...declaredWorkers, min, max } }),
  );
}

/** Fills in an empty set of CUDA versions, which allows any. It also overrides a template's. */
function withCudaDefault(declared: Properties): Properties {
  if (declared.templateId !== undefined || !isRecord(declared.gpu)) return declared;
  return { ...declared, gpu: { allowedCudaVersions: [], ...declared.gpu } };
}

/** Fills in the default idle timeout. The service takes none for a queue that scales by its requests. */
function withIdleTimeout(declared: Properties): Properties {
  const { type, scaling, workers } = declared;
  const isTaken = type === "LOAD_BALANCER" || (isRecord(scaling) && scaling.type === "QUEUE_DELAY");
  if (!isTaken || !isRecord(workers) || workers.idleTimeout !== undefined) return declared;
  return { ...declared, workers: { ...workers, idleTimeout: DEFAULT_IDLE_TIMEOUT } };
}

/** By id: what endpoints had before their template was copied in this run. To undo that, a copy would bring what it has now. */
const beforeCopiesOf = perRun(() => new Map<string, UpdateEndpointRequest>());

async function patched(
  context: Context,
  id: string,
  wanted: Desired<typeof inputs>,
  change: Change<Inputs>,
  isVerified: boolean,
): Promise<LiveEndpoint> {
  const { client } = context;
  const { changed, undoes } = change;
  const beforeCopies = beforeCopiesOf(context);
  const mayBeUndone = isVerified && !undoes && (changed.has("templateId") || changed.has("templateRevision"));
  // Sent along as they are: variables of the platform, or a maximum that is left to the service.
  const needsLive = changed.has("env") || (changed.has("workers") && wanted.workers.max === undefined);
  const live = mayBeUndone || needsLive ? await client.serverless.get(id) : undefined;
  if (mayBeUndone && live !== undefined) beforeCopies.set(id, copiedSettings(live));
  else if (!undoes) beforeCopies.delete(id);
  const env = live && changed.has("env") ? liveEnv(live, wanted.type) : undefined;
  const plain = patchFor(wanted, change, live, await containerPatch(context, wanted, change, env));
  const patch = undoes ? { ...plain, ...beforeCopies.get(id) } : plain;
  return Object.keys(patch).length === 0 ? (live ?? client.serverless.get(id)) : client.serverless.update(id, patch);
}

/** The variables to keep. A load balancer's PORT_HEALTH follows PORT by default: sent along, it would stay behind a new PORT. */
function liveEnv(live: Endpoint, type: Inputs["type"]) {
  const { PORT_HEALTH, ...env } = needed("Endpoint", live, "env");
  const follows = PORT_HEALTH === undefined || (type === "LOAD_BALANCER" && PORT_HEALTH === env.PORT);
  return follows ? env : { ...env, PORT_HEALTH };
}

/** The settings of an endpoint that a template may replace, as a patch that needs no template. */
function copiedSettings({ image, args, disk, ports, env, registry, gpu }: Endpoint): UpdateEndpointRequest {
  const { pools, excludedTypes, count, allowedCudaVersions, minCudaVersion } = gpu ?? {};
  const wholeGpu = { pools, excludedTypes, count, allowedCudaVersions, minCudaVersion: minCudaVersion ?? "" };
  const container = { image, args, disk, ports, env, registry, entrypoint: undefined, cmd: undefined };
  return { ...container, ...(gpu && { gpu: wholeGpu }), templateId: undefined };
}

/** @throws UnprovenError if the job or request of `verify` does not succeed */
async function verified(
  context: Context,
  endpointId: string,
  verify: string | undefined,
  { changed, isSecret }: Proof<Inputs>,
): Promise<void> {
  const keepsWorkers = changed !== undefined && [...changed].every((field) => KEEP_WORKERS.has(field));
  if (verify === undefined || keepsWorkers) return;
  const [what, isHidden] = ["The verification", isSecret("verify")];
  const proof = z.union([requestVerification, jobVerification]).parse(JSON.parse(verify));
  const runProof: () => Promise<unknown> =
    "request" in proof
      ? () => requestGate(context, what, { ...proof.request, address: { endpointId }, secretAnswer: isHidden })
      : () => gate(context, what, { ...proof, endpointId, secretOutput: isHidden });
  try {
    await withWorkers(context, endpointId, undefined, runProof);
  } catch (error) {
    throw new UnprovenError(error);
  }
}

function cpuRules({ id, vcpuCount }: Cpu, index: number, all: readonly Cpu[]): CheckFailure[] {
  const first = all.findIndex((other) => other.id === id && other.vcpuCount === vcpuCount);
  return [
    ...powerOfTwo(`cpu.${index}.vcpuCount`, vcpuCount),
    ...(first < index ? [{ property: `cpu.${index}`, reason: `repeats cpu.${first}; remove one of them` }] : []),
  ];
}

function workerRules({ type, scaling, workers, verify }: Partial<Inputs>): CheckFailure[] {
  const failures: CheckFailure[] = [];
  const proof = verify === undefined ? undefined : parseJson(verify);
  const { data } = requestVerification.safeParse(proof);
  if (type === "LOAD_BALANCER" && proof !== undefined && data === undefined) {
    const reason = "is a job, which a load balancing endpoint does not take: give verify: { request: { path: … } }";
    failures.push({ property: "verify", reason });
  }
  const [mistake] = data === undefined || type === undefined ? [] : requestMistakes(data.request, type);
  if (mistake !== undefined)
    failures.push({ property: "verify", reason: `request.${mistake.property} ${mistake.reason}` });
  if (type === "LOAD_BALANCER" && scaling?.type === "QUEUE_DELAY") {
    failures.push({ property: "scaling.type", reason: 'must be "REQUEST_COUNT" for a load balancing endpoint' });
  }
  if (type === "QUEUE" && scaling?.type === "REQUEST_COUNT" && workers?.idleTimeout !== undefined) {
    failures.push({
      property: "workers.idleTimeout",
      reason: "is not taken by a queue that scales by REQUEST_COUNT; remove it",
    });
  }
  const { min, max = MOST_WORKERS } = workers ?? { min: 0 };
  if (min > max) failures.push({ property: "workers.min", reason: `must not exceed workers.max (${max})` });
  return failures;
}

/**
 * The patch for a change. `workers` and `gpu` are always sent whole. The exclusions are sent with every patch, because
 * the service was seen to drop them when they were left out.
 */
function patchFor(
  wanted: Desired<typeof inputs>,
  change: Change<Inputs>,
  live: Endpoint | undefined,
  container: UpdateEndpointRequest,
): UpdateEndpointRequest {
  const { changed, old } = change;
  const { gpu, workers } = wanted;
  const patch: UpdateEndpointRequest = {
    ...patchOf(wanted, new Set(PATCHED.filter((field) => changed.has(field))), CLEARED),
    ...container,
    ...(changed.has("globalVolumes") && globalMounts(wanted.globalVolumes ?? [])),
    ...(changed.has("workers") && { workers: { max: mostOf(wanted, change, live), ...workers } }),
  };
  if (gpu === undefined) return patch;
  // A template may bring CUDA versions, so the declared ones are sent along.
  if (changed.has("gpu") || appliesTemplate(wanted, changed)) return { ...patch, gpu: wholeGpu(gpu, old.gpu) };
  const { pools, excludedTypes } = gpu;
  return excludedTypes.length === 0 || changed.size === 0 ? patch : { ...patch, gpu: { pools, excludedTypes } };
}

/**
 * The maximum to send. One that was removed from the program returns to its default. One that was never declared may have
 * been lowered below the minimum by the service.
 */
function mostOf(
  { workers }: Desired<typeof inputs>,
  { differences }: Change<Inputs>,
  live: Endpoint | undefined,
): number {
  const withdrawn = differences.some(({ path, next }) => path === "workers.max" && next === undefined);
  const liveMax = live === undefined ? undefined : needed("Endpoint", live, "workers").max;
  return withdrawn ? MOST_WORKERS : Math.max(liveMax ?? 0, workers.min);
}

/** The GPU settings to send. A CUDA choice that was removed is cleared; one that was never made stays the template's. */
function wholeGpu(gpu: NonNullable<Inputs["gpu"]>, old: unknown): UpdateEndpointRequest["gpu"] {
  const before = isRecord(old) && Array.isArray(old.allowedCudaVersions) ? old.allowedCudaVersions : [];
  const cleared = before.length > 0 ? { allowedCudaVersions: [] } : {};
  return { ...cleared, ...gpu, minCudaVersion: gpu.minCudaVersion ?? "" };
}
