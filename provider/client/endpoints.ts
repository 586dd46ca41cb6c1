import { NotFoundError, RetiredError } from "./errors";
import type { CallOptions, EndpointsThrough } from "./options";
import type { CreateOptions } from "./outcomes/create";
import { describe } from "./outcomes/statuses";
import type { SavedEndpoint, SaveEndpointInput } from "./schemas/savedEndpoints";

const KIND = "Endpoint";

export interface SaveOptions extends CreateOptions {
  /**
   * Fields of the input that an existing endpoint is to get. REST is told these alone; GraphQL takes the whole input every
   * time. Default: all.
   */
  changed?: ReadonlySet<string> | undefined;
}

export interface DeleteOptions extends CallOptions {
  /** Awaited before REST deletes, which cancels the jobs that GraphQL would refuse to cancel. */
  beforeRest?: (() => Promise<void>) | undefined;
}

/** The same endpoints, one interface of the service or the other. */
export interface EndpointInterface {
  list(options?: CallOptions): Promise<SavedEndpoint[]>;
  /** A read of its own; undefined when the service says that it does not exist. */
  find(id: string, options?: CallOptions): Promise<SavedEndpoint | undefined>;
  /** A shared read. */
  read(id: string, options?: CallOptions): Promise<SavedEndpoint | undefined>;
  create(input: SaveEndpointInput, options: CreateOptions): Promise<SavedEndpoint>;
  replace(id: string, input: SaveEndpointInput, options: SaveOptions): Promise<SavedEndpoint>;
  /** Resolves when it is gone, also when it was gone before. */
  delete(id: string, options: DeleteOptions): Promise<void>;
}

interface Interfaces {
  readonly graphql: EndpointInterface;
  readonly rest: EndpointInterface;
  readonly through: EndpointsThrough;
  /** Whether the service has ended GraphQL, as far as is known. */
  hasEnded(): boolean;
}

/** Serverless endpoints as `saveEndpoint` describes them, through GraphQL or REST. */
export function endpoints({ graphql, rest, through, hasEnded }: Interfaces) {
  const isRest = () => through === "rest" || (through === "auto" && hasEnded());

  const call = async <T>(send: (to: EndpointInterface) => Promise<T>): Promise<T> => {
    if (isRest()) return send(rest);
    try {
      return await send(graphql);
    } catch (error) {
      // It refused before it did anything: the same call begins anew.
      if (error instanceof RetiredError && isRest()) return send(rest);
      throw error;
    }
  };

  const find = (id: string, options?: CallOptions) => call((to) => to.find(id, options));

  return {
    /** What the next call goes through. */
    through: (): "graphql" | "rest" => (isRest() ? "rest" : "graphql"),
    /** The account's endpoints; GraphQL shows the 400 oldest. */
    list: (options?: CallOptions) => call((to) => to.list(options)),
    /** A read of its own. @throws NotFoundError */
    get: async (id: string, options?: CallOptions): Promise<SavedEndpoint> => found(id, await find(id, options)),
    /** The same; undefined when the service says that it does not exist. */
    find,
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => call((to) => to.read(id, options)),
    /**
     * Creates, or with an id replaces: over GraphQL as a whole, over REST what has changed.
     *
     * @throws UsageError for what REST has no word for, such as countries
     */
    save: ({ id, ...input }: SaveEndpointInput, options: SaveOptions = {}) =>
      call((to) => (id === undefined ? to.create(input, options) : to.replace(id, input, options))),
    /** Resolves when it is gone, also when it was gone before. GraphQL refuses while its workers are not 0. */
    delete: (id: string, options: DeleteOptions = {}) => call((to) => to.delete(id, options)),
  };
}

/** @throws NotFoundError */
export function found(id: string, endpoint: SavedEndpoint | undefined): SavedEndpoint {
  if (endpoint !== undefined) return endpoint;
  const facts = { kind: KIND, id, status: 404, title: "Not Found" };
  throw new NotFoundError(describe(facts, "Check the id, or refresh the stack if it was deleted elsewhere."), facts);
}
