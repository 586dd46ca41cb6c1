import { each, gathered, hasAny } from "../calls/gathered";
import { type CallOptions, type Clock, splitOptions } from "../options";
import { Limiter } from "../queue/limiter";
import type { Endpoint } from "../schemas/serverless";
import { createBody, patchBody, shownByRest } from "./endpointMapping";
import type { EndpointInterface } from "./endpoints";
import type { ServerlessCalls } from "./serverless";

/** REST handles one endpoint per call, and a fleet asks for all of them at once. */
const CALLS_AT_ONCE = 8;
const WORKERS = new Set(["workersMin", "workersMax"]);

/**
 * Endpoints with the fields of GraphQL's `saveEndpoint`, through REST.
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
  const findGathered = gathered<string, Endpoint | undefined>(Infinity, {
    alone: findAlone,
    together: async (ids) => {
      const listed = new Map((await rest.list()).map((endpoint) => [endpoint.id, endpoint]));
      // Only a read by id can say that an endpoint is deleted.
      return each(ids, async (id) => listed.get(id) ?? findAlone(id));
    },
  });
  const replace: EndpointInterface["replace"] = async (id, input, { changed, ...more }) => {
    const { options } = splitOptions(more);
    const patch = patchBody(input, changed ?? new Set(Object.keys(input)));
    const isEmpty = Object.keys(patch).length === 0;
    return shownByRest(
      await inTurn(() => (isEmpty ? rest.get(id, options) : rest.update(id, patch, options)), options.signal),
    );
  };
  return {
    list: async (options) => (await rest.list(options)).map(shownByRest),
    find: async (id, options) => {
      const found = await (gathers && !hasAny(options) ? findGathered(id) : findAlone(id, options));
      return found && shownByRest(found);
    },
    read: async (id, options) => {
      const found = await rest.read(id, options);
      return found && shownByRest(found);
    },
    create: async (input, options) => {
      const body = createBody(input);
      return shownByRest(await inTurn(() => rest.create(body, options), options.signal));
    },
    replace,
    delete: async (id, { beforeRest, scaledDown, ...options }) => {
      if (scaledDown !== undefined) await replace(id, scaledDown, { ...options, changed: WORKERS });
      await beforeRest?.();
      await inTurn(() => rest.delete(id, options), options.signal);
    },
  };
}
