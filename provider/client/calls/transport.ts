import { AsyncLocalStorage } from "node:async_hooks";
import type { Dispatcher } from "undici";
import { type ComputeCloudError, ContractError, type ErrorFacts, UsageError } from "../errors";
import {
  type AnswerLimits,
  type CallOptions,
  type ClientOptions,
  type Clock,
  checkMilliseconds,
  type EndpointsThrough,
  type KeyPlace,
  type Timeouts,
  withDefaults,
} from "../options";
import {
  BodyLimit,
  type CallFacts,
  FailedAnswer,
  failureOfAnswer,
  failureOfBody,
  failureOfException,
  failureOfTime,
} from "../outcomes/failures";
import { type CallClass, type Failure, type Outcome, type Reconcile, withRetries } from "../outcomes/retry";
import { errorOfStatus } from "../outcomes/statuses";
import { redact, Secret } from "../text/redact";
import { parseJson } from "../values/json";
import { Cancellation, TimeLimit } from "./cancellation";
import { systemClock } from "./clock";
import { decompress, ENCODINGS } from "./decompress";
import { Pools, type Use } from "./dispatcher";
import { exchange, type Headers } from "./exchange";
import { type LimitedCall, type Permit, RateLimiters } from "./rateLimit";
import { userAgent } from "./userAgent";

const DEFAULT_BUDGET_MS = 120_000;
/** What a last attempt that begins at the end of the budget may take. */
const LAST_ATTEMPT_MS = 180_000;
/**
 * How long an address is tried that refuses every connection and has never answered: it is more likely to be wrong than
 * to start just now. One that has answered before is down for a while, and has the whole budget.
 */
const STRANGER_MS = 3_000;
/** `Date` tells whole seconds, a while after they began: less than this apart, both clocks are taken to agree. */
const DATE_RESOLUTION_MS = 2_000;
const defaultTimeouts = { connectMs: 10_000, headersMs: 60_000, bodyMs: 60_000 };
const defaultLimits: AnswerLimits = { answerBytes: 64 * 1024 ** 2, eventLength: 16 * 1024 ** 2, pages: 1_000 };

/** The search for what became of a call is part of that call: a client that is closed lets it come to its end. */
const reconciling = new AsyncLocalStorage<Transport>();

/** One call as the wire sees it, whichever interface it belongs to. */
export interface WireCall extends CallOptions, LimitedCall {
  class: CallClass;
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
  /** How the key is sent: in the header, as a bearer or as it is, or in the query. Default `bearer`. */
  key?: "bearer" | "raw" | "query" | undefined;
  /** Credentials in the body, removed from what the service says about it. Asked for only when there is an error. */
  secrets?: (() => readonly string[]) | undefined;
  /** Ends the waits before an attempt; an attempt that is under way is heard to its end. Default: `signal`. */
  waitSignal?: AbortSignal | undefined;
  /** Milliseconds that the service may hold the answer on purpose, on top of the usual time. */
  heldMs?: number | undefined;
}

export interface Answer {
  status: number;
  header(name: string): string | undefined;
  text: string;
  /** The body, parsed; undefined when the answer has none. */
  json: unknown;
  /** Safe to show. */
  readonly requestId: string | undefined;
}

/** What one address has shown of itself. */
interface Acquaintance {
  answered: boolean;
  /** Since when it has refused every connection. */
  refusingSince: number | undefined;
}

/** One call while it lasts. */
interface Running {
  readonly call: WireCall;
  readonly origin: string;
  readonly address: Acquaintance;
  /** With the query. */
  readonly path: string;
  readonly facts: CallFacts;
  readonly cancellation: Cancellation;
  readonly limitMs: number;
  /** When it has to be over, by the client's clock; not known before the quota first lets it go. */
  deadline: number;
  attempt: number;
  /** When the present attempt began. */
  beganAt: number;
  /** Whether its request has begun to leave. */
  sent: boolean;
  /** How long quotas have kept it back so far. */
  heldBackMs: number;
}

/** Sends calls: key, user agent, pools, quotas, retries and errors are the same for all three interfaces. */
export class Transport {
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly serverlessUrl: string;
  readonly graphqlUrl: string;
  readonly graphqlKeyIn: KeyPlace;
  readonly endpointsThrough: EndpointsThrough;
  readonly queueLimits: ClientOptions["queueLimits"];
  readonly limits: AnswerLimits;
  readonly timeouts: Timeouts;
  /** How long one call is retried. */
  readonly budgetMs: number;
  readonly #options: ClientOptions;
  readonly #key: Secret;
  readonly #limiters: RateLimiters;
  readonly #pools: Pools;
  readonly #addresses = new Map<string, Acquaintance>();
  /** How far the service's clock is ahead of ours. */
  #aheadMs = 0;
  #lastDate: string | undefined;
  readonly #streams = new Set<Cancellation>();
  #callsUnderWay = 0;
  #closing: { done: Promise<void>; idle: () => void } | undefined;

  /** @param options with a key and addresses that were checked where they were resolved: see settings.ts */
  constructor(options: ClientOptions) {
    this.#key = new Secret(options.apiKey);
    this.#options = { ...options, apiKey: "" };
    this.baseUrl = options.baseUrl;
    this.serverlessUrl = options.serverlessUrl;
    this.graphqlUrl = options.graphqlUrl;
    this.graphqlKeyIn = options.graphqlKeyIn ?? "header";
    this.endpointsThrough = options.endpointsThrough ?? "auto";
    this.queueLimits = options.queueLimits;
    this.clock = options.clock ?? systemClock;
    this.limits = withDefaults(defaultLimits, options.limits);
    this.budgetMs = options.retryBudgetMs ?? DEFAULT_BUDGET_MS;
    this.timeouts = withDefaults({ ...defaultTimeouts, callMs: this.budgetMs + LAST_ATTEMPT_MS }, options.timeouts);
    const { clock } = this;
    this.#limiters = new RateLimiters({ clock, longestWaitMs: this.budgetMs, onRetry: options.onRetry });
    this.#pools = new Pools(options.dispatcher, this.timeouts.connectMs);
  }

  /**
   * Sends a call by the retry table and reads its answer.
   *
   * @param read takes what was asked for out of the answer; a ContractError or FailedAnswer makes it a lost one
   * @param reconcile finds out what became of a call whose answer was lost, for the classes that may not be sent twice
   */
  async send<T>(call: WireCall, read: (answer: Answer) => T, reconcile?: Reconcile<T>): Promise<T> {
    const running = this.#begin(call);
    try {
      return await this.#retried(running, reconcile, async (permit) => {
        const answer = await this.#exchange(running, permit);
        if (answer.status >= 300) return { failure: failureOfAnswer(answer, running.facts, permit.refusal) };
        if (answer.text !== "" && answer.json === undefined) return { failure: failureOfBody(answer, running.facts) };
        return readBy(read, answer);
      });
    } finally {
      running.cancellation.release();
      this.#callsUnderWay -= 1;
      if (this.#callsUnderWay === 0) this.#closing?.idle();
    }
  }

  /** Opens a stream; only the opening is retried. The caller reads it to its end or leaves the loop. */
  async open(call: WireCall): Promise<AsyncIterable<Uint8Array>> {
    const running = this.#begin(call);
    try {
      const body = await this.#retried(running, undefined, (permit) => this.#openStream(running, permit));
      // What has no end has no time limit but the caller's own.
      if (call.timeoutMs === undefined) running.cancellation.endAfter(Infinity);
      return this.#chunks(body, running);
    } catch (error) {
      running.cancellation.release();
      throw error;
    } finally {
      this.#callsUnderWay -= 1;
      if (this.#callsUnderWay === 0) this.#closing?.idle();
    }
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

  /** Ends streams, lets the calls under way be answered, and gives up its sockets. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing.done;
  }

  #close(): { done: Promise<void>; idle: () => void } {
    let idle = () => {};
    const answered = new Promise<void>((resolve) => {
      idle = resolve;
    });
    for (const stream of this.#streams) stream.end(closed());
    if (this.#callsUnderWay === 0) idle();
    return { idle, done: answered.then(() => this.#pools.release()) };
  }

  #begin(call: WireCall): Running {
    if (this.#closing !== undefined && reconciling.getStore() !== this) throw closed();
    checkMilliseconds("timeoutMs", call.timeoutMs);
    const cancellation = new Cancellation(call.signal, this.#options.signal);
    cancellation.throwIfEnded();
    this.#callsUnderWay += 1;
    const { timeoutMs } = call;
    if (timeoutMs !== undefined) cancellation.endAfter(timeoutMs);
    const limitMs = timeoutMs ?? this.timeouts.callMs + (call.heldMs ?? 0);
    const deadline = timeoutMs === undefined ? Infinity : this.clock.now() + timeoutMs;
    const [origin, path] = split(call.url);
    const address = this.#acquaintance(origin);
    const facts = this.#factsOf(call);
    return {
      call,
      origin,
      address,
      path,
      facts,
      cancellation,
      limitMs,
      deadline,
      attempt: 0,
      beganAt: 0,
      sent: false,
      heldBackMs: 0,
    };
  }

  #retried<T>(
    running: Running,
    reconcile: Reconcile<T> | undefined,
    use: (permit: Permit) => Promise<Outcome<T>>,
  ): Promise<T> {
    const { call, cancellation } = running;
    const run = {
      label: call.label,
      class: call.class,
      attempts: call.attempts,
      attempt: () => this.#attempt(running, use),
      heldBackMs: () => running.heldBackMs,
      leftMs: () => running.deadline - this.clock.now(),
      reconcile: reconcile && ((lost: ComputeCloudError) => reconciling.run(this, () => reconcile(lost))),
      signal: () => call.waitSignal ?? cancellation.signal,
    };
    return withRetries(run, { clock: this.clock, budgetMs: this.budgetMs, onRetry: this.#options.onRetry });
  }

  async #attempt<T>(running: Running, use: (permit: Permit) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { call } = running;
    running.attempt += 1;
    running.beganAt = this.clock.now();
    running.sent = false;
    let permit: Permit | undefined;
    try {
      permit = this.#limiters.for(call).tryAdmit(call) ?? (await this.#admitted(running));
      if (running.deadline === Infinity) {
        running.deadline = this.clock.now() + running.limitMs;
        running.cancellation.endAfter(running.limitMs);
      }
      // The wait may have been one that goes on when the call's time is over.
      running.cancellation.throwIfEnded();
      return await use(permit);
    } catch (exception) {
      return { failure: this.#failureOf(exception, running) };
    } finally {
      permit?.done();
    }
  }

  async #admitted(running: Running): Promise<Permit> {
    const { call, cancellation } = running;
    call.waitSignal?.throwIfAborted();
    const patience = {
      leftMs: () => running.deadline - this.clock.now(),
      signal: call.waitSignal ?? cancellation.signal,
    };
    try {
      return await this.#limiters.for(call).admit(call, patience);
    } finally {
      running.heldBackMs += this.clock.now() - running.beganAt;
      running.beganAt = this.clock.now();
    }
  }

  /** @throws what ends the call: an abort, an error of ours, a mistake in the program */
  #failureOf(exception: unknown, running: Running): Failure {
    const { cancellation, facts, sent } = running;
    if (exception instanceof TimeLimit) {
      cancellation.goOn();
      return failureOfTime(running.limitMs, sent, facts);
    }
    cancellation.throwIfEnded();
    const failure = failureOfException(exception, facts);
    if (failure === undefined) throw exception;
    if (failure.unreachable !== undefined) return { ...failure, patienceMs: this.#patienceWith(failure, running) };
    // A connection that broke before it was made.
    return failure.fault === "doubtful" && !sent ? { ...failure, fault: "untouched" } : failure;
  }

  /** How long an address that can't be reached is asked again. */
  #patienceWith({ unreachable }: Failure, { address, beganAt }: Running): number | undefined {
    if (address.answered) return undefined;
    // The connect time-out was its time.
    if (unreachable === "silent") return 0;
    address.refusingSince ??= beganAt;
    return STRANGER_MS - (this.clock.now() - address.refusingSince);
  }

  #acquaintance(origin: string): Acquaintance {
    const known = this.#addresses.get(origin);
    if (known !== undefined) return known;
    const unknown = { answered: false, refusingSince: undefined };
    this.#addresses.set(origin, unknown);
    return unknown;
  }

  async #exchange(running: Running, permit: Permit): Promise<Answer> {
    const { call, cancellation } = running;
    const began = performance.now();
    const { status, headers, body } = await exchange(this.#pools.for(useOf(call)), {
      request: this.#requestOf(running),
      cancellation,
      mostBytes: this.limits.answerBytes,
      onSend: () => {
        running.sent = true;
      },
      onStart: (status, headers) => this.#started(status, headers, permit, running),
    });
    const encoding = headerIn(headers, "content-encoding");
    const plain = encoding === undefined ? body : await decompress(body, encoding, this.limits.answerBytes);
    this.#tell(running, status, headers, performance.now() - began);
    return new ReceivedAnswer(status, headers, textOf(plain), running.facts);
  }

  async #openStream(running: Running, permit: Permit): Promise<Outcome<Dispatcher.ResponseData["body"]>> {
    const began = performance.now();
    running.sent = true;
    const response = await this.#pools.for("streams").request({
      ...this.#requestOf(running),
      bodyTimeout: 0,
      signal: running.cancellation.signal,
    });
    const { statusCode: status, headers, body } = response;
    this.#started(status, headers, permit, running);
    this.#tell(running, status, headers, performance.now() - began);
    if (status < 300) return { value: body };
    const text = textOf(await collected(body, this.limits.answerBytes));
    const answer = { status, header: (name: string) => headerIn(headers, name), text };
    return { failure: failureOfAnswer(answer, running.facts, permit.refusal) };
  }

  async *#chunks(body: AsyncIterable<Uint8Array>, { cancellation, limitMs, facts }: Running) {
    this.#streams.add(cancellation);
    // Closed while it was opened.
    if (this.#closing !== undefined) cancellation.end(closed());
    try {
      for await (const chunk of body) yield chunk;
    } catch (error) {
      if (error instanceof TimeLimit)
        throw failureOfTime(limitMs, true, facts).toError({ attempts: 1, elapsedMs: limitMs });
      throw error;
    } finally {
      this.#streams.delete(cancellation);
      cancellation.release();
    }
  }

  #requestOf({ call, origin, path, attempt }: Running): Dispatcher.DispatchOptions {
    const key = this.#key.reveal();
    const inQuery = call.key === "query";
    const headers: Record<string, string> = {
      ...(!inQuery && { authorization: call.key === "raw" ? key : `Bearer ${key}` }),
      "user-agent": userAgent,
      accept: "application/json",
      "accept-encoding": ENCODINGS,
      ...call.headers,
    };
    if (call.body !== undefined) headers["content-type"] = "application/json";
    const { onRequest } = this.#options;
    if (onRequest !== undefined) {
      const added: Record<string, string> = {};
      onRequest({ call: call.label, attempt, headers: added });
      Object.assign(headers, added);
    }
    return {
      origin,
      path: inQuery ? `${path}?api_key=${encodeURIComponent(key)}` : path,
      method: call.method,
      headers,
      body: call.body ?? null,
      headersTimeout: this.timeouts.headersMs + (call.heldMs ?? 0),
      bodyTimeout: this.timeouts.bodyMs,
    };
  }

  /** An answer has begun. */
  #started(status: number, headers: Headers, permit: Permit, running: Running): void {
    permit.answered(status, (name) => headerIn(headers, name));
    this.#learnTime(headers.date);
    running.address.answered = true;
    running.sent = true;
  }

  #tell(running: Running, status: number, headers: Headers, ms: number): void {
    const { call, attempt, facts } = running;
    const { onResponse } = this.#options;
    if (onResponse === undefined && call.onResponse === undefined) return;
    const requestId = headerIn(headers, "x-request-id");
    const event = {
      call: call.label,
      attempt,
      status,
      requestId: requestId && facts.redact(requestId),
      headers: redacted(headers, facts),
      ms,
    };
    onResponse?.(event);
    call.onResponse?.(event);
  }

  #learnTime(date: string | undefined): void {
    if (date === this.#lastDate) return;
    this.#lastDate = date;
    const aheadMs = Date.parse(date ?? "") - this.clock.now();
    if (Number.isNaN(aheadMs)) return;
    this.#aheadMs = Math.abs(aheadMs) < DATE_RESOLUTION_MS ? 0 : aheadMs;
  }

  #factsOf(call: WireCall): CallFacts {
    return {
      method: call.method,
      kind: call.kind,
      id: call.id,
      label: call.label,
      quota: call.quota,
      apiKeySource: this.#options.apiKeySource,
      redact: (text) => this.redact(text, call.secrets?.()),
    };
  }
}

class ReceivedAnswer implements Answer {
  readonly json: unknown;
  readonly #headers: Headers;
  readonly #facts: CallFacts;

  constructor(
    readonly status: number,
    headers: Headers,
    readonly text: string,
    facts: CallFacts,
  ) {
    this.json = parseJson(text);
    this.#headers = headers;
    this.#facts = facts;
  }

  header(name: string): string | undefined {
    return headerIn(this.#headers, name);
  }

  get requestId(): string | undefined {
    const id = this.header("x-request-id");
    return id === undefined ? undefined : this.#facts.redact(id);
  }
}

/** An answer that lacks what was asked for is a lost answer: what it was about may have been done. */
function readBy<T>(read: (answer: Answer) => T, answer: Answer): Outcome<T> {
  try {
    return { value: read(answer) };
  } catch (error) {
    if (error instanceof FailedAnswer) return { failure: error.failure };
    if (!(error instanceof ContractError)) throw error;
    return { failure: { fault: "unreadable", reason: "unreadable answer", toError: () => error } };
  }
}

/** Calls of a queue are many, and those that are held on purpose must not keep the others waiting. */
function useOf(call: WireCall): Use {
  if (call.heldMs !== undefined) return "held";
  return call.quota.startsWith("queue ") ? "queue" : "calls";
}

/** Addresses are normal already: to parse each anew takes longer than the rest of a request. */
function split(url: string): [origin: string, path: string] {
  const host = url.indexOf("//") + 2;
  const slash = url.indexOf("/", host);
  if (slash >= 0) return [url.slice(0, slash), url.slice(slash)];
  const query = url.indexOf("?", host);
  return query < 0 ? [url, "/"] : [url.slice(0, query), `/${url.slice(query)}`];
}

function closed(): UsageError {
  return new UsageError("This client is closed. Make a new one.");
}

function headerIn(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** An answer may quote the address that was asked for, as that of a redirect does. */
function redacted(headers: Headers, { redact }: CallFacts): Headers {
  const safe = (value: string | string[] | undefined) =>
    Array.isArray(value) ? value.map(redact) : value && redact(value);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, safe(value)]));
}

/** Without a mark of its byte order. */
function textOf(body: Buffer): string {
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString("utf8", marked ? 3 : 0);
}

async function collected(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new BodyLimit(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
