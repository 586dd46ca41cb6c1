import { isDeepStrictEqual } from "node:util";
import { commaParts, countriesIn, globalVolumesOf } from "../../../client";
import { DEFAULT_FLASH_BOOT, DEFAULT_IDLE_TIMEOUT, MOST_WORKERS } from "../../../common/defaults";
import { messageOf } from "../../../common/messageOf";
import { balancerUrlsAt } from "../../../common/presets";
import { queueUrlsAt } from "../../../common/queueUrls";
import { z } from "../../../common/zod";
import { scheduled } from "../../cost/schedule";
import {
  type Change,
  type CheckFailure,
  type Context,
  defineResource,
  type Listed,
  revision,
} from "../../lifecycle/definition";
import { from } from "../../lifecycle/fields/example";
import { type Desired, internal, stable } from "../../lifecycle/fields/fields";
import { containsUnknown } from "../../lifecycle/fields/unknown";
import type { Properties } from "../../lifecycle/fields/values";
import { globalVolumeMistakes, warnAboutGlobalVolume } from "../storage/globalMounts";
import { usersOfTemplate, whileInUse } from "../storage/whileInUse";
import { deleteEndpoint } from "./deleteEndpoint";
import {
  argumentsOf,
  endpointOf,
  inputs,
  type LiveEndpoint,
  leftToService,
  propertyOf,
  sameChoice,
} from "./endpointArguments";
import { reportCountries, requireKeyOfGraphql } from "./needsGraphql";
import { endpointUrls } from "./queueUrls";
import * as templateCopy from "./templateCopy";
import { readable } from "./templateCopy";
import { WorkerNumbers } from "./workerNumbers";
import { flashBoot, warnAboutQuota, workersReady } from "./workers";

const numbers = new WorkerNumbers(inputs, { min: "workersMin", max: "workersMax" });

// A save over GraphQL resets everything that it leaves out, so the client gets the whole endpoint every time, and what changed.
export const serverlessEndpoint = defineResource({
  kind: "ServerlessEndpoint",
  noun: "Endpoint",
  rights: { preview: "read: serverless, templates, graphql", up: "read: serverless, templates; write: graphql" },
  priced: true,
  uses: ["globalVolume", "networkVolume", "template"],
  adoption: { protect: true, idsOfKind: madeFromOwnTemplates, elsewhere: ["Endpoint"] },
  orphans: "named",
  drifted: templateCopy.drifted,
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
    ...templateCopy.outputs,
    boundTemplate: internal(z.string().optional()).describe(
      "The template that GraphQL has bound to it, where it has left that through REST. It is deleted with the endpoint.",
    ),
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
      isRequired: true,
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
    if (failures.length === 0 && isNewWithTemplate) await requireKeyOfGraphql(context);
    return failures;
  },
  differences: (fieldDifferences, old, next, run) => {
    if (typeof old.boundTemplate === "string") run.ledger.ids.binds(old.boundTemplate, String(old.name));
    const open = fieldDifferences.filter(({ path, old, next }) => path !== "gpuIds" || !sameChoice(old, next));
    return numbers.differences(templateCopy.withDifferences(open, old, next, run), next);
  },
  judge: (context, change) => {
    const { templateId } = change.old;
    const deletesTemplate = context.client.endpoints.through() === "rest";
    // A fleet deletes a member before it creates it again, and its check takes what is recorded for settled.
    const [unmakeable] = change.replaces.length > 0 ? outOfRest(context, change.next, {}) : [];
    return {
      ...numbers.judge(context, change),
      ...(unmakeable && { refused: `${unmakeable.property} ${unmakeable.reason}` }),
      ...(deletesTemplate && { loses: `its template ${String(templateId)}, too, where GraphQL has bound that to it` }),
    };
  },
  withDefaults: (declared) =>
    scheduled(declared, { workersMin: declared.workersMin, workersMax: declared.workersMax }, (workers) => workers),
  create: ({ client }, wanted, naming) => client.endpoints.save(endpointOf(wanted), naming),
  // Through REST, because GraphQL lists only the oldest 400.
  list: ({ client }, options) => client.serverless.list(options),
  read: async (context, id, state): Promise<LiveEndpoint | undefined> => {
    const { client } = context;
    // Only REST shows the container, and only GraphQL the template. An older GraphQL does not show FlashBoot.
    const restReading = templateCopy.compare(context, readable(client.serverless.read(id)), state, true);
    const [saved, rest] = await Promise.all([client.endpoints.read(id), restReading]);
    if (saved === undefined) return undefined;
    const { flashboot, outOfDate, requestUrls } = rest ?? {};
    const globalVolumes = rest && globalVolumesOf(rest);
    const { templateId = state.templateId } = saved;
    return {
      ...saved,
      ...((saved.flashboot ?? flashboot) && { flashboot: saved.flashboot ?? flashboot }),
      ...(globalVolumes && { globalVolumes }),
      ...(requestUrls && { requestUrls }),
      ...(templateId === state.templateId && outOfDate && { outOfDate }),
    };
  },
  update: (context, id, wanted, change): Promise<LiveEndpoint> =>
    numbers.updated(context, id, wanted, change, (whole) => saved(context, id, wanted, whole)),
  explain: (context, error, { workersMax = MOST_WORKERS, globalVolumeId }, id) => {
    warnAboutGlobalVolume(context, error, "globalVolumeId", globalVolumeId !== undefined);
    return warnAboutQuota(context, error, workersMax, id);
  },
  ready: async (context, live, { workersMin, type }, controls): Promise<LiveEndpoint> => {
    const { awaitWorkers, createTimeout } = controls;
    if (controls.schedule !== undefined) context.ledger.workers.schedules(live.id);
    if (awaitWorkers && workersMin > 0) await workersReady(context, live.id, workersMin, createTimeout);
    // Only REST shows the addresses of a load balancer.
    const restEndpoint = type === "LB" ? await readable(context.client.serverless.read(live.id)) : undefined;
    return { ...live, requestUrls: restEndpoint?.requestUrls };
  },
  delete: async (context, id, state) => {
    // Of an orphan it is not known what a save would reset. REST deletes it even if it has workers, and cancels their jobs.
    if (Object.keys(state).length === 0) return context.client.serverless.delete(id);
    const { flashBootType, templateId } = state;
    const recorded = {
      flashboot: leftToService.parse({ flashBootType }).flashBootType ?? DEFAULT_FLASH_BOOT,
      templateId: typeof templateId === "string" ? templateId : undefined,
    };
    const deleted = await numbers.deleted(context, id, deleteEndpoint(context, id, recorded));
    await deleteBound(context, state.boundTemplate);
    return deleted;
  },

  observe: argumentsOf,
  computed: (live: LiveEndpoint, context, old) => ({
    workersMax: live.workers?.max,
    flashBootType: live.flashboot,
    requestUrls: addressesOf(live, context.settings.serverlessUrl, old),
    ...templateCopy.driftOutputs(live, context, old),
    boundTemplate: context.client.endpoints.through() === "rest" ? (old.boundTemplate ?? live.leftTemplate) : undefined,
  }),
});

/** The template that had to stay as long as its endpoint, unless the program declares it again. */
async function deleteBound(context: Context, id: unknown): Promise<void> {
  if (typeof id !== "string" || context.ledger.ids.isHeld(id)) return;
  try {
    await whileInUse(context, "Template", id, context.client.templates, usersOfTemplate);
  } catch (error) {
    context.log.warn(`Template ${id}, which had stayed for its endpoint, was not deleted: ${messageOf(error)}`);
  }
}

/** Undefined for a load balancer whose addresses the last answer does not show: then the recorded ones stay. */
function addressesOf({ id, type, requestUrls }: LiveEndpoint, serverlessUrl: string, old: Properties) {
  if (type === undefined ? old.type !== "LB" : type !== "LOAD_BALANCER")
    return queueUrlsAt(`${serverlessUrl}/v2/${id}`);
  return requestUrls ?? (old.revision === undefined ? balancerUrlsAt(serverlessUrl, id) : undefined);
}

async function saved(
  context: Context,
  id: string,
  wanted: Desired<typeof inputs>,
  { changed, old }: Change<z.output<typeof inputs>>,
): Promise<LiveEndpoint> {
  const { client } = context;
  if (changed.size === 0) return client.endpoints.get(id);
  // A value that is no longer declared goes back to its default.
  const recorded = leftToService.parse(old);
  if (changed.has("workersMax")) delete recorded.workersMax;
  if (changed.has("flashBootType")) delete recorded.flashBootType;
  const endpoint = {
    ...endpointOf(wanted, recorded),
    ...(changed.has("models") && { models: wanted.models ?? [] }),
    ...(changed.has("globalVolumeId") && wanted.globalVolumeId === undefined && { globalVolumes: [] }),
    id,
  };
  const names = new Set([...changed].flatMap((name) => propertyOf[name] ?? []));
  const live = await client.endpoints.save(endpoint, { changed: names });
  if (!changed.has("templateId") || client.endpoints.through() !== "rest") return live;
  const left = old.boundTemplate ?? old.templateId;
  if (typeof left === "string") context.ledger.ids.binds(left, wanted.name ?? id);
  return { ...live, ...(typeof old.templateId === "string" && { leftTemplate: old.templateId }) };
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
function outOfRest(context: Context, inputs: Properties, old: Properties): CheckFailure[] {
  const { client } = context;
  const { locations, models, adoptId } = inputs;
  if (client.endpoints.through() === "rest" && Array.isArray(models) && !isDeepStrictEqual(models, old.models ?? [])) {
    const reason =
      "is only known to GraphQL, and serverless endpoints are managed through REST. Leave it out: " +
      (Object.keys(old).length > 0 ? "the endpoint keeps its models" : "a new endpoint can't have any");
    return [{ property: "models", reason }];
  }
  const countries =
    typeof locations === "string" && !containsUnknown(locations) ? countriesIn(commaParts(locations)) : [];
  if (countries.length === 0) return [];
  if (client.endpoints.through() === "graphql") {
    reportCountries(context, String(inputs.name ?? inputs.__logicalName));
    return [];
  }
  if (locations === old.locations || adoptId !== undefined) return [];
  const reason =
    `names countries (${countries.join(", ")}), which only GraphQL has, and serverless endpoints are managed through REST. ` +
    "List data centers instead";
  return [{ property: "locations", reason }];
}

/** Ids of endpoints with GPUs that were made from a template of the account. ServerlessContainer declares all others. */
async function madeFromOwnTemplates({ client }: Context, listed: readonly Listed[]): Promise<ReadonlySet<string>> {
  const templates = new Set((await client.templates.list()).map(({ id }) => id));
  const lookups = listed.map(async (each) => {
    if ("cpu" in each && each.cpu !== undefined) return [];
    const { templateId, networkVolumes = [] } = (await client.endpoints.read(each.id)) ?? {};
    return networkVolumes.length < 2 && typeof templateId === "string" && templates.has(templateId) ? [each.id] : [];
  });
  return new Set((await Promise.all(lookups)).flat());
}
