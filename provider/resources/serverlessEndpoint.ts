import { z } from "zod";
import type { SaveEndpointInput } from "../client";
import { autoName, type Context, defineResource } from "../lifecycle/definition";
import { duration } from "../lifecycle/duration";
import { computedWhenOmitted, control, replaces, writeOnly } from "../lifecycle/fields";
import type { Properties } from "../lifecycle/values";
import { queueUrls } from "./queueUrls";
import { workersGone, workersReady } from "./workers";

/** Pool ids in order of priority, minus `-<GPU type id>`: spaces around the commas mean nothing. */
const commaList = z.string().regex(/^[^,]+(,[^,]+)*$/, "must be a comma separated list without empty parts");

const inputs = z.strictObject({
  name: autoName(),
  templateId: z.string().min(1),
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
  // GraphQL takes it and does not show it.
  flashBootType: writeOnly(z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]).default("OFF")),
  awaitWorkers: control(z.boolean().optional()),
  createTimeout: control(duration.optional()),
});

const DEFAULT_MAX_WORKERS = 3;
const DEFAULT_CREATE_TIMEOUT = "15m";

/**
 * Serverless endpoint through GraphQL. A save with an id puts back the default of all that it leaves out, so that the
 * whole endpoint is sent every time.
 */
export const serverlessEndpoint = defineResource({
  kind: "ServerlessEndpoint",
  revision: true,
  inputs,
  rules: ({ name, workersMin, workersMax = DEFAULT_MAX_WORKERS, type, scalerType }, isUnknown) => [
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
  settled: ({ path, old, next }) => path === "gpuIds" && sameChoice(old, next),
  create: ({ client }, wanted, naming) => client.endpoints.save(whole(wanted), naming),
  read: ({ client }, id) => client.endpoints.read(id),
  update: ({ client }, id, wanted, { changed, old }) => {
    if (changed.size === 0) return client.endpoints.get(id);
    const recorded = typeof old.workersMax === "number" ? old.workersMax : undefined;
    return client.endpoints.save({ ...whole(wanted, recorded), id });
  },
  ready: async (context, made, wanted) => {
    if (wanted.awaitWorkers && wanted.workersMin > 0) {
      await workersReady(context, made.id, wanted.workersMin, wanted.createTimeout ?? DEFAULT_CREATE_TIMEOUT);
    }
    return made;
  },
  delete: async (context, id, state) => {
    await scaleToZero(context, id, state);
    await context.client.endpoints.delete(id);
  },

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
  }),
  outputs: ({ id, workersMax }, { settings }) => ({ workersMax, requestUrls: queueUrls(settings.serverlessUrl, id) }),
});

type Inputs = z.output<typeof inputs>;

function whole(wanted: Inputs, recordedMax?: number): SaveEndpointInput {
  const { name = "", gpuIds, networkVolumeId = null, workersMax = recordedMax ?? DEFAULT_MAX_WORKERS } = wanted;
  const { awaitWorkers: _, createTimeout: __, templateRevision: ___, ...rest } = wanted;
  return { ...rest, name, gpuIds: parts(gpuIds).join(","), networkVolumeId, workersMax };
}

/** The service refuses to delete an endpoint that has workers or may start some. */
async function scaleToZero(context: Context, id: string, state: Properties): Promise<void> {
  const last = await lastSave(context, id, state);
  if (last.workersMin !== 0 || last.workersMax !== 0) {
    context.log.status(`ServerlessEndpoint ${id}`, "scaling to 0 workers");
    await context.client.endpoints.save({ ...last, id, workersMin: 0, workersMax: 0 });
  }
  await workersGone(context, id);
}

/** The state tells what the endpoint is, unless a drift has left it values that no program may declare. */
async function lastSave({ client }: Context, id: string, state: Properties): Promise<SaveEndpointInput> {
  const recorded = z.object(inputs.shape).safeParse(state);
  if (recorded.success) return whole(recorded.data);
  const { createdAt: _, ...live } = await client.endpoints.get(id);
  return {
    ...live,
    gpuIds: live.gpuIds ?? "",
    templateId: live.templateId ?? "",
    type: live.type ?? "QB",
    gpuCount: live.gpuCount ?? 1,
    locations: live.locations ?? "",
    flashBootType: inputs.shape.flashBootType.catch("OFF").parse(state.flashBootType),
  };
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
