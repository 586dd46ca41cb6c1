import { ReadWindows } from "./batch";
import type { WireCall } from "./calls/call";
import { Transport } from "./calls/transport";
import type { SavedEndpointCalls } from "./endpoints";
import { UsageError } from "./errors";
import { Graphql } from "./graphql/graphql";
import { type CallOptions, type ClientOptions, type Clock, checkMilliseconds } from "./options";
import { Creator } from "./outcomes/create";
import type { Queue } from "./queue/jobs";
import { type RequestOptions, rawRequest } from "./rawRequest";
import { asResponse, type Call, type WithResponse, withResponse } from "./responses";
import { Rest } from "./rest/rest";

const DEFAULT_READ_WINDOW_MS = 2_000;

function checkOptions({ readWindowMs, retryBudgetMs, maxAttempts, timeouts = {} }: ClientOptions): void {
  if (maxAttempts !== undefined && !(maxAttempts >= 1)) {
    throw new UsageError(`maxAttempts is ${maxAttempts}; it takes 1 or more.`);
  }
  for (const [name, value] of Object.entries({ readWindowMs, retryBudgetMs })) checkMilliseconds(name, value);
  for (const [name, value] of Object.entries(timeouts)) checkMilliseconds(`timeouts.${name}`, value);
}

/** The service, typed: REST, GraphQL and queues over one transport. Each noun's code is loaded when it is first used. */
export class Client {
  readonly #transport: Transport;
  readonly #windows: ReadWindows;
  readonly #rest: Rest;
  readonly #graphql: Graphql;
  readonly #gathers: boolean;
  readonly #nouns = new Map<keyof Client, object>();

  /** @param options or the client whose connections, limits and reads this one shares; see `gathering` */
  constructor(options: ClientOptions | Client) {
    this.#gathers = options instanceof Client;
    if (options instanceof Client) {
      this.#transport = options.#transport;
      this.#windows = options.#windows;
      this.#rest = options.#rest;
      this.#graphql = options.#graphql;
      return;
    }
    checkOptions(options);
    this.#transport = new Transport(options);
    this.#windows = new ReadWindows(this.#transport.clock, options.readWindowMs ?? DEFAULT_READ_WINDOW_MS);
    const creator = new Creator({
      clock: this.#transport.clock,
      serviceTime: (ms) => this.#transport.serviceTime(ms),
      onRetry: (event) => {
        for (const { onRetry } of this.#transport.observers) onRetry?.(event);
      },
    });
    this.#rest = new Rest(this.#transport, this.#windows, creator);
    this.#graphql = new Graphql(this.#transport, this.#windows, creator, options.graphqlEnd);
  }

  /**
   * The same client for many calls at once: saves, deletes, reads and lists of endpoints that are asked for within 5 ms
   * share a call. A call with options of its own, such as a signal, is sent by itself.
   */
  gathering(): Client {
    return new Client(this);
  }

  /** Time as this client sees it. */
  get clock(): Clock {
    return this.#transport.clock;
  }

  get account() {
    return this.#once("account", () =>
      (require("./rest/account") as typeof import("./rest/account")).account(this.#rest),
    );
  }
  get pods() {
    return this.#once("pods", () => (require("./rest/pods") as typeof import("./rest/pods")).pods(this.#rest));
  }
  get clusters() {
    return this.#once("clusters", () =>
      (require("./rest/clusters") as typeof import("./rest/clusters")).clusters(this.#rest),
    );
  }
  get serverless() {
    return this.#once("serverless", () => {
      const { serverless } = require("./rest/serverless") as typeof import("./rest/serverless");
      const calls = serverless(this.#rest);
      if (!this.#gathers) return calls;
      const { gatheredList } = require("./gathered") as typeof import("./gathered");
      return { ...calls, list: gatheredList("Endpoint", calls.list) };
    });
  }
  get templates() {
    return this.#once("templates", () =>
      (require("./rest/templates") as typeof import("./rest/templates")).templates(this.#rest),
    );
  }
  get networkVolumes() {
    return this.#once("networkVolumes", () =>
      (require("./rest/networkVolumes") as typeof import("./rest/networkVolumes")).networkVolumes(this.#rest),
    );
  }
  get globalVolumes() {
    return this.#once("globalVolumes", () =>
      (require("./rest/globalVolumes") as typeof import("./rest/globalVolumes")).globalVolumes(this.#rest),
    );
  }
  get registries() {
    return this.#once("registries", () => {
      const { registries } = require("./rest/registries") as typeof import("./rest/registries");
      const { registriesOfBoth } = require("./graphql/registries") as typeof import("./graphql/registries");
      return registriesOfBoth(this.#graphql, registries(this.#rest));
    });
  }
  get secrets() {
    return this.#once("secrets", () =>
      (require("./rest/secrets") as typeof import("./rest/secrets")).secrets(this.#rest),
    );
  }
  get tags() {
    return this.#once("tags", () => (require("./rest/tags") as typeof import("./rest/tags")).tags(this.#rest));
  }
  get costCenters() {
    return this.#once("costCenters", () =>
      (require("./rest/costCenters") as typeof import("./rest/costCenters")).costCenters(this.#rest),
    );
  }
  get delegations() {
    return this.#once("delegations", () =>
      (require("./rest/delegations") as typeof import("./rest/delegations")).delegations(this.#rest),
    );
  }
  get sshKeys() {
    return this.#once("sshKeys", () =>
      (require("./rest/sshKeys") as typeof import("./rest/sshKeys")).sshKeys(this.#rest),
    );
  }
  get catalog() {
    return this.#once("catalog", () =>
      (require("./rest/catalog") as typeof import("./rest/catalog")).catalog(this.#rest),
    );
  }
  get billing() {
    return this.#once("billing", () =>
      (require("./rest/billing") as typeof import("./rest/billing")).billing(this.#rest),
    );
  }
  /** Serverless endpoints as GraphQL describes them, over GraphQL or REST. */
  get endpoints(): SavedEndpointCalls {
    return this.#once("endpoints", () => {
      const { endpoints } = require("./endpoints") as typeof import("./endpoints");
      const overGraphql = require("./graphql/endpoints") as typeof import("./graphql/endpoints");
      const { savedEndpoints } = require("./rest/savedEndpoints") as typeof import("./rest/savedEndpoints");
      const graphql = this.#graphql;
      const { serverless } = this;
      const { gatheredCalls } = require("./graphql/gatheredCalls") as typeof import("./graphql/gatheredCalls");
      const calls = this.#gathers ? gatheredCalls(graphql, serverless) : undefined;
      return {
        ...endpoints({
          graphql: overGraphql.endpoints(graphql, serverless, calls),
          rest: savedEndpoints(serverless, this.#transport.clock, this.#gathers),
          through: this.#transport.endpointsThrough,
          hasEnded: () => graphql.hasEnded,
        }),
        serverlessDiscount: (options?: CallOptions) => overGraphql.serverlessDiscount(graphql, options),
      };
    });
  }

  /** Job operations of one endpoint. */
  queue(endpointId: string): Queue {
    const { queue } = require("./queue/jobs") as typeof import("./queue/jobs");
    return queue(this.#transport, endpointId);
  }

  /**
   * A request that this client has no method for: the same key, user agent, quota, retries and errors. Resolves to the
   * answer's JSON, undefined when it has none.
   */
  request(method: WireCall["method"], path: string, options: RequestOptions = {}): Promise<unknown> {
    return rawRequest(this.#transport, this.#windows, method, path, options);
  }

  /**
   * A call's result together with its last answer, for request ids and headers:
   * `await client.withResponse((options) => client.pods.get(id, options))`. There is no answer where a read was shared.
   */
  withResponse<T>(call: Call<T>): Promise<WithResponse<T>> {
    return withResponse(call);
  }

  /**
   * A call's last answer as a `Response`, its body as the service sent it:
   * `await client.asResponse((options) => client.pods.get(id, options))`. Undefined where a read was shared. The call is
   * made, repeated and checked as always, and fails as always.
   */
  asResponse(call: Call<unknown>): Promise<Response | undefined> {
    return asResponse(call);
  }

  /** Ends streams, and the connections once the calls under way are answered. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** A noun's calls: made when they are first asked for, and then kept. */
  #once<Calls extends object>(noun: keyof Client, make: () => Calls): Calls {
    const calls = (this.#nouns.get(noun) as Calls | undefined) ?? make();
    this.#nouns.set(noun, calls);
    return calls;
  }
}
