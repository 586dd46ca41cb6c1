import { setTimeout as sleep } from "node:timers/promises";

export interface WaitOptions<T> {
  /** Asks for the present state. */
  readonly poll: () => Promise<T>;
  /** True ends the wait. Throws when the goal can't be reached any more. */
  readonly done: (state: T) => boolean;
  /** Called after every poll that did not end the wait. */
  readonly progress?: (state: T, elapsedMs: number) => void;
  readonly timeoutMs: number;
  /** First pause between polls; it grows by half each time up to 5 s. Default 250 ms. */
  readonly firstPauseMs?: number;
}

/** The wait ran out of time; `state` is what was seen last. */
export class WaitTimeoutError<T> extends Error {
  override readonly name = "WaitTimeoutError";
  constructor(
    readonly state: T,
    readonly timeoutMs: number,
  ) {
    super(`still not there after ${Math.round(timeoutMs / 1000)} s`);
  }
}

const LONGEST_PAUSE_MS = 5_000;

/**
 * Polls until `done`, bounded in time. The last poll comes after the whole time has passed, never before.
 *
 * @throws WaitTimeoutError with the last state
 */
export async function waitUntil<T>({
  poll,
  done,
  progress,
  timeoutMs,
  firstPauseMs = 250,
}: WaitOptions<T>): Promise<T> {
  const began = performance.now();
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const state = await poll();
    if (done(state)) return state;
    const elapsed = performance.now() - began;
    if (elapsed >= timeoutMs) throw new WaitTimeoutError(state, timeoutMs);
    progress?.(state, elapsed);
    await sleep(Math.min(pause, timeoutMs - elapsed));
  }
}
