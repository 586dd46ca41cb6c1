import type { TimeoutError } from "../errors";
import type { CallOptions, Clock } from "../options";
import { failureOfTime } from "../outcomes/failures";
import { Cancellation } from "./cancellation";
import { abortable, LONGEST_TIMER_MS } from "./clock";

/** Timers may fire this early. */
const LEAST_MS = 2;

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
    if (leftMs < LEAST_MS) throw tooLate(timeoutMs, subject);
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

function tooLate(timeoutMs: number, subject: Subject): TimeoutError {
  return failureOfTime(timeoutMs, "unsent", subject).toError({ attempts: 1, elapsedMs: timeoutMs });
}
