import { ReadWindows } from "./batch";
import { Transport, type WireCall } from "./calls/transport";
import { Graphql } from "./graphql/graphql";
import { type CallOptions, type ClientOptions, type Clock, checkMilliseconds, type ResponseEvent } from "./options";
import { Creator } from "./outcomes/create";
import type { Queue } from "./queue/jobs";
import { type RequestOptions, rawRequest } from "./rawRequest";
import { Rest } from "./rest/rest";

const DEFAULT_READ_WINDOW_MS = 2_000;

function checkTimes({ readWindowMs, retryBudgetMs, timeouts = {} }: ClientOptions): void {
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
    checkTimes(options);
    this.#transport = new Transport(options);
    this.#windows = new ReadWindows(this.#transport.clock, options.readWindowMs ?? DEFAULT_READ_WINDOW_MS);
    const creator = new Creator({
      clock: this.#transport.clock,
      serviceTime: (ms) => this.#transport.serviceTime(ms),
      onRetry: options.onRetry,
    });
    this.#rest = new Rest(this.#transport, this.#windows, creator);
    this.#graphql = new Graphql(this.#transport, this.#windows, creator, options.graphqlEnd);
  }

  /**
   * The same client for who has much to do at once: saves, deletes, reads and lists of endpoints that are asked for at
   * the same moment share a call.
   */
  gathering(): Client {
    return new Client(this);
  }

  /** Time as this client sees it. */
  get clock(): Clock {
    return this.#transport.clock;
  }

  get account() {
    return this.#account();
  }
  get pods() {
    return this.#pods();
  }
  get clusters() {
    return this.#clusters();
  }
  get serverless() {
    return this.#serverless();
  }
  get templates() {
    return this.#templates();
  }
  get networkVolumes() {
    return this.#networkVolumes();
  }
  get globalVolumes() {
    return this.#globalVolumes();
  }
  get registries() {
    return this.#registries();
  }
  get secrets() {
    return this.#secrets();
  }
  get delegations() {
    return this.#delegations();
  }
  get sshKeys() {
    return this.#sshKeys();
  }
  get catalog() {
    return this.#catalog();
  }
  get billing() {
    return this.#billing();
  }
  /** Serverless endpoints as GraphQL describes them, over GraphQL or REST. */
  get endpoints() {
    return this.#endpoints();
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
  async withResponse<T>(
    call: (options: CallOptions) => Promise<T>,
  ): Promise<{ data: T; response: ResponseEvent | undefined }> {
    let response: ResponseEvent | undefined;
    const onResponse = (event: ResponseEvent) => {
      response = event;
    };
    const data = await call({ onResponse });
    return { data, response };
  }

  /** Ends streams, and the connections once the calls under way are answered. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  readonly #account = lazy(() => (require("./rest/account") as typeof import("./rest/account")).account(this.#rest));
  readonly #pods = lazy(() => (require("./rest/pods") as typeof import("./rest/pods")).pods(this.#rest));
  readonly #clusters = lazy(() =>
    (require("./rest/clusters") as typeof import("./rest/clusters")).clusters(this.#rest),
  );
  readonly #serverless = lazy(() => {
    const { serverless } = require("./rest/serverless") as typeof import("./rest/serverless");
    const calls = serverless(this.#rest);
    return this.#gathers ? { ...calls, list: this.#gathered().gatheredList(calls.list) } : calls;
  });
  readonly #templates = lazy(() =>
    (require("./rest/templates") as typeof import("./rest/templates")).templates(this.#rest),
  );
  readonly #networkVolumes = lazy(() =>
    (require("./rest/networkVolumes") as typeof import("./rest/networkVolumes")).networkVolumes(this.#rest),
  );
  readonly #globalVolumes = lazy(() =>
    (require("./rest/globalVolumes") as typeof import("./rest/globalVolumes")).globalVolumes(this.#rest),
  );
  readonly #registries = lazy(() => {
    const { registries } = require("./rest/registries") as typeof import("./rest/registries");
    const { registriesOfBoth } = require("./graphql/registries") as typeof import("./graphql/registries");
    return registriesOfBoth(this.#graphql, registries(this.#rest));
  });
  readonly #secrets = lazy(() => (require("./rest/secrets") as typeof import("./rest/secrets")).secrets(this.#rest));
  readonly #delegations = lazy(() =>
    (require("./rest/delegations") as typeof import("./rest/delegations")).delegations(this.#rest),
  );
  readonly #sshKeys = lazy(() => (require("./rest/sshKeys") as typeof import("./rest/sshKeys")).sshKeys(this.#rest));
  readonly #catalog = lazy(() => (require("./rest/catalog") as typeof import("./rest/catalog")).catalog(this.#rest));
  readonly #billing = lazy(() => (require("./rest/billing") as typeof import("./rest/billing")).billing(this.#rest));
  readonly #endpoints = lazy(() => {
    const { endpoints } = require("./endpoints") as typeof import("./endpoints");
    const overGraphql = require("./graphql/endpoints") as typeof import("./graphql/endpoints");
    const { savedEndpoints } = require("./rest/savedEndpoints") as typeof import("./rest/savedEndpoints");
    const graphql = this.#graphql;
    const { serverless } = this;
    const calls = this.#gathers ? this.#gathered().gatheredCalls(graphql, serverless) : undefined;
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
  #gathered() {
    return require("./graphql/gatheredCalls") as typeof import("./graphql/gatheredCalls");
  }
}

/** Made when first asked for, and then kept. */
function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
