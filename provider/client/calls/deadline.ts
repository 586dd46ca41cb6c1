import type { TimeoutError } from "../errors";
import type { CallOptions, Clock } from "../options";
import { failureOfTime } from "../outcomes/failures";
import { abortable, LONGEST_TIMER_MS } from "./clock";

/** Timers may fire this much early. */
const LEAST_MS = 2;

interface Subject {
  kind: string;
  id?: string | undefined;
}

/**
 * A call that is aborted after `ms`, with what `late` makes as the reason, or when the caller's signal is. Real time:
 * what is waited for is a network.
 */
export async function withDeadline<T>(
  ms: number | undefined,
  signal: AbortSignal | undefined,
  late: () => Error,
  call: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (ms === undefined || ms > LONGEST_TIMER_MS) return call(signal);
  signal?.throwIfAborted();
  const either = new AbortController();
  const follow = () => either.abort(signal?.reason);
  const timer = setTimeout(() => either.abort(late()), ms);
  signal?.addEventListener("abort", follow, { once: true });
  try {
    return await call(either.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
  }
}

/** Waits for what other calls wait for as well: this call's signal and time end its wait, and nothing else. */
export function awaitShared<T>(shared: Promise<T>, { signal, timeoutMs }: CallOptions, subject: Subject): Promise<T> {
  const wait = (either: AbortSignal | undefined) => abortable(shared, either);
  return withDeadline(timeoutMs, signal, () => tooLate(timeoutMs ?? 0, subject), wait);
}

/**
 * The options of a call that sends several requests, for each of them: with what is left of its time.
 *
 * @throws TimeoutError when nothing is left
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

/** The search for what became of a call, in the time that the call has left: after that all that is known is `lost`. */
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
  return failureOfTime(timeoutMs, false, subject).toError({ attempts: 1, elapsedMs: timeoutMs });
}
