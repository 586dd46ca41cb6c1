import { each, gathered, hasAny } from "../calls/gathered";
import { UsageError } from "../errors";
import { type CallOptions, type Clock, splitOptions } from "../options";
import { Limiter } from "../queue/limiter";
import type { SavedEndpoint } from "../schemas/savedEndpoints";
import type { CreateEndpointRequest, Endpoint, UpdateEndpointRequest } from "../schemas/serverless";
import { countriesIn, globalMounts, globalVolumesOf } from "../values/endpointTexts";
import type { EndpointFields, EndpointInterface } from "./endpoints";
import type { ServerlessCalls } from "./serverless";

/** REST handles one endpoint per call, and a fleet asks for all of them at once. */
const CALLS_AT_ONCE = 8;

/**
 * Serverless endpoints through REST.
 *
 * @param gathers several finds within a moment share one list
 */
export function savedEndpoints(rest: ServerlessCalls, clock: Clock, gathers: boolean): EndpointInterface {
  const limiter = new Limiter(clock, { concurrent: CALLS_AT_ONCE, per10s: Infinity });
  const inTurn = async <T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const permit = await limiter.enter(signal);
    try {
      return await call();
    } finally {
      permit.done();
    }
  };
  const findAlone = (id: string, options?: CallOptions) => inTurn(() => rest.find(id, options), options?.signal);
  const findTogether = async (ids: readonly string[]) => {
    const listed = new Map((await rest.list()).map((endpoint) => [endpoint.id, endpoint]));
    // Only a read by id can say that an endpoint is deleted.
    return each(ids, async (id) => listed.get(id) ?? findAlone(id));
  };
  const findGathered = gathered<string, Endpoint | undefined>(Infinity, findTogether, findAlone);
  const patch = async (id: string, body: UpdateEndpointRequest, options: CallOptions) => {
    const isEmpty = Object.keys(body).length === 0;
    return fromRest(
      await inTurn(() => (isEmpty ? rest.get(id, options) : rest.update(id, body, options)), options.signal),
    );
  };
  const ifThere = (endpoint: Endpoint | undefined) => endpoint && fromRest(endpoint);
  return {
    list: async (options) => (await rest.list(options)).map(fromRest),
    find: async (id, options) =>
      ifThere(await (gathers && !hasAny(options) ? findGathered(id) : findAlone(id, options))),
    read: async (id, options) => ifThere(await rest.read(id, options)),
    create: async (input, options) => {
      const body = createBody(input);
      return fromRest(await inTurn(() => rest.create(body, options), options.signal));
    },
    replace: (id, input, { changed, ...more }) => patch(id, patchOf(input, changed), splitOptions(more).options),
    delete: async (id, { idle, scaledDown, ...options }) => {
      if (scaledDown !== undefined) await patch(id, patchOf(scaledDown, new Set(["workers"])), options);
      await idle?.();
      await inTurn(() => rest.delete(id, options), options.signal);
    },
  };
}

/** An endpoint, with `throughRest`: REST shows neither template nor models. */
export function fromRest({ id, name, createdAt, ...endpoint }: Endpoint): SavedEndpoint {
  const { requestUrls, gpu, workers, scaling, dataCenterIds, networkVolumes, flashboot } = endpoint;
  const globalVolumes = globalVolumesOf(endpoint);
  const typeByUrls = requestUrls && ("base" in requestUrls ? "LOAD_BALANCER" : "QUEUE");
  const { type = typeByUrls } = endpoint;
  return {
    id,
    name,
    type,
    workers,
    scaling,
    dataCenterIds,
    networkVolumes,
    flashboot,
    createdAt,
    gpu: gpu && { pools: gpu.pools, excludedTypes: gpu.excludedTypes, count: gpu.count },
    ...(globalVolumes && { globalVolumes }),
    throughRest: true,
  };
}

/** A property is sent whole when it has changed: the service does not document how it merges a partial one. */
const PATCHED = ["name", "templateId", "dataCenterIds", "networkVolumes", "flashboot"] as const;

/** @throws UsageError for what only GraphQL has */
function createBody({ models = [], type, globalVolumes, ...input }: EndpointFields) {
  refuseModels(models);
  refuseCountries(input);
  // The operation checks it. No time limit, as over GraphQL.
  return {
    ...input,
    ...globalMounts(globalVolumes),
    type: type === "LOAD_BALANCER" ? type : "QUEUE",
    workers: workersOf({ ...input, type }),
    timeout: 0,
  } as CreateEndpointRequest;
}

/**
 * The patch for the changed fields; empty if REST has none of them.
 *
 * @throws UsageError for what only GraphQL has
 */
function patchOf(input: EndpointFields, changed: ReadonlySet<string> = new Set(Object.keys(input))) {
  if (changed.has("models")) refuseModels(input.models);
  if (changed.has("dataCenterIds")) refuseCountries(input);
  const { gpu, scaling } = input;
  const patch = {
    ...Object.fromEntries(PATCHED.filter((name) => changed.has(name)).map((name) => [name, input[name]])),
    ...(changed.has("globalVolumes") && globalMounts(input.globalVolumes)),
    ...(changed.has("gpu") && gpu != null && { gpu }),
    ...(changed.has("scaling") && { scaling }),
    // How it scales decides whether there is an idle timeout.
    ...((changed.has("workers") || changed.has("scaling")) && { workers: workersOf(input) }),
  } as UpdateEndpointRequest;
  const { pools, excludedTypes = [] } = gpu ?? {};
  // A patch without `excludedTypes` was seen to drop them, so every patch repeats them.
  if (patch.gpu !== undefined || excludedTypes.length === 0 || Object.keys(patch).length === 0) return patch;
  return { ...patch, gpu: { pools, excludedTypes } };
}

/** REST refuses an idle timeout for a queue that scales by its requests. */
function workersOf({ type, scaling, workers }: EndpointFields) {
  if (type === "LOAD_BALANCER" || scaling?.type === "QUEUE_DELAY") return workers;
  return { min: workers?.min, max: workers?.max };
}

function refuseModels(models: readonly string[] = []): void {
  if (models.length === 0) return;
  throw new UsageError("models: only GraphQL has cached models. Leave them out, or keep endpoints through GraphQL.");
}

function refuseCountries({ dataCenterIds = [] }: EndpointFields): void {
  const countries = countriesIn(dataCenterIds).join(", ");
  if (countries === "") return;
  throw new UsageError(
    `dataCenterIds: REST takes data centers, not countries (${countries}). List the data centers instead.`,
  );
}
