import { setImmediate, setTimeout } from "node:timers/promises";

/** Most of what tests wait for comes within these turns of the event loop. After them, looking costs a pause. */
const EAGER_TURNS = 100;
const PAUSE_MS = 3;
const LONGEST_MS = 120_000;

/**
 * Resolves when the condition holds.
 *
 * @throws Error if it doesn't hold within two minutes
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now();
  for (let turn = 0; !(await holds()); turn += 1) {
    if (performance.now() - began > LONGEST_MS) throw new Error(`This did not hold within two minutes: ${holds}`);
    await (turn < EAGER_TURNS ? setImmediate() : setTimeout(PAUSE_MS));
  }
}
