import { NotFoundError, RetiredError } from "../errors";
import type { CallOptions, EndpointsThrough } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { errorMessage, NOT_FOUND } from "../outcomes/statuses";
import type { SavedEndpoint, SaveEndpointInput, ServerlessDiscount } from "../schemas/savedEndpoints";
import { type ListCall, listCall } from "./listCall";

const KIND = "Endpoint";

export interface SaveOptions extends CreateOptions {
  /**
   * The properties that an existing endpoint gets. Only REST uses them: GraphQL always gets the whole input. Default: all.
   */
  changed?: ReadonlySet<string> | undefined;
}

export interface DeleteOptions extends CallOptions {
  /**
   * The endpoint as it is, without workers: saved before the delete, over GraphQL in the same call. GraphQL refuses to delete
   * an endpoint that may have workers. Default: nothing is saved.
   */
  scaledDown?: SavedEndpoint | undefined;
  /**
   * Waits until the endpoint has no workers; resolves to false if it had none. Awaited before REST deletes it, which cancels its
   * jobs, and when GraphQL has refused the delete, which is then sent again. Default: nothing is waited for.
   */
  idle?: (() => Promise<boolean>) | undefined;
}

/** What a save takes of an endpoint. The interface that sends it checks it. */
export type EndpointFields = Omit<SavedEndpoint, "id" | "createdAt" | "throughRest">;

/** Serverless endpoints in REST's words, through one interface of the service. */
export interface EndpointInterface {
  list(options?: CallOptions): Promise<SavedEndpoint[]>;
  /** A read of its own; undefined when the service says that it does not exist. */
  find(id: string, options?: CallOptions): Promise<SavedEndpoint | undefined>;
  /** A shared read. */
  read(id: string, options?: CallOptions): Promise<SavedEndpoint | undefined>;
  create(input: EndpointFields, options: CreateOptions): Promise<SavedEndpoint>;
  /** @throws UsageError when GraphQL, which resets what is left out, lacks a field */
  replace(id: string, input: EndpointFields, options: SaveOptions): Promise<SavedEndpoint>;
  /** Resolves when it is gone, also when it was gone before. */
  delete(id: string, options: DeleteOptions): Promise<void>;
}

/** An interface that the service ends, and what it alone shows. */
export interface EndingInterface extends EndpointInterface, Pick<SavedEndpointCalls, "serverlessDiscount"> {
  /** Whether the service has ended it, as far as is known. */
  hasEnded(): boolean;
}

/**
 * Serverless endpoints that are made from a template, in REST's words, through GraphQL or REST (`endpointsThrough`). REST shows no
 * `templateId`, no models and no countries.
 */
export interface SavedEndpointCalls {
  /**
   * The interface that the next call uses.
   *
   * @example
   * if (client.endpoints.through() === "rest") console.log("GraphQL has ended");
   */
  through(): "graphql" | "rest";
  /**
   * The account's endpoints. GraphQL shows the 400 oldest (`myself { endpoints }`), REST all of them (`GET /v2/serverless`).
   *
   * @throws GraphqlError when GraphQL answers with an error
   * @example
   * for (const { id, name, workers } of await client.endpoints.list()) console.log(id, name, workers?.max);
   */
  list(options?: CallOptions): ListCall<SavedEndpoint>;
  /**
   * One endpoint, by a request of its own. GraphQL's `myself { endpoint(id) }`, or `GET /v2/serverless/{id}`.
   *
   * @throws NotFoundError; GraphqlError when GraphQL answers with an error and REST still has the endpoint
   * @example
   * const { workers } = await client.endpoints.get("4kqwe7f0");
   */
  get(id: string, options?: CallOptions): Promise<SavedEndpoint>;
  /**
   * As `get`.
   *
   * @returns undefined when the service says that it does not exist
   * @example
   * if ((await client.endpoints.find("4kqwe7f0")) === undefined) console.log("deleted");
   */
  find(id: string, options?: CallOptions): Promise<SavedEndpoint | undefined>;
  /**
   * As `find`. Reads of the same moment share one list, so the answer may be 2 s old (`readWindowMs`).
   *
   * @example
   * const endpoint = await client.endpoints.read("4kqwe7f0");
   */
  read(id: string, options?: CallOptions): Promise<SavedEndpoint | undefined>;
  /**
   * Creates an endpoint, or with an `id` replaces it: over GraphQL as a whole, over REST the fields in `changed`. GraphQL's
   * `saveEndpoint`, or `POST /v2/serverless` and `PATCH /v2/serverless/{id}`. An endpoint that was read, with changes, is input
   * as well.
   *
   * @throws UsageError for a missing field, and for what REST can't express, such as countries; GraphqlError when GraphQL refuses it; MayExistError
   *   when the answer to a create was lost and no single endpoint was found
   * @example
   * const { id } = await client.endpoints.save({
   *   name: "chat",
   *   type: "QUEUE",
   *   templateId: "tpl_1a2b",
   *   gpu: { pools: ["AMPERE_24", "ADA_24"], count: 1 },
   *   workers: { min: 0, max: 3, idleTimeout: 5 },
   *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
   *   dataCenterIds: [],
   *   networkVolumes: [],
   *   flashboot: "FLASHBOOT",
   * });
   * const { workers, ...endpoint } = await client.endpoints.get(id);
   * await client.endpoints.save({ ...endpoint, workers: { ...workers, max: 5 } });
   */
  save(input: SaveEndpointInput | SavedEndpoint, options?: SaveOptions): Promise<SavedEndpoint>;
  /**
   * Deletes an endpoint. Resolves when it is gone, also when it was gone before. GraphQL's `deleteEndpoint`, which refuses while
   * the endpoint may have workers; or `DELETE /v2/serverless/{id}`, which does not refuse and cancels its jobs.
   *
   * @throws GraphqlError when GraphQL refuses it
   * @example
   * await client.endpoints.delete("4kqwe7f0");
   */
  delete(id: string, options?: DeleteOptions): Promise<void>;
  /**
   * The account's discount on serverless prices; null where it has none. Only GraphQL shows it (`myself { serverlessDiscount }`).
   *
   * @throws RetiredError once the service has ended GraphQL
   * @example
   * const discount = await client.endpoints.serverlessDiscount();
   */
  serverlessDiscount(options?: CallOptions): Promise<ServerlessDiscount | null>;
}

export function endpoints(
  graphql: EndingInterface,
  rest: EndpointInterface,
  through: EndpointsThrough,
): SavedEndpointCalls {
  const isRest = () => through === "rest" || (through === "auto" && graphql.hasEnded());

  const call = async <T>(send: (to: EndpointInterface) => Promise<T>): Promise<T> => {
    if (isRest()) return send(rest);
    try {
      return await send(graphql);
    } catch (error) {
      // GraphQL refused before it did anything, so the call may be made again.
      if (error instanceof RetiredError && isRest()) return send(rest);
      throw error;
    }
  };

  const find = (id: string, options?: CallOptions) => call((to) => to.find(id, options));

  return {
    through: (): "graphql" | "rest" => (isRest() ? "rest" : "graphql"),
    list: (options?: CallOptions) => listCall(call((to) => to.list(options))),
    get: async (id: string, options?: CallOptions): Promise<SavedEndpoint> => existing(id, await find(id, options)),
    find,
    read: (id: string, options?: CallOptions) => call((to) => to.read(id, options)),
    save: (input: SaveEndpointInput | SavedEndpoint, options: SaveOptions = {}): Promise<SavedEndpoint> => {
      // What only answers show is left out.
      const endpoint: Omit<SavedEndpoint, "id"> & { readonly id?: string | undefined } = input;
      const { id, createdAt: _, throughRest: __, ...fields } = endpoint;
      return call((to) => (id === undefined ? to.create(fields, options) : to.replace(id, fields, options)));
    },
    delete: (id: string, options: DeleteOptions = {}) => call((to) => to.delete(id, options)),
    serverlessDiscount: (options) => graphql.serverlessDiscount(options),
  };
}

/** @throws NotFoundError */
export function existing(id: string, endpoint: SavedEndpoint | undefined): SavedEndpoint {
  if (endpoint !== undefined) return endpoint;
  const facts = { kind: KIND, id, status: 404, title: "Not Found" };
  throw new NotFoundError(errorMessage(facts, NOT_FOUND), facts);
}
