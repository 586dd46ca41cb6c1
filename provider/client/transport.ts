import type { Dispatcher } from "undici";
import { systemClock } from "./clock";
import { createDispatcher } from "./dispatcher";
import type { ComputeCloudError, ErrorFacts } from "./errors";
import { type CallFacts, failureOfAnswer, failureOfBody, failureOfException } from "./failures";
import { parseJson } from "./json";
import { type ClientOptions, type Clock, checkAddress, type Timeouts } from "./options";
import { type Pass, RateGates } from "./rateLimit";
import { redact, Secret } from "./redact";
import { type CallClass, type Outcome, type RetryPolicy, type Settle, withRetries } from "./retry";
import { errorOfStatus } from "./statuses";
import { userAgent } from "./userAgent";

const defaultBudgetMs = 120_000;
/** `Date` tells whole seconds, a while after they began: less than this apart, both clocks are taken to agree. */
const dateResolutionMs = 2_000;
/** Sockets to one address: enough for a fleet in parallel, few enough for one laptop. */
const connections = 16;
/** The queue answers runSync and stream late on purpose; each holds a socket meanwhile. */
const heldConnections = 256;
const defaultTimeouts: Timeouts = { connectMs: 10_000, headersMs: 60_000, bodyMs: 60_000 };

/** One call as the wire sees it, whichever interface it belongs to. */
export interface WireCall {
  class: CallClass;
  /** Calls with the same name share a quota: `rest`, `graphql`, `queue <endpointId>`. */
  gate: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Whole address, query included. */
  url: string;
  /** The path without its query: what logs and errors show. */
  label: string;
  kind: string;
  id?: string | undefined;
  /** JSON text. */
  body?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** How the key is sent. Default: as a bearer. */
  rawKey?: boolean | undefined;
  /** Credentials in the body, removed from what the service says about it; looked for when it says something. */
  secrets?: readonly string[] | (() => readonly string[]) | undefined;
  signal?: AbortSignal | undefined;
  /** Ends the waits before an attempt; an attempt that is under way is heard to its end. Default: `signal`. */
  waitSignal?: AbortSignal | undefined;
  /** The answer has no end: it may stay silent for long. */
  streams?: boolean | undefined;
  /** Milliseconds that the service may hold the answer on purpose, on top of the usual time. */
  heldMs?: number | undefined;
}

export interface Answer {
  status: number;
  header(name: string): string | undefined;
  text: string;
  /** The body, parsed; undefined when the answer has none. */
  json: unknown;
  requestId: string | undefined;
}

/** Sends calls: key, user agent, pools, quotas, retries and errors are the same for all three interfaces. */
export class Transport {
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly serverlessUrl: string;
  readonly graphqlUrl: string;
  readonly queueLimits: ClientOptions["queueLimits"];
  readonly #options: ClientOptions;
  readonly #key: Secret;
  readonly #timeouts: Timeouts;
  readonly #gates: RateGates;
  readonly #policy: RetryPolicy;
  /** How far the service's clock is ahead of ours. */
  #aheadMs = 0;
  /** By address. */
  readonly #dispatchers = new Map<string, Dispatcher>();

  constructor(options: ClientOptions) {
    this.#key = new Secret(options.apiKey);
    this.#options = { ...options, apiKey: "" };
    this.baseUrl = checkAddress("baseUrl", options.baseUrl);
    this.serverlessUrl = checkAddress("serverlessUrl", options.serverlessUrl);
    this.graphqlUrl = checkAddress("graphqlUrl", options.graphqlUrl);
    this.queueLimits = options.queueLimits;
    this.clock = options.clock ?? systemClock;
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    const budgetMs = options.retryBudgetMs ?? defaultBudgetMs;
    this.#policy = { clock: this.clock, budgetMs, onRetry: options.onRetry };
    this.#gates = new RateGates({ clock: this.clock, longestWaitMs: budgetMs, onRetry: options.onRetry });
  }

  /**
   * Sends a call by the retry table and reads its answer.
   *
   * @param settle finds out what became of a call whose answer was lost, for the classes that may not be sent twice
   */
  async send<T>(call: WireCall, read: (answer: Answer) => T, settle?: Settle<T>): Promise<T> {
    const facts = this.#factsOf(call);
    return this.#retried(call, settle, async (response) => {
      const answer = await answerOf(response);
      if (answer.text !== "" && answer.json === undefined) return { failure: failureOfBody(answer, facts) };
      return { value: read(answer) };
    });
  }

  /** Opens a stream; only the opening is retried. The caller reads it to its end or destroys it. */
  async open(call: WireCall): Promise<Dispatcher.ResponseData["body"]> {
    return this.#retried({ ...call, streams: true }, undefined, async ({ body }) => ({ value: body }));
  }

  /** The error of a stream that broke. */
  errorOf(exception: unknown, call: WireCall): unknown {
    return failureOfException(exception, this.#factsOf(call))?.toError({ attempts: 1, elapsedMs: 0 }) ?? exception;
  }

  /** The error for a key that an interface does not know, whatever status it says so with. */
  unknownKey(facts: ErrorFacts): ComputeCloudError {
    const call = { method: "POST", apiKeySource: this.#options.apiKeySource };
    return errorOfStatus(401, { ...facts, status: 401, title: "Unauthorized" }, call);
  }

  /** A time of ours as the service's clock has it. Milliseconds since 1970. */
  serviceTime(ms: number): number {
    return ms + this.#aheadMs;
  }

  /** A text of the service, safe to show. */
  redact(text: string, secrets: readonly string[] = []): string {
    return redact(text, [this.#key.reveal(), ...secrets]);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#dispatchers.values()].map((dispatcher) => dispatcher.close()));
  }

  #retried<T>(
    call: WireCall,
    settle: Settle<T> | undefined,
    use: (response: Dispatcher.ResponseData) => Promise<Outcome<T>>,
  ): Promise<T> {
    const signal = this.#signalOf(call);
    let heldBackMs = 0;
    const attempt = async () => {
      const asked = this.clock.now();
      call.waitSignal?.throwIfAborted();
      const pass = await this.#gates.admit({ ...call, signal: call.waitSignal ?? signal });
      heldBackMs += this.clock.now() - asked;
      return this.#attempt({ ...call, signal }, pass, use);
    };
    const { label } = call;
    const run = {
      label,
      class: call.class,
      attempt,
      heldBackMs: () => heldBackMs,
      settle,
      signal: call.waitSignal ?? signal,
    };
    return withRetries(run, this.#policy);
  }

  async #attempt<T>(
    call: WireCall,
    pass: Pass,
    use: (response: Dispatcher.ResponseData) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    try {
      const response = await this.#request(call);
      pass.answered(response.statusCode, headerOf(response));
      this.#learnTime(headerOf(response)("date"));
      if (response.statusCode < 300) return await use(response);
      return { failure: failureOfAnswer(await answerOf(response), this.#factsOf(call), pass.refusal) };
    } catch (exception) {
      call.signal?.throwIfAborted();
      const failure = failureOfException(exception, this.#factsOf(call));
      if (failure === undefined) throw exception;
      return { failure };
    } finally {
      pass.done();
    }
  }

  async #request(call: WireCall): Promise<Dispatcher.ResponseData> {
    const url = new URL(call.url);
    const key = this.#key.reveal();
    return this.#dispatcherOf(url.origin).request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: call.method,
      headers: {
        authorization: call.rawKey === true ? key : `Bearer ${key}`,
        "user-agent": userAgent,
        accept: "application/json",
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      body: call.body ?? null,
      signal: call.signal ?? null,
      headersTimeout: this.#timeouts.headersMs + (call.heldMs ?? 0),
      bodyTimeout: call.streams === true ? 0 : this.#timeouts.bodyMs,
    });
  }

  #dispatcherOf(origin: string): Dispatcher {
    let dispatcher = this.#dispatchers.get(origin);
    if (dispatcher === undefined) {
      const holds = origin === new URL(this.serverlessUrl).origin;
      dispatcher = createDispatcher(holds ? heldConnections : connections, this.#timeouts);
      this.#dispatchers.set(origin, dispatcher);
    }
    return dispatcher;
  }

  #learnTime(date: string | undefined): void {
    const aheadMs = Date.parse(date ?? "") - this.clock.now();
    if (Number.isNaN(aheadMs)) return;
    this.#aheadMs = Math.abs(aheadMs) < dateResolutionMs ? 0 : aheadMs;
  }

  #factsOf(call: WireCall): CallFacts {
    const key = this.#key;
    return {
      method: call.method,
      kind: call.kind,
      id: call.id,
      apiKeySource: this.#options.apiKeySource,
      get secrets() {
        return [key.reveal(), ...(typeof call.secrets === "function" ? call.secrets() : (call.secrets ?? []))];
      },
    };
  }

  #signalOf(call: WireCall): AbortSignal | undefined {
    const signals = [this.#options.signal, call.signal].filter((signal) => signal !== undefined);
    return signals.length < 2 ? signals[0] : AbortSignal.any(signals);
  }
}

function headerOf(response: Dispatcher.ResponseData): (name: string) => string | undefined {
  return (name) => {
    const value = response.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
}

async function answerOf(response: Dispatcher.ResponseData): Promise<Answer> {
  const header = headerOf(response);
  const text = await response.body.text();
  return { status: response.statusCode, header, text, json: parseJson(text), requestId: header("x-request-id") };
}
