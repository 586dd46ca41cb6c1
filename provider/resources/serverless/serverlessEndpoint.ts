import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  countriesIn,
  type Endpoint,
  type SavedEndpoint,
  type SaveEndpointInput,
  withoutFlashBoot,
} from "../../../client";
import { DEFAULT_FLASH_BOOT, DEFAULT_IDLE_TIMEOUT, MOST_WORKERS } from "../../../common/defaults";
import { balancerUrlsAt } from "../../../common/presets";
import { queueUrlsAt } from "../../../common/queueUrls";
import { scheduled, scheduleField } from "../../cost/schedule";
import {
  type Change,
  type CheckFailure,
  type Context,
  defineResource,
  type Listed,
  revision,
} from "../../lifecycle/definition";
import { from } from "../../lifecycle/fields/example";
import {
  autoName,
  catalogued,
  control,
  type Desired,
  named,
  replaces,
  stable,
  timeout,
  trigger,
  writeOnly,
} from "../../lifecycle/fields/fields";
import { containsUnknown } from "../../lifecycle/fields/unknown";
import { commaParts, type Properties } from "../../lifecycle/fields/values";
import { globalVolumeMistakes, tellOfGlobalVolume } from "../storage/globalMounts";
import { deleteEndpoint } from "./deleteEndpoint";
import { sameModels } from "./models";
import { requireKeyOfGraphql, tellOfCountries } from "./needsGraphql";
import { endpointUrls } from "./queueUrls";
import { warnAboutQuota } from "./quotaRefusal";
import {
  type Compared,
  comparedWithTemplate,
  driftedFromTemplate,
  driftFromTemplate,
  readable,
  templateDriftOutputs,
  withTemplateDifferences,
} from "./templateCopy";
import { WorkerNumbers } from "./workerNumbers";
import { flashBoot, mostWorkers, wantedFlashBoot, workersReady } from "./workers";

/** Pool ids in order of priority, minus `-<GPU type id>`. Spaces around the commas are ignored. */
const commaList = z.string().regex(/^[^,]+(,[^,]+)*$/, "must be a comma separated list without empty parts");

const inputs = z.strictObject({
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

const numbers = new WorkerNumbers(inputs, { min: "workersMin", max: "workersMax" });

// Endpoints are saved through GraphQL or REST. A save through GraphQL resets everything that it leaves out, so the whole
// endpoint is sent every time. REST gets only what changed, and lacks some settings: see client/rest/endpointMapping.ts.
export const serverlessEndpoint = defineResource({
  kind: "ServerlessEndpoint",
  noun: "Endpoint",
  rights: { preview: "read: serverless, templates, graphql", up: "read: serverless, templates; write: graphql" },
  priced: true,
  uses: ["globalVolume", "networkVolume", "template"],
  adoption: { protect: true, own: madeFromOwnTemplates, elsewhere: ["Endpoint"] },
  orphans: "named",
  drifted: driftedFromTemplate,
  source: { operation: "GraphQL saveEndpoint", page: "serverless/endpoints/endpoint-configurations" },
  description:
    "A serverless endpoint on a template. Workers start and stop with the jobs in its queue. It is scaled to 0 workers " +
    "before it is deleted.\n\n" +
    "CPU workers, images without a template, CUDA versions, several volumes and request timeouts need ServerlessContainer.",
  inputs,
  shows: [
    "name",
    "templateId",
    "gpuIds",
    "gpuCount",
    "type",
    "locations",
    "networkVolumeId",
    "globalVolumeId",
    "idleTimeout",
    "scalerType",
    "scalerValue",
    "workersMin",
  ],
  outputs: z.object({
    workersMax: z.int().describe("Most workers at a time."),
    flashBootType: flashBoot,
    requestUrls: stable(endpointUrls),
    revision: revision("endpoint"),
    ...templateDriftOutputs,
  }),
  examples: [
    {
      title: "A queue that follows its template",
      name: "chat",
      args: {
        templateId: from("template"),
        templateRevision: from("template", "revision"),
        gpuIds: "AMPERE_16,AMPERE_24",
        workersMax: 3,
        idleTimeout: 5,
      },
    },
  ],

  takes: [
    {
      argument: "template",
      byId: "follows",
      description:
        "A serverless Template, whose changes reach the endpoint in the same run. Give this or `templateId`.",
    },
  ],
  rules: (
    { name, templateId, workersMin, workersMax = MOST_WORKERS, type, scalerType, globalVolumeId, networkVolumeId },
    isUnknown,
  ) => [
    ...globalVolumeMistakes("globalVolumeId", globalVolumeId, { networkVolumes: networkVolumeId !== undefined }),
    ...(templateId === undefined && !isUnknown("templateId")
      ? [{ property: "templateId", reason: "is required: give a serverless Template as template, or its id" }]
      : []),
    ...(name !== undefined && name.length < 3 ? [{ property: "name", reason: "must have at least 3 characters" }] : []),
    ...(workersMin !== undefined && workersMin > workersMax && !isUnknown("workersMax")
      ? [{ property: "workersMin", reason: `must not exceed workersMax (${workersMax})` }]
      : []),
    ...(type === "LB" && scalerType === "QUEUE_DELAY"
      ? [{ property: "scalerType", reason: 'must be "REQUEST_COUNT" for a load balancing endpoint (type "LB")' }]
      : []),
  ],
  check: async (context, inputs, old) => {
    reportScaledToZero(context, inputs, old);
    const failures = outOfRest(context, inputs, old);
    // Only a preview does not know it: the template would be made first, over REST.
    const isNewWithTemplate = Object.keys(old).length === 0 && containsUnknown(inputs.templateId);
    if (failures.length === 0 && isNewWithTemplate) await requireKeyOfGraphql(context.client);
    return failures;
  },
  differences: (shown, old, next) => {
    const open = shown.filter(({ path, old, next }) => path !== "gpuIds" || !sameChoice(old, next));
    return numbers.differences(withTemplateDifferences(open, old, next), next);
  },
  judge: (context, change) => {
    const { templateId } = change.old;
    const isTakenAlong = context.client.endpoints.through() === "rest";
    return {
      ...numbers.judge(context, change),
      ...(isTakenAlong && { loses: `its template ${String(templateId)}, too, where GraphQL has bound that to it` }),
    };
  },
  withDefaults: (given) =>
    scheduled(given, { workersMin: given.workersMin, workersMax: given.workersMax }, (workers) => workers),
  create: ({ client }, wanted, naming) => client.endpoints.save(saveInput(wanted), naming),
  // Through REST, because GraphQL lists only the oldest 400.
  list: ({ client }, options) => client.serverless.list(options),
  read: async (context, id, state): Promise<LiveEndpoint | undefined> => {
    const { client } = context;
    // Only REST shows the container, and only GraphQL the template. An older GraphQL does not show FlashBoot.
    const shown = comparedWithTemplate(context, readable(client.serverless.read(id)), state, true);
    const [saved, { flashboot, outOfDate, globalVolumes, requestUrls } = {}] = await Promise.all([
      client.endpoints.read(id),
      shown,
    ]);
    if (saved === undefined) return undefined;
    const { templateId = state.templateId } = saved;
    return {
      ...saved,
      flashBootType: saved.flashBootType ?? flashboot,
      ...(globalVolumes && { globalVolumes }),
      ...(requestUrls && { requestUrls }),
      ...(templateId === state.templateId && outOfDate && { outOfDate }),
    };
  },
  update: (context, id, wanted, change): Promise<LiveEndpoint> =>
    numbers.updated(context, id, wanted, change, (whole) => saved(context, id, wanted, whole)),
  explain: (context, error, { workersMax = MOST_WORKERS, globalVolumeId }, id) => {
    tellOfGlobalVolume(context, error, "globalVolumeId", globalVolumeId !== undefined);
    return warnAboutQuota(context, error, workersMax, id);
  },
  ready: async (context, made, { workersMin, type }, controls): Promise<LiveEndpoint> => {
    const { awaitWorkers, createTimeout } = controls;
    numbers.noteSchedule(context, made.id, controls);
    if (awaitWorkers && workersMin > 0) await workersReady(context, made.id, workersMin, createTimeout);
    // Only REST shows the addresses of a load balancer.
    const shown = type === "LB" ? await readable(context.client.serverless.read(made.id)) : undefined;
    return { ...made, type, requestUrls: shown?.requestUrls };
  },
  delete: (context, id, state) => {
    // Of an orphan it is not known what a save would reset. REST deletes it even if it has workers, and cancels their jobs.
    if (Object.keys(state).length === 0) return context.client.serverless.delete(id);
    const { flashBootType, templateId } = state;
    const recorded = {
      flashBootType: leftToService.parse({ flashBootType }).flashBootType ?? DEFAULT_FLASH_BOOT,
      templateId: typeof templateId === "string" ? templateId : undefined,
    };
    return numbers.deleted(context, id, deleteEndpoint(context, id, recorded));
  },

  observe: (live: LiveEndpoint, declared) => ({
    name: live.name === undefined ? declared.name : plainName(live.name, declared.name),
    ...templateOf(live, declared),
    // A copy without differences is up to date with every revision of its template.
    ...(live.outOfDate?.length === 0 && { templateRevision: declared.templateRevision }),
    gpuIds: sameChoice(live.gpuIds, declared.gpuIds, live.throughRest) ? declared.gpuIds : live.gpuIds,
    gpuCount: live.gpuCount ?? 1,
    type: live.type ?? declared.type ?? "QB",
    ...placesOf(live, declared),
    networkVolumeId: live.networkVolumeId,
    ...(live.globalVolumes !== undefined && { globalVolumeId: live.globalVolumes[0] }),
    idleTimeout: live.idleTimeout ?? declared.idleTimeout,
    scalerType: live.scalerType,
    scalerValue: live.scalerValue,
    workersMin: live.workersMin,
    workersMax: live.workersMax,
    ...modelsOf(live, declared),
    ...(live.flashBootType != null && { flashBootType: live.flashBootType }),
  }),
  computed: (live: LiveEndpoint, context, old) => ({
    workersMax: live.workersMax,
    flashBootType: live.flashBootType ?? undefined,
    requestUrls: addressesOf(live, context.settings.serverlessUrl, old),
    ...driftFromTemplate(live, context, old),
  }),
});

/** An endpoint as GraphQL shows it, and how its container differs from its template. */
export type LiveEndpoint = SavedEndpoint & Compared & Partial<Pick<Endpoint, "requestUrls">>;

/** Undefined for a load balancer whose addresses the last answer does not show: then the recorded ones stay. */
function addressesOf({ id, type, requestUrls }: LiveEndpoint, serverlessUrl: string, old: Properties) {
  if ((type ?? old.type) !== "LB") return queueUrlsAt(`${serverlessUrl}/v2/${id}`);
  return requestUrls ?? (old.revision === undefined ? balancerUrlsAt(serverlessUrl, id) : undefined);
}

/** Recorded values that a program may leave to the service. A value in another form is left out. */
const leftToService = z.object({
  workersMax: z.number().optional().catch(undefined),
  flashBootType: flashBoot.optional().catch(undefined),
});

async function saved(
  { client }: Context,
  id: string,
  wanted: Desired<typeof inputs>,
  { changed, old }: Change<z.output<typeof inputs>>,
): Promise<LiveEndpoint> {
  if (changed.size === 0) return client.endpoints.get(id);
  // A value that is no longer declared goes back to its default.
  const kept = leftToService.parse(old);
  if (changed.has("workersMax")) delete kept.workersMax;
  if (changed.has("flashBootType")) delete kept.flashBootType;
  const withdrawn = {
    ...(changed.has("models") && wanted.models === undefined && { modelReferences: [] }),
    ...(changed.has("globalVolumeId") && wanted.globalVolumeId === undefined && { volumes: [] }),
  };
  const fields = new Set<string>(changed);
  if (fields.delete("globalVolumeId")) fields.add("volumes");
  // The template's settings are copied again.
  if (fields.delete("templateRevision")) fields.add("templateId");
  return client.endpoints.save({ ...saveInput(wanted, kept), ...withdrawn, id }, { changed: fields });
}

/** The input of a save. It has the whole endpoint, because a save resets what it leaves out. */
function saveInput(wanted: Desired<typeof inputs>, recorded: z.output<typeof leftToService> = {}): SaveEndpointInput {
  const flashBootType = wanted.flashBootType ?? recorded.flashBootType ?? DEFAULT_FLASH_BOOT;
  const { models, globalVolumeId, ...others } = wanted;
  const { name = "", templateId = "", gpuIds, networkVolumeId = null, workersMin } = others;
  // The service may have lowered an undeclared maximum below the minimum.
  const workersMax = wanted.workersMax ?? Math.max(recorded.workersMax ?? MOST_WORKERS, workersMin);
  return {
    ...others,
    ...(models !== undefined && { modelReferences: models }),
    ...(globalVolumeId !== undefined && {
      volumes: [{ volumeId: globalVolumeId, volumeType: "OBJECT_STORE_VOLUME" as const }],
    }),
    name,
    templateId,
    gpuIds: commaParts(gpuIds).join(","),
    networkVolumeId,
    workersMax,
    flashBootType,
  };
}

/**
 * Whether two choices of GPUs are the same. Pools have an order, which REST does not promise to show. Excluded types have
 * no order, and may stand anywhere among the pools.
 */
function sameChoice(one: unknown, other: unknown, anyOrder = false): boolean {
  if (typeof one !== "string" || typeof other !== "string") return false;
  return canonical(one, anyOrder) === canonical(other, anyOrder);
}

function canonical(gpuIds: string, anyOrder: boolean): string {
  const all = commaParts(gpuIds);
  const pools = all.filter((part) => !part.startsWith("-"));
  const exclusions = all.filter((part) => part.startsWith("-"));
  return [...(anyOrder ? pools.sort() : pools), ...exclusions.sort()].join();
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
function placesOf({ throughRest, locations }: LiveEndpoint, declared: Properties) {
  const before = typeof declared.locations === "string" ? declared.locations : undefined;
  if (throughRest === true && before !== undefined && countriesIn(before).length > 0) return {};
  const shown = locations ?? "";
  const isSame = before !== undefined && commaParts(before).sort().join() === commaParts(shown).sort().join();
  return { locations: isSame ? before : shown };
}

/** Only GraphQL shows them. An endpoint without any has none to declare. */
function modelsOf({ modelReferences: shown }: LiveEndpoint, { models: declared }: Properties) {
  if (!Array.isArray(shown)) return {};
  if (Array.isArray(declared)) return { models: sameModels(shown, declared) ? declared : shown };
  return shown.length > 0 ? { models: shown } : {};
}

/** Reports where a change through REST has another effect than through GraphQL. */
function reportScaledToZero({ client, log }: Context, inputs: Properties, old: Properties): void {
  if (client.endpoints.through() !== "rest") return;
  const subject = `ServerlessEndpoint "${inputs.name ?? inputs.__logicalName}"`;
  const { type, scalerType, idleTimeout = DEFAULT_IDLE_TIMEOUT, templateId } = inputs;
  const isChanged = idleTimeout !== (old.idleTimeout ?? DEFAULT_IDLE_TIMEOUT);
  if (isChanged && type !== "LB" && scalerType === "REQUEST_COUNT") {
    log.info(
      `${subject}: idleTimeout has no effect. Endpoints are managed through REST, which takes none for a queue that scales by requests.`,
    );
  }
  if (typeof old.templateId === "string" && templateId !== old.templateId) {
    log.warn(
      `${subject}: the settings of its new template are copied, because endpoints are managed through REST. That may change the template ` +
        `that it is bound to (${old.templateId}), and its other users. Run \`pulumi up --refresh\` afterwards.`,
    );
  }
}

/**
 * Mistakes for settings that only GraphQL has. Through REST these are errors. Through GraphQL they work, and a message
 * says that GraphQL will end.
 */
function outOfRest({ client, log }: Context, inputs: Properties, old: Properties): CheckFailure[] {
  const { locations, models, adoptId } = inputs;
  if (client.endpoints.through() === "rest" && Array.isArray(models) && !isDeepStrictEqual(models, old.models ?? [])) {
    const reason =
      "is only known to GraphQL, and serverless endpoints are managed through REST. Leave it out: the endpoint keeps its models";
    return [{ property: "models", reason }];
  }
  const countries = typeof locations === "string" && !containsUnknown(locations) ? countriesIn(locations) : [];
  if (countries.length === 0) return [];
  if (client.endpoints.through() === "graphql") {
    tellOfCountries(log, String(inputs.name ?? inputs.__logicalName));
    return [];
  }
  if (locations === old.locations || adoptId !== undefined) return [];
  const reason =
    `names countries (${countries.join(", ")}), which only GraphQL has, and serverless endpoints are managed through REST. ` +
    "List data centers instead";
  return [{ property: "locations", reason }];
}

function plainName(live: string, declared: unknown): string {
  const plain = withoutFlashBoot(live);
  return plain === declared ? plain : live;
}

/** Ids of endpoints with GPUs that were made from a template of the account. ServerlessContainer declares all others. */
async function madeFromOwnTemplates({ client }: Context, listed: readonly Listed[]): Promise<ReadonlySet<string>> {
  const templates = new Set((await client.templates.list()).map(({ id }) => id));
  const made = listed.map(async (each) => {
    if ("cpu" in each && each.cpu !== undefined) return [];
    const { templateId } = (await client.endpoints.read(each.id)) ?? {};
    return typeof templateId === "string" && templates.has(templateId) ? [each.id] : [];
  });
  return new Set((await Promise.all(made)).flat());
}
