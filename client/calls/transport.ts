import { Readable } from "node:stream";
import { getOrCreate } from "../../common/getOrCreate";
import { hideDuring, hideKey, Redacted, secretsInHeaders } from "../../common/redact";
import { type ComputeCloudError, ContractError, type ErrorFacts } from "../errors";
import {
  type AnswerLimits,
  type ClientOptions,
  type Clock,
  checkOptions,
  type KeyPlace,
  withDefaults,
} from "../options";
import {
  FailedAnswer,
  failureOfAnswer,
  failureOfBody,
  failureOfException,
  failureOfNoWorker,
  failureOfStream,
  failureOfTime,
} from "../outcomes/failures";
import type { AttemptResult, Reconcile, Tally } from "../outcomes/retry";
import { errorOfStatus } from "../outcomes/statuses";
import type { Answer, Permit, Settings, WireCall } from "./call";
import { Cancellation, systemClock, TimeLimit } from "./cancellation";
import { type Headers as AnswerHeaders, headerIn } from "./headers";
import { CallHooks, observersOf } from "./hooks";
import { announced, RateLimiter } from "./rateLimit";
import { Sending } from "./sending";
import { CallsUnderWay, LateChanges, Reachability, ServiceClock } from "./shared";
import { decompressedStream, type Opened, splitUrl, Wire } from "./wire";

const DEFAULT_BUDGET_MS = 120_000;
/** The time for a last attempt that begins at the end of the budget. */
const LAST_ATTEMPT_MS = 180_000;
const defaultTimeouts = { connectMs: 10_000, headersMs: 60_000, bodyMs: 60_000 };
const defaultLimits: AnswerLimits = { answerBytes: 64 * 1024 ** 2, pages: 1_000 };

/** An answer that was not read yet. */
export interface OpenAnswer extends Omit<Opened, "stream"> {
  readonly body: AsyncIterableIterator<Uint8Array>;
  /** Whether the body is read as it is meant; otherwise it has the encoding that its headers name. */
  readonly isPlain: boolean;
}

/** Sends one attempt's request with this body. */
export type Send = (body: WireCall["body"]) => Promise<Answer>;

/** The kind of a call to a load balancer. */
export const BALANCER = "Load balancer";

/** Sends calls by the retry table. Quotas, retries, time limits and errors are the same for REST, GraphQL and queues. */
export class Transport {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly #wire: Wire;
  /** By quota. */
  readonly #limiters = new Map<string, RateLimiter>();
  /** By origin. */
  readonly #addresses = new Map<string, Reachability>();
  readonly #serviceClock: ServiceClock;
  readonly #lateChanges: LateChanges;
  readonly #underWay = new CallsUnderWay();
  #restTakesKey = false;

  /**
   * @param options their key and addresses must be checked already; see settings.ts
   * @throws UsageError for an option that no call could work with
   */
  constructor(options: ClientOptions) {
    checkOptions(options);
    this.settings = settingsOf(options);
    this.clock = this.settings.clock;
    this.#wire = new Wire(this.settings);
    this.#serviceClock = new ServiceClock(this.clock);
    this.#lateChanges = new LateChanges(this.clock);
  }

  /**
   * Sends a call by the retry table and reads its answer.
   *
   * @param read extracts the result from the answer; a ContractError or FailedAnswer makes the answer count as lost
   * @param reconcile finds out whether a call with a lost answer was done, for the classes that must not be sent twice
   * @throws ComputeCloudError, by the last failure; the signal's reason; what a hook or `read` threw
   */
  send<T>(call: WireCall, read: (answer: Answer) => T, reconcile?: Reconcile<T>): Promise<T> {
    return this.sendBy(call, async (send) => read(await send(call.body)), reconcile);
  }

  /**
   * The same for a call whose body another library makes, and whose answer it reads.
   *
   * @param use runs the library for one attempt, with what sends its request
   */
  sendBy<T>(call: WireCall, use: (send: Send) => Promise<T>, reconcile?: Reconcile<T>): Promise<T> {
    const attempt = async (sending: Sending, permit: Permit): Promise<AttemptResult<T>> => {
      let answer: Answer | undefined;
      const send: Send = async (body) => {
        answer = await this.#wire.exchange(sending, permit, body);
        this.#restTakesKey ||= call.quota === "rest" && answer.status < 300;
        if (answer.status >= 300) throw new FailedAnswer(failureOfAnswer(answer, sending.of.facts(), permit.refusal));
        if (answer.text === "" || answer.json !== undefined) return answer;
        throw new FailedAnswer(failureOfBody(answer, sending.of.facts()));
      };
      try {
        return { value: await use(send) };
      } catch (error) {
        if (error instanceof FailedAnswer) return error;
        if (!(error instanceof ContractError)) throw error;
        // An answer without the expected content counts as lost: the service may still have done the work.
        const { requestId, headers } = answer ?? {};
        const toError = ({ outcomeUnknown }: Tally) =>
          new ContractError(error.message, { ...error, requestId, headers, outcomeUnknown });
        return { failure: { fault: "unreadable", reason: "unreadable answer", toError } };
      }
    };
    return this.#run(call, attempt, reconcile);
  }

  /** Opens a stream. Only the opening is retried. The caller must read to the end or leave the loop, to free the socket. */
  open(call: WireCall): Promise<AsyncIterable<Uint8Array>> {
    return this.#run(call, async (sending, permit) => {
      const opened = await this.#wire.open(sending, permit);
      const { stream, status, headers } = opened;
      permit.answered(status, headers);
      if (status >= 300) {
        const { answer } = await this.#wire.beginning(sending, opened);
        return { failure: failureOfAnswer(answer, sending.of.facts(), permit.refusal) };
      }
      const header = (name: string) => headerIn(headers, name);
      // A 2xx of another type is not read: it may have no end.
      const isOfEvents = header("content-type")?.startsWith("text/event-stream") ?? true;
      const plain = isOfEvents ? decompressedStream(stream, header("content-encoding")) : undefined;
      if (plain !== undefined) return { value: this.#parts(plain, sending, false) };
      stream.destroy();
      return { failure: failureOfStream({ status, header }, sending.of.facts()) };
    });
  }

  /**
   * Opens the answer of a server, such as an endpoint's worker, of whatever status. Only the opening is retried. Read it to the
   * end, or leave it.
   *
   * @param isAnswer whether an answer is the server's, by its headers or else by its text; all others are refusals
   */
  openAnswer(
    call: WireCall,
    isAnswer: (status: number, headers: AnswerHeaders, refusal?: Answer) => boolean,
  ): Promise<OpenAnswer> {
    return this.#run(call, async (sending, permit) => {
      const opened = await this.#wire.open(sending, permit);
      const { stream, status, headers } = opened;
      const value = (body: Readable, isPlain: boolean) => {
        // A server's own 429 says nothing about the service's limits.
        permit.answered(200, headers);
        return { value: { status, headers, isPlain, body: this.#parts(body, sending, true) } };
      };
      if (isAnswer(status, headers)) {
        const plain = decompressedStream(stream, headerIn(headers, "content-encoding"));
        return value(plain ?? stream, plain !== undefined);
      }
      const { answer, body } = await this.#wire.beginning(sending, opened);
      if (isAnswer(status, headers, answer)) return value(Readable.from([body]), true);
      permit.answered(status, headers);
      const facts = sending.of.facts();
      if (status === 400 && call.kind === BALANCER) return { failure: failureOfNoWorker(answer, facts) };
      return { failure: failureOfAnswer(answer, facts, permit.refusal) };
    });
  }

  /** The error of a stream that broke. */
  errorOf(exception: unknown, call: WireCall): unknown {
    const failure = failureOfException(exception, this.#factsOf(call), true);
    return failure?.toError({ attempts: 1, elapsedMs: 0 }) ?? exception;
  }

  /** The error for a key that GraphQL does not know, whatever the status of its answer. */
  unknownKey(facts: ErrorFacts): ComputeCloudError {
    const call = this.#factsOf({ method: "POST", quota: "graphql" });
    return errorOfStatus(401, { ...facts, status: 401, title: "Unauthorized" }, call);
  }

  /** Converts a time of our clock, by default the present, to the service's clock. Milliseconds since 1970. */
  serviceTime(ms = this.clock.now()): number {
    return this.#serviceClock.timeOf(ms);
  }

  /** Ends streams, waits for the calls under way, and releases the sockets. */
  close(): Promise<void> {
    return this.#underWay.close(() => this.#wire.close());
  }

  /** For work that spans several calls, such as a wait: ended by the signals and by `close`, until it is released. */
  lasting(signal: AbortSignal | undefined): Cancellation {
    const cancellation = new Cancellation(signal, this.settings.signal);
    this.#underWay.endWithClient(cancellation);
    return cancellation;
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

  async #run<T>(
    call: WireCall,
    attempt: (sending: Sending, permit: Permit) => Promise<AttemptResult<T>>,
    reconcile?: Reconcile<T>,
  ): Promise<T> {
    this.#underWay.enter();
    const { settings, clock } = this;
    let sending: Sending | undefined;
    const over = hideDuring(() => [...secretsInHeaders(call.headers), ...(call.secrets?.() ?? [])]);
    try {
      sending = new Sending(call, {
        settings,
        serviceClock: this.#serviceClock,
        address: getOrCreate(this.#addresses, splitUrl(call.url)[0], () => new Reachability(settings.retryBudgetMs)),
        lateChanges: this.#lateChanges,
        underWay: this.#underWay,
        limiter:
          call.limiter ??
          getOrCreate(this.#limiters, call.quota, (quota) => new RateLimiter(clock, announced.has(quota))),
        cancellation: new Cancellation(call.signal, settings.signal),
        hooks: new CallHooks(settings.observers, call),
        limitMs: call.timeoutMs ?? settings.timeouts.callMs + (call.heldMs ?? 0),
        facts: () => this.#factsOf(call),
      });
      const value = await sending.run(attempt, reconcile);
      // A hook's error is thrown by the program's own call, not by a search inside it.
      if (!this.#underWay.isSearching) sending.hooks.throwIfThrown();
      if (!sending.isOpen) sending.release();
      return value;
    } catch (error) {
      sending?.release();
      throw this.#underWay.isSearching ? error : (sending?.hooks.errorOver(error) ?? error);
    } finally {
      over();
      this.#underWay.leave();
    }
  }

  /** The parts of an answer, until the caller leaves them, be it before the first one. */
  #parts(body: Readable, sending: Sending, isUnknown: boolean): AsyncIterableIterator<Uint8Array> {
    const { call, cancellation } = sending;
    const { limitMs } = sending.of;
    sending.isOpen = true;
    // A stream has no end of its own, so only the caller's time limit applies.
    if (call.timeoutMs === undefined) cancellation.endAfter(Infinity);
    this.#underWay.endWithClient(cancellation);
    body.once("close", () => sending.release()).on("error", () => {});
    const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
    const parts: AsyncIterableIterator<Uint8Array> = {
      next: () =>
        chunks.next().catch((error: unknown) => {
          const { ended, reason } = cancellation;
          if (!ended) throw error;
          const tally = { attempts: 1, elapsedMs: limitMs, outcomeUnknown: isUnknown || undefined };
          throw reason instanceof TimeLimit ? failureOfTime(limitMs, "sent", call).toError(tally) : reason;
        }),
      return: async () => {
        body.destroy();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => parts,
    };
    return parts;
  }

  /** GraphQL's other place for the key counts once REST has accepted the key. */
  #factsOf<Call extends object>(call: Call) {
    const { apiKeySource, graphqlKeyIn } = this.settings;
    const other: KeyPlace = graphqlKeyIn === "query" ? "header" : "query";
    return { ...call, apiKeySource, otherKeyPlace: () => (this.#restTakesKey ? other : undefined) };
  }
}

function settingsOf({ apiKey, limits, timeouts, ...options }: ClientOptions): Settings {
  // mutant key-shown: gone
  hideKey(apiKey);
  const { graphqlKeyIn = "header", endpointsThrough = "auto", retryBudgetMs = DEFAULT_BUDGET_MS } = options;
  return {
    ...options,
    graphqlKeyIn,
    endpointsThrough,
    retryBudgetMs,
    key: new Redacted(apiKey),
    observers: observersOf(options),
    clock: options.clock ?? systemClock,
    limits: withDefaults(defaultLimits, limits),
    timeouts: withDefaults({ ...defaultTimeouts, callMs: retryBudgetMs + LAST_ATTEMPT_MS }, timeouts),
  };
}
