import { AbortError, ComputeCloudError, MayBeUndoneError } from "../errors";
import { type CallFacts, failureOfException, failureOfTime } from "../outcomes/failures";
import {
  type AttemptResult,
  backoffMs,
  errorOfFailure,
  type Failure,
  type Reconcile,
  retryTable,
} from "../outcomes/retry";
import { errorMessage } from "../outcomes/statuses";
import type { CallLimiter, Pause, Permit, Settings, Waiting, WireCall } from "./call";
import { abortable, Cancellation, checkTime, TimeLimit } from "./cancellation";
import type { Headers } from "./headers";
import { type CallHooks, RequestStopped } from "./hooks";
import type { CallsUnderWay, LateChange, LateChanges, Reachability, ServiceClock } from "./shared";

/** What a call has of its client. */
export interface Surroundings {
  readonly settings: Pick<Settings, "clock" | "retryBudgetMs" | "maxAttempts">;
  readonly serviceClock: ServiceClock;
  readonly address: Reachability;
  readonly lateChanges: LateChanges;
  readonly underWay: CallsUnderWay;
  readonly limiter: CallLimiter;
  readonly cancellation: Cancellation;
  readonly hooks: CallHooks;
  /** How long the call may take, without a `timeoutMs` once its limits admit it. */
  readonly limitMs: number;
  /** For failures. */
  facts(): CallFacts;
}

type Exchange<T> = (sending: Sending, permit: Permit) => Promise<AttemptResult<T>>;

/** The program's `beforeSend` threw: nothing is sent. */
class NotSent extends Error {
  override readonly name = "NotSent";
}

/** One call on its way. `run` has all of it: admit, exchange, judge, perhaps wait, again. The limiter has every wait. */
export class Sending implements Waiting {
  readonly cancellation: Cancellation;
  readonly hooks: CallHooks;
  /** Of the attempt: 1 for the first. */
  number = 0;
  pause: Pause | undefined;
  /** Whether the attempt's request has begun to be sent. Until then the service can't have acted on it. */
  isSent = false;
  /** Whether the answer to the last request has begun. */
  #hasBegun = false;
  /** Whether its answer is still read, as a stream, when `run` has returned. */
  isOpen = false;
  /** Ends waits only. */
  #waits: Cancellation | undefined;
  /** When the call has to be over, by the client's clock. Without `timeoutMs`, from the moment in which it is first admitted. */
  #deadline = Infinity;
  /** How long it has waited for limits so far, which does not count against the budget. */
  #limitedMs = 0;

  constructor(
    readonly call: WireCall,
    readonly of: Surroundings,
  ) {
    this.cancellation = of.cancellation;
    this.hooks = of.hooks;
    if (call.timeoutMs !== undefined) this.#deadline = of.settings.clock.now() + call.timeoutMs;
  }

  /**
   * @param exchange sends one request and reads its answer
   * @param reconcile finds out whether a call with a lost answer was done
   */
  async run<T>(exchange: Exchange<T>, reconcile?: Reconcile<T>): Promise<T> {
    const { call } = this;
    const { lateChanges } = this.of;
    const { clock, retryBudgetMs } = this.of.settings;
    const began = clock.now();
    this.cancellation.throwIfEnded();
    if (call.timeoutMs !== undefined) {
      checkTime(call.timeoutMs, call);
      this.cancellation.endAfter(call.timeoutMs);
    }
    for (let reported: Failure | undefined; ; ) {
      const result = await this.#attempt(exchange);
      if ("value" in result) {
        const late = lateChanges.all.length > 0 ? lateChanges.undoing(call) : [];
        // mutant late-change-stays: true
        if (late.length === 0 || !(await this.#isAgainAfter(late))) return result.value;
        continue;
      }
      const { failure } = result;
      if (failure.fault === "doubtful") this.#mayArriveLate();
      const tally = { attempts: this.number, elapsedMs: clock.now() - began };
      const isUnknown = call.class !== "repeatable" && ["doubtful", "unreadable"].includes(failure.fault);
      // An earlier failure explains more than 'the time is over'. But an attempt that may have acted must be reported.
      if (reported === undefined || !failure.cutShort || isUnknown) reported = failure;
      const error = (of: Failure) => errorOfFailure(of, isUnknown ? { ...tally, outcomeUnknown: true } : tally);

      const verdict = retryTable[call.class][failure.fault];
      if (verdict === "fail" || (verdict === "reconcile" && reconcile === undefined)) throw error(reported);
      const reconciled = verdict === "reconcile" ? await this.#search(error(reported), reconcile) : undefined;
      if (reconciled !== undefined) return reconciled.value;

      const ms = Math.max(backoffMs(this.number), failure.waitMs ?? 0);
      const leftMs = failure.isLimit ? this.longestWaitMs : retryBudgetMs - (clock.now() - began - this.#limitedMs);
      const isOver = ms > Math.min(leftMs, failure.patienceMs ?? Infinity, this.#leftMs());
      if (isOver || this.number >= this.#most) throw error(reported);
      this.pause = { ms, reason: failure.reason, isLimit: failure.isLimit };
    }
  }

  /** The call is over, and listens no longer. */
  release(): void {
    this.cancellation.release();
    this.#waits?.release();
  }

  onAnswer({ date }: Headers): void {
    this.isSent = this.#hasBegun = true;
    this.of.address.hasAnswered = true;
    this.of.serviceClock.learn(date);
  }

  get signal(): AbortSignal {
    const { waitSignal } = this.call;
    if (waitSignal === undefined) return this.cancellation.signal;
    this.#waits ??= new Cancellation(waitSignal, this.cancellation.signal);
    return this.#waits.signal;
  }

  get longestWaitMs(): number {
    const leftMs = this.#leftMs();
    return this.call.timeoutMs === undefined ? Math.min(this.of.settings.retryBudgetMs, leftMs) : leftMs;
  }

  onWait(waitMs: number, reason: string): void {
    this.hooks.retry({ call: this.call.label, attempt: this.number - 1, waitMs, reason });
  }

  /** How often it is sent at most. */
  get #most(): number {
    return this.call.attempts ?? this.of.settings.maxAttempts ?? Infinity;
  }

  #leftMs(): number {
    return this.#deadline - this.of.settings.clock.now();
  }

  async #attempt<T>(exchange: Exchange<T>): Promise<AttemptResult<T>> {
    const { limiter, settings } = this.of;
    const { clock } = settings;
    this.number += 1;
    this.isSent = this.#hasBegun = false;
    let permit: Permit | undefined;
    let beganAt = clock.now();
    try {
      permit = (this.pause === undefined && limiter.tryAdmit(this.call)) || (await this.#admitted());
      beganAt = clock.now();
      if (this.#deadline === Infinity) {
        this.#deadline = beganAt + this.of.limitMs;
        this.cancellation.endAfter(this.of.limitMs);
      }
      if (this.number === 1 && this.call.beforeSend !== undefined) await this.#beforeSend(this.call.beforeSend);
      return await exchange(this, permit);
    } catch (exception) {
      this.hooks.failed(exception);
      if (permit === undefined && !(exception instanceof TimeLimit)) throw exception;
      return { failure: this.#failureOf(exception, beganAt, permit === undefined) };
    } finally {
      permit?.done();
    }
  }

  /**
   * Waits until the late changes can't arrive any more. Answers whether this one is to be sent again then: the last one is.
   *
   * @throws MayBeUndoneError if the call has no time for that, or is ended
   */
  async #isAgainAfter(late: readonly LateChange[]): Promise<boolean> {
    const { clock } = this.of.settings;
    const until = Math.max(...late.map((each) => each.until));
    const waitMs = until - clock.now();
    if (waitMs > this.#leftMs() || this.number >= this.#most) throw mayBeUndone(this.of.facts(), until);
    const reason = "an earlier change may still arrive";
    this.hooks.retry({ call: this.call.label, attempt: this.number, waitMs, reason });
    try {
      await clock.sleep(waitMs, this.signal);
    } catch (reason) {
      // mutant undone-in-silence: return false;
      if (this.#isLastOf(late)) throw mayBeUndone(this.of.facts(), until, reason);
    }
    this.#limitedMs += waitMs;
    return this.#isLastOf(late);
  }

  #isLastOf(late: readonly LateChange[]): boolean {
    return late.some(({ last }) => last === this.call);
  }

  #mayArriveLate(): void {
    if (this.call.class === "repeatable") this.of.lateChanges.lost(this.call);
  }

  async #admitted(): Promise<Permit> {
    const { limiter, settings } = this.of;
    const { clock } = settings;
    const { pause } = this;
    const began = clock.now();
    try {
      return await limiter.admit(this);
    } finally {
      this.pause = undefined;
      this.#limitedMs += clock.now() - began - (pause === undefined || pause.isLimit ? 0 : pause.ms);
    }
  }

  /** The call's limits hold meanwhile: what it waits for, such as a database, may never answer. */
  async #beforeSend(beforeSend: () => unknown): Promise<void> {
    const { cancellation } = this;
    try {
      await abortable((async () => beforeSend())(), cancellation.signal);
    } catch (error) {
      cancellation.throwIfEnded();
      throw new NotSent("beforeSend", { cause: error });
    }
    cancellation.throwIfEnded();
  }

  /** Finds out whether a call with a lost answer was done. What else ends the search, such as a run's clock, aborts the call. */
  async #search<T>(lost: ComputeCloudError, reconcile: Reconcile<T> | undefined) {
    try {
      return await this.of.underWay.search(async () => reconcile?.(lost));
    } catch (error) {
      throw error instanceof ComputeCloudError ? error : aborted(this.of.facts(), error);
    }
  }

  /** @throws what ends the call: an abort, an error of the client, a mistake in the program */
  #failureOf(exception: unknown, beganAt: number, isWaiting: boolean): Failure {
    const { cancellation } = this;
    const { address, settings } = this.of;
    const facts = this.of.facts();
    if (exception instanceof NotSent) throw exception.cause;
    if (exception instanceof TimeLimit) {
      cancellation.goOn();
      return failureOfTime(this.of.limitMs, isWaiting ? "waiting" : this.isSent ? "sent" : "unsent", facts);
    }
    if (cancellation.ended && this.isSent) this.#mayArriveLate();
    if (cancellation.ended && this.isSent && this.call.class !== "repeatable")
      throw aborted(facts, cancellation.reason);
    cancellation.throwIfEnded();
    const failure =
      exception instanceof RequestStopped ? undefined : failureOfException(exception, facts, this.#hasBegun);
    if (failure === undefined) throw exception;
    if (failure.unreachable !== undefined)
      return { ...failure, patienceMs: address.patienceMs(failure, beganAt, settings.clock.now()) };
    if (this.isSent) return failure;
    // The connection broke before the request was sent, so the service can't have acted.
    return { ...failure, fault: failure.fault === "doubtful" ? "untouched" : "refused" };
  }
}

function mayBeUndone({ kind, id, label }: CallFacts, until: number, reason?: unknown): MayBeUndoneError {
  const mayBeUndoneUntil = new Date(Math.ceil(until));
  const title = `${label} was done, but may still be undone until ${mayBeUndoneUntil.toISOString()}`;
  const wayOut = "An earlier change, whose answer was lost, may arrive late: send this one again after that time.";
  return new MayBeUndoneError(errorMessage({ kind, id, title }, wayOut), { kind, id, mayBeUndoneUntil }, reason);
}

/** The error of a call that was aborted after it was sent: the service may have acted on it. */
function aborted({ kind, id, label }: CallFacts, reason: unknown): AbortError {
  const facts = { kind, id, code: "ABORTED" };
  const title = `${label} was aborted after it was sent`;
  return new AbortError(
    errorMessage({ ...facts, title }, "It may have been done: look before it is sent again."),
    facts,
    reason,
  );
}
