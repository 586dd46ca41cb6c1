import { abortable } from "../../../client";
import { pollPause } from "../../../common/pollPause";
import type { Context } from "../definition";

/** Whose clock measures a wait, and whose signal ends it, even while it polls. */
type Waiting = Pick<Context, "client" | "signal">;

export interface WaitOptions<T> {
  /** Reads the current state. */
  readonly poll: () => Promise<T>;
  /** True ends the wait. */
  readonly done: (state: T) => boolean;
  /** Called after every poll that did not end the wait, and after the one that did, if there were such. */
  readonly progress: (state: T, elapsedMs: number, isLast: boolean) => void;
  readonly timeoutMs: number;
  /** The message for a wait whose time is over, from the last state. */
  readonly late: (state: T) => string | Promise<string>;
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

/**
 * Polls until `done`, bounded in time. The last poll comes after the whole time has passed, never before.
 *
 * @throws Error with the message of `late`
 * @throws InterruptedError when `signal` aborts
 */
export async function waitUntil<T>(
  context: Waiting,
  { poll, done, progress, timeoutMs, late }: WaitOptions<T>,
): Promise<T> {
  const { clock } = context.client;
  const began = clock.now();
  let hasWaited = false;
  for (;;) {
    const state = await interruptible(abortable(poll(), context.signal), context.signal);
    const elapsed = clock.now() - began;
    if (done(state)) {
      if (hasWaited) progress(state, elapsed, true);
      return state;
    }
    if (elapsed >= timeoutMs) throw new Error(await late(state));
    progress(state, elapsed, false);
    hasWaited = true;
    await pauseFor(Math.min(pollPause(elapsed), timeoutMs - elapsed), context);
  }
}

/** The first pause between looks at what may appear any moment. */
export const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** The pause after one of them. */
export const longerPause = (ms: number): number => Math.min(ms * 1.5, LONGEST_PAUSE_MS);

/** @throws InterruptedError */
export function pauseFor(ms: number, { client, signal }: Waiting): Promise<void> {
  return interruptible(client.clock.sleep(ms, signal), signal);
}

async function interruptible<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw signal.aborted ? new InterruptedError() : error;
  }
}
