import * as timers from "node:timers/promises";
import { expect } from "@jest/globals";

/** Real ones, also where a test has its own (limits.ts). */
const { setImmediate, setTimeout } = { ...timers };

/** Between two looks it pauses for so much of the time waited: to look all the time takes the CPU from what it waits for. */
const PAUSE = 0.1;
const LONGEST_PAUSE_MS = 50;
const LONGEST_MS = 300_000;

/**
 * Resolves when the condition holds.
 *
 * @throws Error if it doesn't hold within five minutes
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - began;
    if (waited > LONGEST_MS) throw new Error(`This did not hold within five minutes: ${holds}`);
    const pause = Math.min(waited * PAUSE, LONGEST_PAUSE_MS);
    await (pause < 1 ? setImmediate() : setTimeout(pause));
  }
}

const BEAT_MS = 100;
const SOON_BEATS = 600;

/**
 * The outcome of work that ends within a minute: less than what it must not wait for. What counts are beats of this process,
 * which a busy machine leaves out.
 */
export async function soon<T>(work: Promise<T>): Promise<T> {
  let beats = 0;
  const heart = setInterval(() => {
    beats += 1;
  }, BEAT_MS);
  return work.finally(() => {
    clearInterval(heart);
    expect(beats).toBeLessThan(SOON_BEATS);
  });
}

/** The error of this kind in which a call ends. A call that ends otherwise fails the test. */
export async function errorOf<Kind extends Error = Error>(
  call: Promise<unknown>,
  kind: abstract new (...args: never[]) => Kind = Error as never,
): Promise<Kind> {
  const ended = await call.then(
    () => "no error",
    (error: unknown) => error,
  );
  expect(ended).toBeInstanceOf(kind);
  return ended as Kind;
}
