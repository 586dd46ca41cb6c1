import { z } from "../../common/zod";
import type { EndpointFields } from "../rest/endpoints";
import { open } from "../schemas/common";
import { type SavedEndpoint, SaveEndpointInput } from "../schemas/savedEndpoints";
import { commaParts, gpuChoice } from "../values/endpointTexts";
import { checkedRequest } from "../values/request";
import type { Tolerant } from "../values/tolerant";

export const KIND = "Endpoint";

/** A serverless endpoint as GraphQL shows it. */
export const ShownEndpoint = z.object({
  id: z.string(),
  name: z.string(),
  gpuIds: z.string().nullable(),
  templateId: z.string().nullable(),
  type: open(["QB", "LB"]).nullish(),
  gpuCount: z.int().nullish(),
  idleTimeout: z.int(),
  locations: z.string().nullable(),
  networkVolumeId: z.string().nullable(),
  scalerType: open(["QUEUE_DELAY", "REQUEST_COUNT"]),
  scalerValue: z.int(),
  workersMin: z.int(),
  workersMax: z.int(),
  createdAt: z.string().nullish(),
  modelReferences: z.array(z.string()).nullish(),
  /** These two are absent in the answer to a save, and where the service does not show them. */
  networkVolumeIds: z.array(z.object({ networkVolumeId: z.string() })).nullish(),
  flashBootType: z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]).nullish(),
});
export type ShownEndpoint = Tolerant<z.infer<typeof ShownEndpoint>>;

const types = { QUEUE: "QB", LOAD_BALANCER: "LB" } as const;
const typeNames: Readonly<Record<string, string>> = { QB: "QUEUE", LB: "LOAD_BALANCER" };

/** What `saveEndpoint` sets where an input leaves it out. */
const DEFAULTS = {
  gpu: { pools: [], count: 1 },
  workers: { min: 0, max: 0, idleTimeout: 10 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};

export type EndpointInput = ReturnType<typeof inputOf>;

/**
 * The input of `saveEndpoint`. With an id, it replaces the whole endpoint: what is left out is reset, except models and volumes.
 *
 * @throws UsageError for a missing or unknown field, or one of the wrong type
 */
export function inputOf(fields: EndpointFields, id?: string) {
  const { name, type, templateId, gpu, workers, scaling, ...input } = checkedRequest(SaveEndpointInput, fields, KIND);
  return {
    ...(id !== undefined && { id }),
    name,
    templateId,
    gpuIds: [...gpu.pools, ...(gpu.excludedTypes ?? []).map((excluded) => `-${excluded}`)].join(","),
    gpuCount: gpu.count,
    type: type in types ? types[type as keyof typeof types] : type,
    locations: input.dataCenterIds.join(","),
    // An empty text, as the service's documents have it: a null may count as left out. Then the list would stay.
    networkVolumeId: input.networkVolumes[0] ?? "",
    networkVolumeIds: input.networkVolumes.map((networkVolumeId) => ({ networkVolumeId })),
    ...(input.globalVolumes && {
      volumes: input.globalVolumes.map((volumeId) => ({ volumeId, volumeType: "OBJECT_STORE_VOLUME" })),
    }),
    idleTimeout: workers.idleTimeout,
    scalerType: scaling.type,
    scalerValue: "queueDelay" in scaling ? Math.ceil(scaling.queueDelay) : scaling.requestCount,
    workersMin: workers.min,
    workersMax: workers.max,
    flashBootType: input.flashboot,
    ...(input.models && { modelReferences: input.models }),
  };
}

/** The same for an endpoint that is deleted next, whatever its answer did not show. */
export function lastInputOf({ id, createdAt: _, throughRest: __, ...live }: SavedEndpoint): EndpointInput {
  const { name = id, type = "QUEUE", templateId, gpu, workers, scaling, flashboot = "OFF", ...fields } = live;
  const { dataCenterIds = [], networkVolumes = [] } = fields;
  const whole = {
    name,
    type,
    templateId: templateId ?? "",
    gpu: { ...DEFAULTS.gpu, ...gpu },
    workers: { ...DEFAULTS.workers, ...workers },
    scaling: scaling ?? DEFAULTS.scaling,
    dataCenterIds,
    networkVolumes,
    flashboot,
  };
  return inputOf(whole, id);
}

/** In REST's words. A field that the answer lacks is undefined. */
export function fromGraphql({ id, name, createdAt, templateId, gpuIds, type, ...more }: ShownEndpoint): SavedEndpoint {
  const { gpuCount, idleTimeout, locations, networkVolumeId, scalerType, scalerValue, modelReferences } = more;
  const volumes = [networkVolumeId, ...(more.networkVolumeIds ?? []).map((each) => each.networkVolumeId)];
  const { pools, excludedTypes } = gpuChoice(gpuIds ?? "");
  const scaling = scalerType === "QUEUE_DELAY" ? { queueDelay: scalerValue } : { requestCount: scalerValue };
  return {
    id,
    name,
    ...(createdAt != null && { createdAt }),
    templateId,
    type: type == null ? undefined : (typeNames[type] ?? type),
    gpu: gpuIds == null ? gpuIds : { pools, ...(excludedTypes.length > 0 && { excludedTypes }), count: gpuCount ?? 1 },
    workers: { min: more.workersMin, max: more.workersMax, idleTimeout },
    scaling: scalerType && { type: scalerType, ...scaling },
    dataCenterIds: locations === undefined ? undefined : commaParts(locations ?? ""),
    networkVolumes: networkVolumeId === undefined ? undefined : [...new Set(volumes.flatMap((id) => id || []))],
    ...(modelReferences != null && { models: modelReferences }),
    ...(more.flashBootType != null && { flashboot: more.flashBootType }),
  };
}
