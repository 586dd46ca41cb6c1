import { setTimeout as timer } from "node:timers/promises";
import type { Clock } from "../options";

/** The longest delay that a timer takes. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The system's time, from when the process began: when the system's clock is set, this one goes on as it was. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    try {
      await timer(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** The promise's outcome, unless the signal is aborted first. What the promise stands for goes on for its other readers. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
