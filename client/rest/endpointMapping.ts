import { UsageError } from "../errors";
import type { EndpointChange, SavedEndpoint, SaveEndpointInput } from "../schemas/savedEndpoints";
import type { CreateEndpointRequest, Endpoint, UpdateEndpointRequest } from "../schemas/serverless";
import { countriesIn, listed } from "../values/locations";

/*
 * Translates endpoints between the two interfaces: the input of GraphQL's `saveEndpoint` to REST, and REST's answer to
 * GraphQL's fields. docs/service.md lists what REST cannot express.
 */

/** A field of `saveEndpoint`'s input, except the id. */
export type EndpointField = Exclude<keyof SaveEndpointInput, "id">;

/**
 * Each property of REST, with the GraphQL fields that it covers. A property is sent whole if any of its fields has changed:
 * the service does not document how it merges a partial one.
 */
const parts = {
  name: part(["name"], ({ name }) => name),
  // GraphQL links the template. REST copies its settings, so sending it copies them again.
  templateId: part(["templateId"], ({ templateId }) => templateId),
  gpu: part(["gpuIds", "gpuCount"], ({ gpuIds, gpuCount }) => ({ ...choiceIn(gpuIds), count: gpuCount })),
  // `scalerType` decides whether there is an idle timeout.
  workers: part(["workersMin", "workersMax", "idleTimeout", "scalerType"], (input) => ({
    min: input.workersMin,
    max: input.workersMax,
    ...(takesIdleTimeout(input) && input.idleTimeout !== undefined && { idleTimeout: input.idleTimeout }),
  })),
  scaling: part(["scalerType", "scalerValue"], ({ scalerType, scalerValue }) =>
    scalerType === "QUEUE_DELAY"
      ? { type: "QUEUE_DELAY" as const, queueDelay: scalerValue }
      : { type: "REQUEST_COUNT" as const, requestCount: scalerValue },
  ),
  dataCenterIds: part(["locations"], ({ locations }) => dataCentersIn(locations)),
  networkVolumes: part(["networkVolumeId"], ({ networkVolumeId: id }) => (id === null ? [] : [id])),
  globalVolumes: part(["volumes"], ({ volumes = [] }) => volumes.map(({ volumeId }) => volumeId)),
  flashboot: part(["flashBootType"], ({ flashBootType }) => flashBootType),
};

function part<Value>(fields: readonly EndpointField[], toRest: (input: EndpointChange) => Value) {
  return { fields, toRest };
}

/** @throws UsageError for what REST cannot express */
export function createBody(input: SaveEndpointInput): CreateEndpointRequest {
  refuseModels(input);
  return {
    name: input.name,
    type: input.type === "LB" ? "LOAD_BALANCER" : "QUEUE",
    templateId: input.templateId,
    gpu: parts.gpu.toRest(input),
    workers: parts.workers.toRest(input),
    scaling: parts.scaling.toRest(input),
    dataCenterIds: parts.dataCenterIds.toRest(input),
    networkVolumes: parts.networkVolumes.toRest(input),
    // An older service refuses the property.
    ...(input.volumes !== undefined && { globalVolumes: parts.globalVolumes.toRest(input) }),
    flashboot: input.flashBootType,
    // No limit, as in GraphQL.
    timeout: 0,
  };
}

/**
 * The patch for the changed fields; empty if REST has none of them.
 *
 * @throws UsageError for what REST cannot express
 */
export function patchBody(input: EndpointChange, changed: ReadonlySet<string>): UpdateEndpointRequest {
  if (changed.has("models")) refuseModels(input);
  const names = Object.keys(parts) as (keyof typeof parts)[];
  const patch: UpdateEndpointRequest = Object.fromEntries(
    names
      .filter((name) => parts[name].fields.some((field) => changed.has(field)))
      .map((name) => [name, parts[name].toRest(input)]),
  );
  const { pools, excludedTypes } = choiceIn(input.gpuIds);
  // A patch without `excludedTypes` was seen to drop them, so every patch repeats them.
  if (patch.gpu !== undefined || excludedTypes.length === 0 || Object.keys(patch).length === 0) return patch;
  return { ...patch, gpu: { pools, excludedTypes } };
}

function refuseModels({ modelReferences = [] }: EndpointChange): void {
  if (modelReferences.length === 0) return;
  throw new UsageError(
    "modelReferences: only GraphQL has cached models. Leave them out, or keep endpoints through GraphQL.",
  );
}

/** REST's answer in GraphQL's fields. A field that REST does not show is undefined. */
export function shownByRest({ id, name, createdAt, ...shown }: Endpoint): SavedEndpoint {
  const { type, requestUrls, gpu, workers, scaling, dataCenterIds, networkVolumes, globalVolumes, flashboot } = shown;
  return {
    id,
    name,
    createdAt,
    throughRest: true,
    templateId: undefined,
    type: type === undefined ? typeBy(requestUrls) : type === "LOAD_BALANCER" ? "LB" : "QB",
    gpuIds: gpu?.pools && [...gpu.pools, ...(gpu.excludedTypes ?? []).map((each) => `-${each}`)].join(","),
    gpuCount: gpu?.count,
    workersMin: workers?.min,
    workersMax: workers?.max,
    idleTimeout: workers?.idleTimeout,
    scalerType: scaling?.type,
    // GraphQL's value is an integer.
    scalerValue: scaling && ("queueDelay" in scaling ? wholeSeconds(scaling.queueDelay) : requestsIn(scaling)),
    locations: dataCenterIds?.join(","),
    networkVolumeId: networkVolumes && (networkVolumes[0] ?? null),
    flashBootType: flashboot,
    ...(globalVolumes !== undefined && { globalVolumes }),
  };
}

/** REST refuses an idle timeout for a queue that scales by REQUEST_COUNT. */
function takesIdleTimeout({ type, scalerType }: Pick<SaveEndpointInput, "type" | "scalerType">): boolean {
  return type === "LB" || scalerType === "QUEUE_DELAY";
}

function dataCentersIn(locations: string): string[] {
  const countries = countriesIn(locations);
  if (countries.length === 0) return listed(locations);
  throw new UsageError(
    `locations: REST takes data centers, not countries (${countries.join(", ")}). List the data centers instead.`,
  );
}

function choiceIn(gpuIds: string) {
  const entries = listed(gpuIds);
  return {
    pools: entries.filter((entry) => !entry.startsWith("-")),
    excludedTypes: entries.filter((entry) => entry.startsWith("-")).map((entry) => entry.slice(1).trim()),
  };
}

function typeBy(urls: Endpoint["requestUrls"]) {
  if (urls === undefined) return undefined;
  return "base" in urls ? "LB" : "QB";
}

const wholeSeconds = (delay: number | undefined) => delay && Math.ceil(delay);
const requestsIn = (scaling: NonNullable<Endpoint["scaling"]>) =>
  "requestCount" in scaling ? scaling.requestCount : undefined;
