import { getOrCreate } from "../common/getOrCreate";
import type { WireCall } from "./calls/call";
import { type RequestOptions, rawRequest } from "./calls/rawRequest";
import { type Call, type WithResponse, withResponse } from "./calls/responses";
import { Transport } from "./calls/transport";
import type { EndpointOptions, EndpointRequests, OpenAiOptions } from "./endpoint/requests";
import { UsageError } from "./errors";
import { Graphql } from "./graphql/graphql";
import type { CallOptions, ClientOptions, Clock } from "./options";
import { Creator } from "./outcomes/create";
import type { Subject } from "./outcomes/statuses";
import type { Queue } from "./queue/jobs";
import { ReadWindows } from "./rest/batch";
import type { SavedEndpointCalls } from "./rest/endpoints";
import { listCall } from "./rest/listCall";
import { type Noun, Nouns, nouns, nounsWithIds } from "./rest/nouns";
import { Rest } from "./rest/rest";

const DEFAULT_READ_WINDOW_MS = 2_000;

/** The service, typed: REST, GraphQL and queues over one transport. The code of a noun is loaded on first use. */
export class Client extends Nouns {
  readonly #transport: Transport;
  readonly #windows: ReadWindows;
  readonly #rest: Rest;
  readonly #graphql: Graphql;
  /** By endpoint: limits and known jobs are the endpoint's. */
  readonly #queues: Map<string, Queue>;
  readonly #gathers: boolean;
  readonly #nouns = new Map<keyof Client, object>();

  /** @param options or a client, with which this one shares connections, limits and reads; see `gathering` */
  constructor(options: ClientOptions | Client) {
    super();
    this.#gathers = options instanceof Client;
    if (options instanceof Client) {
      this.#transport = options.#transport;
      this.#windows = options.#windows;
      this.#rest = options.#rest;
      this.#graphql = options.#graphql;
      this.#queues = options.#queues;
      return;
    }
    this.#transport = new Transport(options);
    this.#queues = new Map();
    this.#windows = new ReadWindows(this.#transport.clock, options.readWindowMs ?? DEFAULT_READ_WINDOW_MS);
    const creator = new Creator(this.#transport);
    this.#rest = new Rest(this.#transport, this.#windows, creator);
    this.#graphql = new Graphql(this.#transport, this.#windows, creator, options.graphqlEnd);
  }

  /**
   * The same client for many calls at once: saves, deletes, reads and lists of endpoints that are asked for within 5 ms
   * share a call. A call with options of its own, such as a signal, is sent by itself.
   *
   * @example
   * const { endpoints } = client.gathering();
   * await Promise.all(["4kqwe7f0", "9xvb2m1c"].map((id) => endpoints.delete(id)));
   */
  gathering(): Client {
    return new Client(this);
  }

  /** The clock of this client: the option `clock`, or the system's. */
  get clock(): Clock {
    return this.#transport.clock;
  }

  /** The service's time, as the dates of its answers tell it. Milliseconds since 1970. */
  serviceTime(): number {
    return this.#transport.serviceTime();
  }

  /**
   * Whether a resource exists, by a request of its own. A `read` may be answered by a list, and lists may show for a while what
   * was deleted.
   *
   * @throws ServiceError when the read and the list don't agree
   * @example
   * if (!(await client.exists("Pod", "xedezhzb9la3ye"))) console.log("deleted");
   */
  async exists(kind: Subject, id: string): Promise<boolean> {
    const calls = nounsWithIds.get(kind);
    if (calls === undefined) throw new UsageError(`${kind}: there is no read by an id for it.`);
    // Their code is loaded on first use.
    void this[calls];
    return this.#rest.exists(kind, id);
  }

  /** The key's account, its limits and its balance. `/v2/account`. */
  get account() {
    return this.#once("account", () =>
      (require("./rest/account") as typeof import("./rest/account")).account(this.#rest),
    );
  }
  override get serverless() {
    return this.#once("serverless", () => {
      const calls = nouns.serverless().calls(this.#rest);
      if (!this.#gathers) return calls;
      const { gatheredList } = require("./calls/gathered") as typeof import("./calls/gathered");
      const list = gatheredList("Endpoint", calls.list);
      return { ...calls, list: (options?: CallOptions) => listCall(list(options)) };
    });
  }
  override get registries() {
    return this.#once("registries", () => {
      const { registriesOfBoth } = require("./graphql/registries") as typeof import("./graphql/registries");
      return registriesOfBoth(this.#graphql, nouns.registries().calls(this.#rest));
    });
  }
  /** Serverless endpoints that are made from a template, over GraphQL or REST. */
  get endpoints(): SavedEndpointCalls {
    return this.#once("endpoints", () => {
      const { endpoints } = require("./rest/endpoints") as typeof import("./rest/endpoints");
      const { savedEndpoints } = require("./rest/savedEndpoints") as typeof import("./rest/savedEndpoints");
      const { endpoints: overGraphql } = require("./graphql/endpoints") as typeof import("./graphql/endpoints");
      return endpoints(
        overGraphql(this.#graphql, this.serverless, this.#gathers),
        savedEndpoints(this.serverless, this.#transport.clock, this.#gathers),
        this.#transport.settings.endpointsThrough,
      );
    });
  }

  /**
   * The queue of one endpoint: the same object for the same id. Nothing is sent. `/v2/{endpointId}` at `serverlessUrl`.
   *
   * @example
   * const { output } = await client.queue("4kqwe7f0").runSync({ input: { prompt: "ping" } });
   */
  queue(endpointId: string): Queue {
    const { Queue } = require("./queue/jobs") as typeof import("./queue/jobs");
    return getOrCreate(this.#queues, endpointId, () => new Queue(this.#transport, endpointId));
  }

  /**
   * Requests to what an endpoint's workers serve. Nothing is sent.
   *
   * @example
   * const answer = await client.endpoint("4kqwe7f0").fetch("/generate", { body: { prompt: "ping" } });
   */
  endpoint(endpointId: string, options: EndpointOptions = {}): EndpointRequests {
    const { endpointRequests } = require("./endpoint/requests") as typeof import("./endpoint/requests");
    return endpointRequests(this.#transport, endpointId, options, (limits) => this.serverless.get(endpointId, limits));
  }

  /**
   * What OpenAI's clients take for an endpoint whose workers serve OpenAI's routes: a queue's, or a load balancer's under `/v1`.
   *
   * @throws UsageError where the endpoint's address is not known
   * @example
   * const { baseURL } = await client.openAiOptions("4kqwe7f0");
   * // const openai = new OpenAI(await client.openAiOptions("4kqwe7f0"));
   */
  openAiOptions(endpointId: string, options: EndpointOptions = {}): Promise<OpenAiOptions> {
    const { openAiOptions } = require("./endpoint/requests") as typeof import("./endpoint/requests");
    return openAiOptions(this.#transport, endpointId, options, () => this.serverless.get(endpointId));
  }

  /**
   * A request that this client has no method for, with the same key, quota, retries and errors. A POST is not sent again when
   * its answer is lost, unless `repeatable` allows it. The answer is not checked.
   *
   * @param path from the first slash on, such as `/v2/pods`, without a query
   * @returns the answer's JSON, undefined when it has none
   * @throws UsageError for a path that is not one; otherwise as any call does, by the answer's status
   * @example
   * const answer = await client.request("GET", "/v2/pods", { query: { limit: 10 } });
   * const same = await client.request({ method: "GET", path: "/v2/pods", query: { limit: 10 } });
   */
  request(method: WireCall["method"], path: string, options?: RequestOptions): Promise<unknown>;
  request(request: RequestOptions & { method: WireCall["method"]; path: string }): Promise<unknown>;
  request(
    methodOrRequest: WireCall["method"] | (RequestOptions & { method: WireCall["method"]; path: string }),
    path = "",
    options: RequestOptions = {},
  ): Promise<unknown> {
    const request =
      typeof methodOrRequest === "string" ? { ...options, method: methodOrRequest, path } : methodOrRequest;
    return rawRequest(this.#transport, this.#windows, request);
  }

  /**
   * The result of a call together with its last answer, for request ids and headers. `response` is undefined where a read was
   * shared.
   *
   * @throws as the call does
   * @example
   * const { data, response } = await client.withResponse((options) => client.pods.get("xedezhzb9la3ye", options));
   * console.log(data.name, response?.requestId);
   */
  withResponse<T>(call: Call<T>): Promise<WithResponse<T>> {
    return withResponse(call);
  }

  /**
   * Ends streams, logs, waits and batches, waits for the answers to running calls, and frees the sockets. Later calls throw
   * UsageError.
   *
   * @example
   * await client.close();
   */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** `await using client = createClient()` closes it. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected noun<Calls extends object>(name: keyof typeof nouns, load: () => Noun<Calls>): Calls {
    return this.#once(name, () => load().calls(this.#rest));
  }

  /** The calls of a noun, created on first use. */
  #once<Calls extends object>(noun: keyof Client, make: () => Calls): Calls {
    return getOrCreate<keyof Client, object>(this.#nouns, noun, make) as Calls;
  }
}
