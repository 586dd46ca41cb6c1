import { setTimeout as sleep } from "node:timers/promises";
import { abortable } from "../../../client";

export interface WaitOptions<T> {
  /** Reads the current state. */
  readonly poll: () => Promise<T>;
  /** True ends the wait. */
  readonly done: (state: T) => boolean;
  /** Called after every poll that did not end the wait. */
  readonly progress: (state: T, elapsedMs: number) => void;
  readonly timeoutMs: number;
  /** The message for a wait whose time is over, from the last state. */
  readonly late: (state: T) => string | Promise<string>;
  /** Ends the wait, even while it polls. */
  readonly signal: AbortSignal;
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

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Polls until `done`, bounded in time. The last poll comes after the whole time has passed, never before.
 *
 * @throws Error with the message of `late`
 * @throws InterruptedError when `signal` aborts
 */
export async function waitUntil<T>({ poll, done, progress, timeoutMs, late, signal }: WaitOptions<T>): Promise<T> {
  const began = performance.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const state = await interruptible(abortable(poll(), signal), signal);
    if (done(state)) return state;
    const elapsed = performance.now() - began;
    if (elapsed >= timeoutMs) throw new Error(await late(state));
    progress(state, elapsed);
    await pauseFor(Math.min(pause, timeoutMs - elapsed), signal);
  }
}

/** @throws InterruptedError */
export function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return interruptible(sleep(ms, undefined, { signal }), signal);
}

async function interruptible<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw signal.aborted ? new InterruptedError() : error;
  }
}
