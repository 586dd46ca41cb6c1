import {
  commaParts,
  countriesIn,
  type Endpoint,
  gpuChoice,
  type SavedEndpoint,
  type SaveEndpointInput,
  withoutFlashBoot,
} from "../../../client";
import { DEFAULT_FLASH_BOOT, DEFAULT_IDLE_TIMEOUT, MOST_WORKERS } from "../../../common/defaults";
import { z } from "../../../common/zod";
import { catalogued } from "../../catalog/catalogued";
import { scheduleField } from "../../cost/schedule";
import {
  autoName,
  control,
  type Desired,
  hint,
  named,
  replaces,
  timeout,
  trigger,
  writeOnly,
} from "../../lifecycle/fields/fields";
import type { Properties } from "../../lifecycle/fields/values";
import type { Compared } from "./templateCopy";
import { flashBoot, mostWorkers, wantedFlashBoot } from "./workers";

/*
 * The arguments of ServerlessEndpoint have the names that the service gave them first. Here they become an endpoint in REST's
 * words, and an endpoint becomes arguments.
 */

/** Pool ids in order of priority, minus `-<GPU type id>`. Spaces around the commas are ignored. */
const commaList = z
  .string(hint((input) => Array.isArray(input) && `must be one string: ${JSON.stringify(input.join(","))}`))
  .regex(/^[^,;]+(,[^,;]+)*$/, {
    error: ({ input }) =>
      String(input).includes(";")
        ? `must have commas between its parts: "${String(input).replaceAll(";", ",")}"`
        : "must be a comma separated list without empty parts",
  });

export const inputs = z.strictObject({
  name: autoName().describe("At least 3 characters; need not be unique. Default: the logical name and a short hash."),
  templateId: catalogued("serverlessTemplate", z.string().min(1).optional()).describe(
    "Id of a serverless template. The `id` of a Template in the same program follows that Template's changes, " +
      "as `template` " +
      "does. A refresh finds a copy that differs from its template, and the next `up` repairs it. Required " +
      "without `template`.",
  ),
  // A change of a template does not reach its endpoints. A change of this number causes a save that copies it again.
  templateRevision: trigger(writeOnly(z.int().optional())).describe(
    "A number whose change copies the template again, such as the template's `revision` from another stack. Default: none.",
  ),
  gpuIds: catalogued("poolList", commaList).describe(
    "GPU pools in order of priority, comma separated, minus single GPU types: `AMPERE_16,-NVIDIA RTX A4500`. A change " +
      "recreates the workers.",
  ),
  gpuCount: z.int().min(1).default(1).describe("GPUs of a worker."),
  type: replaces(named("ServerlessType", z.enum(["QB", "LB"])).default("QB")).describe(
    "Queue (`QB`) or load balancing (`LB`).",
  ),
  locations: catalogued("placeList", z.string().default("")).describe(
    "Where workers may run, country codes or data centers, comma separated; empty: anywhere.",
  ),
  networkVolumeId: catalogued("networkVolume", z.string().min(1).optional(), { locations: "locations" }).describe(
    "Id of a NetworkVolume, which workers find at `/runpod-volume`; restricts them to its data center. Default: none.",
  ),
  globalVolumeId: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Id of a GlobalVolume, which workers find at `/runpod-volume`, wherever they run; not together with `networkVolumeId`. " +
        "Default: none.",
    ),
  idleTimeout: z
    .int()
    .min(1)
    .max(3600)
    .default(DEFAULT_IDLE_TIMEOUT)
    .describe("Seconds that an idle worker stays, 1 to 3600."),
  scalerType: named("ScalerType", z.enum(["QUEUE_DELAY", "REQUEST_COUNT"]))
    .default("QUEUE_DELAY")
    .describe("Whether workers are added by the delay in the queue or by the number of requests."),
  scalerValue: z
    .int()
    .min(1)
    .default(4)
    .describe("Seconds of queue delay, or requests a worker, from which workers are added. At least 1."),
  workersMin: z.int().min(0).default(0).describe("Workers that are always on, and billed."),
  workersMax: mostWorkers,
  schedule: scheduleField,
  // Only GraphQL shows them.
  models: z
    .array(z.string().trim().min(1))
    .optional()
    .describe(
      "Models that are cached on the machines of its workers, as " +
        "`https://huggingface.co/<owner>/<model>:<revision>`. Only through GraphQL. Default: the endpoint's present models.",
    ),
  flashBootType: wantedFlashBoot,
  awaitWorkers: control(z.boolean().default(false)).describe(
    "Whether a run waits until `workersMin` workers are ready.",
  ),
  createTimeout: timeout("15m").describe('How long it waits, such as "90s" or "15m".'),
});

type Arguments = Desired<typeof inputs>;

/** An endpoint as either interface shows it, and how its container differs from its template. */
export type LiveEndpoint = SavedEndpoint &
  Compared &
  Partial<Pick<Endpoint, "requestUrls">> & {
    /** The template that this update has left through REST. */
    readonly leftTemplate?: string;
  };

/** The property of an endpoint that an argument sets. */
export const propertyOf: Readonly<Partial<Record<string, keyof SaveEndpointInput>>> = {
  name: "name",
  templateId: "templateId",
  // The template's settings are copied again.
  templateRevision: "templateId",
  gpuIds: "gpu",
  gpuCount: "gpu",
  locations: "dataCenterIds",
  networkVolumeId: "networkVolumes",
  globalVolumeId: "globalVolumes",
  idleTimeout: "workers",
  workersMin: "workers",
  workersMax: "workers",
  scalerType: "scaling",
  scalerValue: "scaling",
  models: "models",
  flashBootType: "flashboot",
};

/** Recorded values that a program may leave to the service. A value in another form is left out. */
export const leftToService = z.object({
  workersMax: z.number().optional().catch(undefined),
  flashBootType: flashBoot.optional().catch(undefined),
});

/** The whole endpoint, because a save over GraphQL resets what it leaves out. */
export function endpointOf(wanted: Arguments, recorded: z.output<typeof leftToService> = {}): SaveEndpointInput {
  const { name = "", templateId = "", networkVolumeId, globalVolumeId, models, scalerValue, workersMin: min } = wanted;
  return {
    name,
    templateId,
    type: wanted.type === "LB" ? "LOAD_BALANCER" : "QUEUE",
    gpu: { ...gpuChoice(wanted.gpuIds), count: wanted.gpuCount },
    workers: {
      min,
      // The service may have lowered an undeclared maximum below the minimum.
      max: wanted.workersMax ?? Math.max(recorded.workersMax ?? MOST_WORKERS, min),
      idleTimeout: wanted.idleTimeout,
    },
    scaling:
      wanted.scalerType === "QUEUE_DELAY"
        ? { type: "QUEUE_DELAY", queueDelay: scalerValue }
        : { type: "REQUEST_COUNT", requestCount: scalerValue },
    dataCenterIds: commaParts(wanted.locations),
    networkVolumes: networkVolumeId === undefined ? [] : [networkVolumeId],
    ...(globalVolumeId !== undefined && { globalVolumes: [globalVolumeId] }),
    flashboot: wanted.flashBootType ?? recorded.flashBootType ?? DEFAULT_FLASH_BOOT,
    ...(models !== undefined && { models }),
  };
}

/** The arguments that would declare a live endpoint. One that its interface does not show is left out. */
export function argumentsOf(live: LiveEndpoint, declared: Properties) {
  const { name, gpu, type, scaling, workers, networkVolumes, globalVolumes, flashboot } = live;
  const scalerValue = scaling && ("queueDelay" in scaling ? scaling.queueDelay : requestsIn(scaling));
  return {
    name: name === undefined ? declared.name : plainName(name, declared.name),
    ...templateOf(live, declared),
    // A copy without differences is up to date with every revision of its template.
    ...(live.outOfDate?.length === 0 && { templateRevision: declared.templateRevision }),
    gpuIds: gpu && choiceOf(gpu, declared.gpuIds, live.throughRest),
    gpuCount: gpu?.count ?? 1,
    type: type === undefined ? (declared.type ?? "QB") : type === "LOAD_BALANCER" ? "LB" : "QB",
    ...placesOf(live, declared),
    networkVolumeId: networkVolumes && (networkVolumes.join() || null),
    ...(globalVolumes !== undefined && { globalVolumeId: globalVolumes[0] }),
    idleTimeout: workers?.idleTimeout ?? declared.idleTimeout,
    scalerType: scaling?.type,
    // REST's delay may be a fraction.
    scalerValue: scalerValue && Math.ceil(scalerValue),
    workersMin: workers?.min,
    workersMax: workers?.max,
    ...modelsOf(live, declared),
    ...(flashboot !== undefined && { flashBootType: flashboot }),
  };
}

const requestsIn = (scaling: NonNullable<SavedEndpoint["scaling"]>) =>
  "requestCount" in scaling ? scaling.requestCount : undefined;

/** The declared choice of GPUs if it is the live one. REST does not promise to show pools in their order. */
function choiceOf(
  { pools = [], excludedTypes = [] }: NonNullable<SavedEndpoint["gpu"]>,
  declared: unknown,
  anyOrder = false,
) {
  const live = [...pools, ...excludedTypes.map((type) => `-${type}`)].join(",");
  return sameChoice(live, declared, anyOrder) ? declared : live;
}

/** Whether two choices of GPUs are the same. Excluded types have no order, and may stand anywhere among the pools. */
export function sameChoice(one: unknown, other: unknown, anyOrder = false): boolean {
  if (typeof one !== "string" || typeof other !== "string") return false;
  return canonical(one, anyOrder) === canonical(other, anyOrder);
}

function canonical(gpuIds: string, anyOrder: boolean): string {
  const { pools, excludedTypes } = gpuChoice(gpuIds);
  return [(anyOrder ? pools.sort() : pools).join(), excludedTypes.sort().join()].join("-");
}

/**
 * The template of an endpoint. REST does not show it. Before an adoption, only a copy without differences is known to
 * come from the declared template. Any other endpoint gets the template's settings.
 */
function templateOf({ templateId, outOfDate }: LiveEndpoint, declared: Properties) {
  if (templateId !== undefined) return { templateId };
  const isRecorded = declared.revision !== undefined;
  return isRecorded || outOfDate?.length === 0 ? {} : { templateId: undefined };
}

/** The places of an endpoint, which have no order. REST can't show whether declared countries still apply. */
function placesOf({ throughRest, dataCenterIds = [] }: LiveEndpoint, { locations }: Properties) {
  const before = typeof locations === "string" ? commaParts(locations) : undefined;
  if (throughRest === true && before !== undefined && countriesIn(before).length > 0) return {};
  const isSame = before !== undefined && before.sort().join() === dataCenterIds.toSorted().join();
  return { locations: isSame ? locations : dataCenterIds.join(",") };
}

/** Only GraphQL shows them. An endpoint without any has none to declare. */
function modelsOf({ models: live }: LiveEndpoint, { models: declared }: Properties) {
  if (live === undefined) return {};
  if (Array.isArray(declared)) return { models: sameModels(live, declared) ? declared : live };
  return live.length > 0 ? { models: live } : {};
}

function plainName(live: string, declared: unknown): string {
  const plain = withoutFlashBoot(live);
  return plain === declared ? plain : live;
}

const COMMIT = /^[0-9a-f]{40}$/;

/**
 * Whether the models that the service shows are the declared ones, in any order. It shows the commit that a branch or a tag
 * named when it was sent: which commit that was is not known here, so any will do.
 */
export function sameModels(live: readonly string[], declared: readonly unknown[]): boolean {
  const wanted = declared.map(String).map(parsed).sort(byReference);
  const liveModels = live.map(parsed).sort(byReference);
  if (wanted.length !== liveModels.length) return false;
  return wanted.every(({ model, revision }, at) => {
    const liveModel = liveModels[at];
    if (liveModel?.model !== model) return false;
    return (
      liveModel.revision === revision ||
      liveModel.revision === undefined ||
      (COMMIT.test(liveModel.revision) && !COMMIT.test(revision ?? ""))
    );
  });
}

interface Model {
  /** The case of an address and of the names in it tells no two models apart. */
  readonly model: string;
  readonly revision: string | undefined;
}

function parsed(reference: string): Model {
  const [, model = reference, revision] = /^(.*[^:/]):([^:/]+)$/.exec(reference) ?? [];
  return { model: model.toLowerCase().replace(/\/$/, ""), revision };
}

/** By revision as well: an endpoint may cache two commits of a model. */
const byReference = (one: Model, other: Model) => (keyOf(one) < keyOf(other) ? -1 : 1);

const keyOf = ({ model, revision = "" }: Model): string => `${model}:${revision}`;
