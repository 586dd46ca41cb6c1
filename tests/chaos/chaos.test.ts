/*
 * Random programs before a service that fails at random, with the provider and the engine killed at random: after at
 * most three further runs the service holds exactly what the program declares. `npm run chaos` runs longer.
 */
import { describe, expect, test } from "@jest/globals";
import { BATCH_SIZE, runBatch } from "./runBatch";

const SEEDS = [1, 2, 3, 4, 5, 6];
/** Many times what one takes: bounds a hang, and nothing else. */
const LONGEST_BATCH_MS = 15 * 60_000;

// At the same time, for a batch often waits: for the provider's back-off, or for an answer that comes late.
describe(`${SEEDS.length * BATCH_SIZE} schedules of faults and kills`, () => {
  test.concurrent.each(SEEDS)(
    "seed %i",
    async (seed) => {
      const { furtherUps } = await runBatch(seed, BATCH_SIZE);
      expect(Math.max(...furtherUps)).toBeLessThanOrEqual(3);
    },
    LONGEST_BATCH_MS,
  );
});
