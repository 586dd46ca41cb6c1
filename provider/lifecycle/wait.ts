import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { inSeconds } from "../client/values/duration";

export interface WaitOptions<T> {
  /** Reads the current state. */
  readonly poll: () => Promise<T>;
  /** True ends the wait. Throws when the goal can no longer be reached. */
  readonly done: (state: T) => boolean;
  /** Called after every poll that did not end the wait. */
  readonly progress?: (state: T, elapsedMs: number) => void;
  readonly timeoutMs: number;
  /** Ends the wait, even while it polls. */
  readonly signal: AbortSignal;
  /** First pause between polls; it grows by half each time up to 5 s. Default 250 ms. */
  readonly firstPauseMs?: number;
}

/** The wait ran out of time. `state` is the last one that was polled. */
export class WaitTimeoutError<T> extends Error {
  override readonly name = "WaitTimeoutError";
  constructor(
    readonly state: T,
    readonly timeoutMs: number,
  ) {
    super(`still not found after ${inSeconds(timeoutMs)}`);
  }
}

/** The engine was told to stop during a wait. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  constructor() {
    super(
      "The wait was interrupted. What was created stays in the state, and the next `pulumi up` continues from there.",
    );
  }
}

const LONGEST_PAUSE_MS = 5_000;

/**
 * Polls until `done`, bounded in time. The last poll comes after the whole time has passed, never before.
 *
 * @throws WaitTimeoutError with the last state
 * @throws InterruptedError when `signal` aborts
 */
export async function waitUntil<T>({
  poll,
  done,
  progress,
  timeoutMs,
  signal,
  firstPauseMs = 250,
}: WaitOptions<T>): Promise<T> {
  const began = performance.now();
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const state = await interruptible(poll(), signal);
    if (done(state)) return state;
    const elapsed = performance.now() - began;
    if (elapsed >= timeoutMs) throw new WaitTimeoutError(state, timeoutMs);
    progress?.(state, elapsed);
    await pauseFor(Math.min(pause, timeoutMs - elapsed), signal);
  }
}

/** @throws InterruptedError */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw new InterruptedError();
  }
}

async function interruptible<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = new AbortController();
  try {
    if (signal.aborted) throw new InterruptedError();
    const interruption = once(signal, "abort", { signal: ended.signal }).then(() => {
      throw new InterruptedError();
    });
    return await Promise.race([work, interruption]);
  } finally {
    ended.abort();
  }
}
