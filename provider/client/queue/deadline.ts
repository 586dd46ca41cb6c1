/** The longest delay that a timer takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
