import { setImmediate, setTimeout } from "node:timers/promises";
import { expect } from "@jest/globals";

/** Between two looks it pauses for so much of the time waited: to look all the time takes the CPU from what it waits for. */
const PAUSE = 0.1;
const LONGEST_PAUSE_MS = 50;
const LONGEST_MS = 120_000;

/**
 * Resolves when the condition holds.
 *
 * @throws Error if it doesn't hold within two minutes
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - began;
    if (waited > LONGEST_MS) throw new Error(`This did not hold within two minutes: ${holds}`);
    const pause = Math.min(waited * PAUSE, LONGEST_PAUSE_MS);
    await (pause < 1 ? setImmediate() : setTimeout(pause));
  }
}

const SOON_MS = 60_000;

/** The outcome of work that ends within a minute: far more than a busy machine takes, and less than what it must not wait for. */
export async function soon<T>(work: Promise<T>): Promise<T> {
  const began = performance.now();
  return work.finally(() => expect(performance.now() - began).toBeLessThan(SOON_MS));
}
