import { z } from "zod";
import type { SavedEndpoint, SaveEndpointInput } from "../client";
import { autoName, defineResource } from "../lifecycle/definition";
import { duration } from "../lifecycle/duration";
import { computedWhenOmitted, control, replaces, writeOnly } from "../lifecycle/fields";
import { deleteEndpoint } from "./deleteEndpoint";
import { queueUrls } from "./queueUrls";
import {
  type Compared,
  comparedWithTemplate,
  isFirstRevision,
  readable,
  templateDifferences,
  templateDrift,
} from "./templateCopy";
import { workersReady } from "./workers";

/** Pool ids in order of priority, minus `-<GPU type id>`: spaces around the commas mean nothing. */
const commaList = z.string().regex(/^[^,]+(,[^,]+)*$/, "must be a comma separated list without empty parts");

const inputs = z.strictObject({
  name: autoName(),
  templateId: z.string().min(1).optional(),
  // A template that is changed reaches no endpoint: a save takes it over, and this asks for one.
  templateRevision: writeOnly(z.int().optional()),
  gpuIds: commaList,
  gpuCount: z.int().min(1).default(1),
  type: replaces(z.enum(["QB", "LB"]).default("QB")),
  locations: z.string().default(""),
  networkVolumeId: z.string().min(1).optional(),
  idleTimeout: z.int().min(1).max(3600).default(10),
  scalerType: z.enum(["QUEUE_DELAY", "REQUEST_COUNT"]).default("QUEUE_DELAY"),
  scalerValue: z.int().min(1).default(4),
  workersMin: z.int().min(0).default(0),
  // The service lowers it after days without requests: left out, that is no drift.
  workersMax: computedWhenOmitted(z.int().min(0).optional()),
  // GraphQL takes it and does not show it; REST shows it.
  flashBootType: z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]).default("OFF"),
  awaitWorkers: control(z.boolean().optional()),
  createTimeout: control(duration.optional()),
});

const DEFAULT_MAX_WORKERS = 3;
const DEFAULT_CREATE_TIMEOUT = "15m";

/**
 * Serverless endpoint through GraphQL. A save with an id puts back the default of all that it leaves out, so that the
 * whole endpoint is sent every time.
 */
export const serverlessEndpoint = defineResource<typeof inputs, LiveEndpoint>({
  kind: "ServerlessEndpoint",
  revision: true,
  inputs,
  rules: ({ name, templateId, workersMin, workersMax = DEFAULT_MAX_WORKERS, type, scalerType }, isUnknown) => [
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
  catalog: ({ gpuIds = "" }) => {
    const pools = parts(gpuIds).filter((part) => !part.startsWith("-"));
    return parts(gpuIds).map((part) =>
      part.startsWith("-") ? { path: "gpuIds", excludedType: part.slice(1), pools } : { path: "gpuIds", pool: part },
    );
  },
  settled: (difference, old) =>
    (difference.path === "gpuIds" && sameChoice(difference.old, difference.next)) || isFirstRevision(difference, old),
  further: templateDifferences,
  create: ({ client }, wanted, naming) => client.endpoints.save(saveInput(wanted), naming),
  read: async (context, id, state): Promise<LiveEndpoint | undefined> => {
    const { client } = context;
    // Container and FlashBoot are shown by REST alone, the template by GraphQL alone.
    const shown = comparedWithTemplate(context, readable(client.serverless.read(id)), state);
    const [saved, { flashboot, outOfDate } = {}] = await Promise.all([client.endpoints.read(id), shown]);
    if (saved === undefined) return undefined;
    return { ...saved, flashboot, ...(saved.templateId === state.templateId && outOfDate && { outOfDate }) };
  },
  update: ({ client }, id, wanted, { changed, old }) => {
    if (changed.size === 0) return client.endpoints.get(id);
    const recorded = typeof old.workersMax === "number" ? old.workersMax : undefined;
    return client.endpoints.save({ ...saveInput(wanted, recorded), id });
  },
  ready: async (context, made, wanted) => {
    if (wanted.awaitWorkers && wanted.workersMin > 0) {
      await workersReady(context, made.id, wanted.workersMin, wanted.createTimeout ?? DEFAULT_CREATE_TIMEOUT);
    }
    return made;
  },
  delete: (context, id, { flashBootType }) =>
    deleteEndpoint(context, id, inputs.shape.flashBootType.catch("OFF").parse(flashBootType)),

  observe: (live, declared) => ({
    name: plainName(live.name, declared.name),
    templateId: live.templateId,
    gpuIds: sameChoice(live.gpuIds, declared.gpuIds) ? declared.gpuIds : live.gpuIds,
    gpuCount: live.gpuCount ?? 1,
    type: live.type ?? "QB",
    locations: live.locations ?? "",
    networkVolumeId: live.networkVolumeId,
    idleTimeout: live.idleTimeout,
    scalerType: live.scalerType,
    scalerValue: live.scalerValue,
    workersMin: live.workersMin,
    workersMax: live.workersMax,
    ...(live.flashboot !== undefined && { flashBootType: live.flashboot }),
  }),
  outputs: (live, context, old) => ({
    workersMax: live.workersMax,
    requestUrls: queueUrls(context.settings.serverlessUrl, live.id),
    ...templateDrift(live, context, old),
  }),
});

/** An endpoint as GraphQL shows it, with what only REST shows where that was read. */
interface LiveEndpoint extends SavedEndpoint, Compared {
  readonly flashboot?: z.output<typeof inputs.shape.flashBootType> | undefined;
}

type Inputs = z.output<typeof inputs>;

/** The whole endpoint, for a save resets what it leaves out. */
function saveInput(wanted: Inputs, recordedMax?: number): SaveEndpointInput {
  const { awaitWorkers: _, createTimeout: __, templateRevision: ___, ...rest } = wanted;
  const { name = "", templateId = "", gpuIds, networkVolumeId = null } = wanted;
  // A maximum that is left to the service may have been lowered below the minimum.
  const workersMax = wanted.workersMax ?? Math.max(recordedMax ?? DEFAULT_MAX_WORKERS, wanted.workersMin);
  return { ...rest, name, templateId, gpuIds: parts(gpuIds).join(","), networkVolumeId, workersMax };
}

function parts(list: string): string[] {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Pools have an order; the types that are taken out of them have none, nor a place among the pools. */
function sameChoice(one: unknown, other: unknown): boolean {
  if (typeof one !== "string" || typeof other !== "string") return false;
  return canonical(one) === canonical(other);
}

function canonical(gpuIds: string): string {
  const all = parts(gpuIds);
  const pools = all.filter((part) => !part.startsWith("-"));
  const exclusions = all.filter((part) => part.startsWith("-"));
  return [...pools, ...exclusions.sort()].join();
}

/** Older clients turned FlashBoot on by a `-fb` behind the name. */
function plainName(live: string, declared: unknown): string {
  const plain = live.replace(/ ?-fb$/, "");
  return plain === declared ? plain : live;
}
