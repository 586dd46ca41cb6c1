import { setTimeout as timer } from "node:timers/promises";
import type { TimeoutError } from "../errors";
import { type CallOptions, type Clock, checkMilliseconds } from "../options";
import { failureOfTime } from "../outcomes/failures";

/** The longest delay that a timer takes. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

const { timeOrigin } = performance;

/** The system's time when the process began, plus the time since. Setting the system's clock does not change it. */
export const systemClock: Clock = {
  now: () => timeOrigin + performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    try {
      await timer(Math.min(ms, LONGEST_TIMER_MS), undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** Settles as the promise does, unless the signal is aborted first. The work behind the promise is not cancelled. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The abort reason of a call whose own time limit has passed. */
export class TimeLimit extends Error {
  override readonly name = "TimeLimit";
}

/**
 * Ends one call early: on the caller's or the client's signal, at its time limit, or when the client is closed. It removes
 * its listeners when the call is over. A program's signals may live as long as the process, so forgotten listeners would
 * leak.
 */
export class Cancellation {
  readonly #sources: AbortSignal[] = [];
  #ended: { readonly reason: unknown } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #late: NodeJS.Immediate | undefined;
  #controller: AbortController | undefined;
  /** Called when it ends, while a request is under way. */
  onEnd: ((reason: unknown) => void) | undefined;
  onRelease: (() => void) | undefined;

  constructor(...sources: (AbortSignal | undefined)[]) {
    for (const source of sources) {
      if (source === undefined) continue;
      if (source.aborted) this.end(source.reason);
      else source.addEventListener("abort", this);
      this.#sources.push(source);
    }
  }

  handleEvent({ target }: Event): void {
    if (target instanceof AbortSignal) this.end(target.reason);
  }

  /**
   * In real time, not by the client's clock: the network does not know that clock. After a sleep of the process the timer
   * comes before an answer that has arrived meanwhile, so the answer gets one more turn of the event loop.
   */
  endAfter(ms: number, reason: () => Error = () => new TimeLimit()): void {
    this.#stopTimer();
    // A timer would keep the process running, for an answer that nobody reads.
    if (ms === Infinity) return;
    const late = () => {
      this.#late = setImmediate(() => this.end(reason()));
    };
    this.#timer = setTimeout(late, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#late);
  }

  end(reason: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = { reason };
    this.#controller?.abort(reason);
    this.onEnd?.(reason);
  }

  /** Lifts the time limit, so that the search for a lost answer can run. Other reasons to end stay. */
  goOn(): void {
    if (!(this.#ended?.reason instanceof TimeLimit)) return;
    this.#ended = undefined;
    this.#controller = undefined;
  }

  /** Stops listening: the call is over. */
  release(): void {
    this.onRelease?.();
    this.#stopTimer();
    for (const source of this.#sources) source.removeEventListener("abort", this);
    this.#sources.length = 0;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  get reason(): unknown {
    return this.#ended?.reason;
  }

  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended.reason;
  }

  /** For waits. Created on first use, because most calls never wait. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined) this.#controller.abort(this.#ended.reason);
    return this.#controller.signal;
  }
}

/** Timers may fire this early. */
export const EARLY_TIMER_MS = 2;

interface Subject {
  kind: string;
  id?: string | undefined;
}

/**
 * Runs a call that is aborted after `ms`, with the error of `late` as the reason, or with the caller's signal. In real
 * time, not by the client's clock: the network does not know that clock.
 */
export async function withDeadline<T>(
  ms: number | undefined,
  signal: AbortSignal | undefined,
  late: () => Error,
  call: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (ms === undefined || ms > LONGEST_TIMER_MS) return call(signal);
  const cancellation = new Cancellation(signal);
  cancellation.throwIfEnded();
  cancellation.endAfter(ms, late);
  try {
    return await call(cancellation.signal);
  } finally {
    cancellation.release();
  }
}

/**
 * Refuses a call that has no time when it begins: nothing is sent.
 *
 * @throws UsageError, TimeoutError
 */
export function checkTime(timeoutMs: number, subject: Subject): void {
  checkMilliseconds("timeoutMs", timeoutMs);
  if (timeoutMs === 0) throw tooLate(0, subject);
}

/** Waits for a promise that other calls share: this call's signal and time limit end its own wait only. */
export function awaitShared<T>(shared: Promise<T>, { signal, timeoutMs }: CallOptions, subject: Subject): Promise<T> {
  const wait = (either: AbortSignal | undefined) => abortable(shared, either);
  return withDeadline(timeoutMs, signal, () => tooLate(timeoutMs ?? 0, subject), wait);
}

/**
 * For a call that sends several requests: returns the options of the next one, with the time that is left.
 *
 * @throws TimeoutError when no time is left
 */
export function timeLeft<Options extends CallOptions>(options: Options, clock: Clock, subject: Subject): () => Options {
  const { timeoutMs } = options;
  if (timeoutMs === undefined) return () => options;
  const until = clock.now() + timeoutMs;
  return () => {
    const leftMs = until - clock.now();
    if (leftMs < EARLY_TIMER_MS) throw tooLate(timeoutMs, subject);
    return { ...options, timeoutMs: leftMs };
  };
}

/** Runs the search for a lost answer within the call's remaining time. When that is over, it throws `lost`. */
export async function searchWithin<T>(
  remaining: () => CallOptions,
  lost: Error,
  search: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  let options: CallOptions;
  try {
    options = remaining();
  } catch {
    throw lost;
  }
  return withDeadline(options.timeoutMs, options.signal, () => lost, search);
}

/** The error of a call that sends several requests, between two of them. */
export function tooLate(timeoutMs: number, subject: Subject): TimeoutError {
  return failureOfTime(timeoutMs, "unsent", subject).toError({ attempts: 1, elapsedMs: timeoutMs });
}
