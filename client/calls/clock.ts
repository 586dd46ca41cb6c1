import { setTimeout as timer } from "node:timers/promises";
import type { Clock } from "../options";

/** The longest delay that a timer takes. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

const { timeOrigin } = performance;

/** The system's time when the process began, plus the time since. Setting the system's clock does not change it. */
export const systemClock: Clock = {
  now: () => timeOrigin + performance.now(),
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
