import { kept } from "../../common/kept";
import { Redacted, redact } from "../../common/redact";
import { AbortError, ComputeCloudError, ContractError, type ErrorFacts } from "../errors";
import {
  type AnswerLimits,
  type ClientOptions,
  type Clock,
  checkMilliseconds,
  type EndpointsThrough,
  type KeyPlace,
  type Timeouts,
  withDefaults,
} from "../options";
import {
  type CallFacts,
  FailedAnswer,
  failureOfAnswer,
  failureOfBody,
  failureOfException,
  failureOfStream,
  failureOfTime,
} from "../outcomes/failures";
import { type AttemptResult, type Failure, type Reconcile, type Tally, withRetries } from "../outcomes/retry";
import { errorMessage, errorOfStatus } from "../outcomes/statuses";
import type { Answer, WireCall } from "./call";
import { Cancellation, TimeLimit } from "./cancellation";
import { systemClock } from "./clock";
import { Pools } from "./dispatcher";
import type { Headers } from "./exchange";
import { CallHooks, type Hooks, RequestStopped } from "./hooks";
import { observersOf } from "./observers";
import { announced, type Permit, RateLimiter } from "./rateLimit";
import { Reachability } from "./reachability";
import { ServiceClock } from "./serviceClock";
import { CallsUnderWay } from "./underWay";
import { userAgentOf } from "./userAgent";
import { type Attempt, originOf, type StreamBody, Wire } from "./wire";

const DEFAULT_BUDGET_MS = 120_000;
/** The time for a last attempt that begins at the end of the budget. */
const LAST_ATTEMPT_MS = 180_000;
/** An address that has never answered is tried for this share of the budget, and at least for `leastMs`. */
const FIRST_CONTACT = { share: 1 / 8, leastMs: 3_000 };
const defaultTimeouts = { connectMs: 10_000, headersMs: 60_000, bodyMs: 60_000 };
const defaultLimits: AnswerLimits = { answerBytes: 64 * 1024 ** 2, pages: 1_000 };

/** A call under way, and its current attempt. */
class Running {
  /** When the call has to be over, by the client's clock. Without `timeoutMs` it is set when the quota first admits the call. */
  deadline = Infinity;
  /** Of the current attempt; 1 for the first. */
  number = 0;
  /** When the current attempt began. */
  beganAt = 0;
  /** Whether the current attempt's request has begun to be sent. */
  sent = false;
  /** How long the call has waited for quotas so far. */
  heldBackMs = 0;

  constructor(
    readonly call: WireCall,
    readonly facts: CallFacts,
    readonly cancellation: Cancellation,
    readonly hooks: CallHooks,
    readonly address: Reachability,
    readonly serviceClock: ServiceClock,
    readonly limitMs: number,
  ) {}

  onSend(): void {
    this.sent = true;
  }

  onAnswer({ date }: Headers): void {
    this.sent = true;
    this.address.answered();
    this.serviceClock.learn(date);
  }
}

type Use<T> = (attempt: Attempt, permit: Permit) => Promise<AttemptResult<T>>;

export interface Lasting {
  readonly signal: AbortSignal;
  /** Stops listening. */
  over(): void;
}

/** Sends calls by the retry table. Quotas, retries, time limits and errors are the same for REST, GraphQL and queues. */
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
  /** Everything that observes the calls. */
  readonly observers: readonly Hooks[];
  readonly #options: ClientOptions;
  readonly #key: Redacted;
  /** By quota: a 429 to one call stops all calls that share it. */
  readonly #limiters = new Map<string, RateLimiter>();
  readonly #newLimiter = (quota: string) =>
    new RateLimiter({ clock: this.clock, longestWaitMs: this.budgetMs }, announced.has(quota));
  readonly #pools: Pools;
  readonly #wire: Wire;
  readonly #serviceClock: ServiceClock;
  readonly #underWay = new CallsUnderWay();
  /** By origin. */
  readonly #addresses = new Map<string, Reachability>();
  readonly #newAddress = () => new Reachability(Math.max(this.budgetMs * FIRST_CONTACT.share, FIRST_CONTACT.leastMs));
  #restTakesKey = false;

  /** @param options their key and addresses must be checked already; see settings.ts */
  constructor(options: ClientOptions) {
    this.#key = new Redacted(options.apiKey);
    this.#options = { ...options, apiKey: "" };
    this.observers = observersOf(options);
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
    const { clock, limits, timeouts } = this;
    this.#pools = new Pools(options.dispatcher, timeouts.connectMs);
    this.#wire = new Wire({
      key: this.#key,
      pools: this.#pools,
      userAgent: userAgentOf(options.appInfo),
      limits,
      timeouts,
    });
    this.#serviceClock = new ServiceClock(clock);
  }

  /**
   * Sends a call by the retry table and reads its answer.
   *
   * @param read extracts the result from the answer; a ContractError or FailedAnswer makes the answer count as lost
   * @param reconcile finds out whether a call with a lost answer was done, for the classes that must not be sent twice
   * @throws ComputeCloudError, by the last failure; the signal's reason; what a hook or `read` threw
   */
  send<T>(call: WireCall, read: (answer: Answer) => T, reconcile?: Reconcile<T>): Promise<T> {
    const use: Use<T> = async (attempt, permit) => {
      const answer = await this.#wire.exchange(attempt, permit);
      this.#restTakesKey ||= call.quota === "rest" && answer.status < 300;
      if (answer.status >= 300) return { failure: failureOfAnswer(answer, attempt.facts, permit.refusal) };
      if (answer.text !== "" && answer.json === undefined) return { failure: failureOfBody(answer, attempt.facts) };
      return readBy(read, answer);
    };
    return this.#during(call, async (running) => {
      const value = await this.#retried(running, reconcile, use);
      running.cancellation.release();
      return value;
    });
  }

  /** Opens a stream. Only the opening is retried. The caller must read to the end or leave the loop, to free the socket. */
  open(call: WireCall): Promise<AsyncIterable<Uint8Array>> {
    return this.#during(call, async (running) => {
      const body = await this.#retried<StreamBody>(running, undefined, async (attempt, permit) => {
        const opened = await this.#wire.openStream(attempt, permit);
        if ("stream" in opened) return { value: opened.stream };
        if ("foreign" in opened) return { failure: failureOfStream(opened.foreign, attempt.facts) };
        return { failure: failureOfAnswer(opened.refusal, attempt.facts, permit.refusal) };
      });
      // A stream has no end of its own, so only the caller's time limit applies.
      if (call.timeoutMs === undefined) running.cancellation.endAfter(Infinity);
      return this.#chunks(body, running);
    });
  }

  /** The error of a stream that broke. */
  errorOf(exception: unknown, call: WireCall): unknown {
    return failureOfException(exception, this.#factsOf(call))?.toError({ attempts: 1, elapsedMs: 0 }) ?? exception;
  }

  /** The error for a key that GraphQL does not know, whatever the status of its answer. */
  unknownKey(facts: ErrorFacts): ComputeCloudError {
    const { apiKeySource } = this.#options;
    const call = { method: "POST", quota: "graphql", apiKeySource, otherKeyPlace: () => this.#otherKeyPlace() };
    return errorOfStatus(401, { ...facts, status: 401, title: "Unauthorized" }, call);
  }

  /** Converts a time of our clock to the service's clock. Milliseconds since 1970. */
  serviceTime(ms: number): number {
    return this.#serviceClock.timeOf(ms);
  }

  /** Removes the key and the given secrets from a text of the service. */
  redact(text: string, secrets: readonly string[] = []): string {
    // mutant key-shown: text
    return redact(text, [this.#key.reveal(), ...secrets]);
  }

  /** Ends streams, waits for the calls under way, and releases the sockets. */
  close(): Promise<void> {
    return this.#underWay.close(() => this.#pools.release());
  }

  /** For work that spans several calls, such as a wait: its signal is aborted by the signals and by `close`. */
  lasting(signal: AbortSignal | undefined): Lasting {
    const cancellation = new Cancellation(signal, this.#options.signal);
    this.#underWay.streamBegan(cancellation);
    return {
      signal: cancellation.signal,
      over: () => {
        this.#underWay.streamEnded(cancellation);
        cancellation.release();
      },
    };
  }

  /** Runs the cleanup of such work, such as cancelling its jobs. It may still make calls when the client is closing. */
  finish<T>(end: () => Promise<T>): Promise<T> {
    return this.#underWay.search(async () => {
      this.#underWay.enter();
      try {
        return await end();
      } finally {
        this.#underWay.leave();
      }
    });
  }

  async #during<T>(call: WireCall, run: (running: Running) => Promise<T>): Promise<T> {
    this.#underWay.enter();
    let running: Running | undefined;
    try {
      running = this.#running(call);
      const result = await run(running);
      // A hook's error is thrown by the program's own call, not by a search inside it.
      if (!this.#underWay.isSearching) running.hooks.throwIfThrown();
      return result;
    } catch (error) {
      running?.cancellation.release();
      throw this.#underWay.isSearching ? error : (running?.hooks.errorOver(error) ?? error);
    } finally {
      this.#underWay.leave();
    }
  }

  #running(call: WireCall): Running {
    const { timeoutMs } = call;
    checkMilliseconds("timeoutMs", timeoutMs);
    const running = new Running(
      call,
      this.#factsOf(call),
      new Cancellation(call.signal, this.#options.signal),
      new CallHooks(this.observers, call),
      kept(this.#addresses, originOf(call.url), this.#newAddress),
      this.#serviceClock,
      timeoutMs ?? this.timeouts.callMs + (call.heldMs ?? 0),
    );
    if (timeoutMs !== undefined) running.deadline = this.clock.now() + timeoutMs;
    return running;
  }

  #retried<T>(running: Running, reconcile: Reconcile<T> | undefined, use: Use<T>): Promise<T> {
    const { call, cancellation, hooks } = running;
    cancellation.throwIfEnded();
    if (call.timeoutMs !== undefined) cancellation.endAfter(call.timeoutMs);
    const run = {
      label: call.label,
      class: call.class,
      attempts: call.attempts ?? this.#options.maxAttempts,
      attempt: () => this.#attempt(running, use),
      heldBackMs: () => running.heldBackMs,
      leftMs: () => running.deadline - this.clock.now(),
      reconcile: reconcile && ((lost: ComputeCloudError) => this.#search(running, () => reconcile(lost))),
      signal: () => call.waitSignal ?? cancellation.signal,
      hooks,
    };
    return withRetries(run, { clock: this.clock, budgetMs: this.budgetMs });
  }

  /** Finds out whether a call with a lost answer was done. */
  async #search<T>(running: Running, find: () => Promise<T>): Promise<T> {
    try {
      return await this.#underWay.search(find);
    } catch (error) {
      throw running.cancellation.ended && !(error instanceof ComputeCloudError) ? aborted(running, error) : error;
    }
  }

  async #attempt<T>(running: Running, use: Use<T>): Promise<AttemptResult<T>> {
    const { call, cancellation, hooks } = running;
    running.number += 1;
    running.beganAt = this.clock.now();
    running.sent = false;
    let permit: Permit | undefined;
    try {
      permit = kept(this.#limiters, call.quota, this.#newLimiter).tryAdmit(call) ?? (await this.#admitted(running));
      if (running.deadline === Infinity) {
        running.deadline = this.clock.now() + running.limitMs;
        cancellation.endAfter(running.limitMs);
      }
      // A wait with `waitSignal` does not end with the call.
      cancellation.throwIfEnded();
      return await use(running, permit);
    } catch (exception) {
      hooks.failed(exception);
      return { failure: this.#failureOf(exception, running) };
    } finally {
      permit?.done();
    }
  }

  async #admitted(running: Running): Promise<Permit> {
    const { call, cancellation, hooks } = running;
    call.waitSignal?.throwIfAborted();
    const patience = {
      leftMs: () => running.deadline - this.clock.now(),
      signal: call.waitSignal ?? cancellation.signal,
      hooks,
    };
    try {
      return await kept(this.#limiters, call.quota, this.#newLimiter).admit(call, patience);
    } finally {
      running.heldBackMs += this.clock.now() - running.beganAt;
      running.beganAt = this.clock.now();
    }
  }

  /** @throws what ends the call: an abort, an error of the client, a mistake in the program */
  #failureOf(exception: unknown, running: Running): Failure {
    const { address, cancellation, facts, sent } = running;
    if (exception instanceof TimeLimit) {
      cancellation.goOn();
      return failureOfTime(running.limitMs, sent, facts);
    }
    if (cancellation.ended && sent && running.call.class !== "repeatable") throw aborted(running, cancellation.reason);
    cancellation.throwIfEnded();
    const failure = exception instanceof RequestStopped ? undefined : failureOfException(exception, facts);
    if (failure === undefined) throw exception;
    if (failure.unreachable !== undefined) {
      return { ...failure, patienceMs: address.patienceMs(failure, running.beganAt, this.clock.now()) };
    }
    // The connection broke before the request was sent, so the service can't have acted.
    return failure.fault === "doubtful" && !sent ? { ...failure, fault: "untouched" } : failure;
  }

  async *#chunks(body: StreamBody, { cancellation, limitMs, facts }: Running): AsyncGenerator<Uint8Array> {
    this.#underWay.streamBegan(cancellation);
    try {
      for await (const chunk of body) yield chunk;
    } catch (error) {
      if (error instanceof TimeLimit)
        throw failureOfTime(limitMs, true, facts).toError({ attempts: 1, elapsedMs: limitMs });
      throw error;
    } finally {
      this.#underWay.streamEnded(cancellation);
      cancellation.release();
    }
  }

  /** GraphQL's other place for the key, once REST has accepted the key. */
  #otherKeyPlace(): KeyPlace | undefined {
    if (!this.#restTakesKey) return undefined;
    return this.graphqlKeyIn === "query" ? "header" : "query";
  }

  #factsOf(call: WireCall): CallFacts {
    return {
      otherKeyPlace: () => this.#otherKeyPlace(),
      method: call.method,
      kind: call.kind,
      id: call.id,
      scope: call.scope,
      label: call.label,
      quota: call.quota,
      apiKeySource: this.#options.apiKeySource,
      redact: (text) => this.redact(text, call.secrets?.()),
    };
  }
}

/** The error of a call that was aborted after it was sent: the service may have acted on it. */
function aborted({ facts }: Running, reason: unknown): AbortError {
  const known = { kind: facts.kind, id: facts.id, code: "ABORTED" };
  const title = `${facts.label} was aborted after it was sent`;
  return new AbortError(
    errorMessage({ ...known, title }, "It may have been done: look before it is sent again."),
    known,
    reason,
  );
}

/** An answer without the expected content counts as lost: the service may still have done the work. */
function readBy<T>(read: (answer: Answer) => T, answer: Answer): AttemptResult<T> {
  try {
    return { value: read(answer) };
  } catch (error) {
    if (error instanceof FailedAnswer) return { failure: error.failure };
    if (!(error instanceof ContractError)) throw error;
    const toError = ({ outcomeUnknown }: Tally) =>
      new ContractError(error.message, {
        ...error,
        requestId: answer.requestId,
        headers: answer.headers,
        outcomeUnknown,
      });
    return { failure: { fault: "unreadable", reason: "unreadable answer", toError } };
  }
}
