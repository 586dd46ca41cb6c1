/*
 * Random programs before a service that fails at random, with the provider and the engine killed at random: after at
 * most three further runs the service holds exactly what the program declares. `npm run chaos` runs longer.
 */
import { describe, expect, test } from "@jest/globals";
import { BATCH_SIZE, runBatch } from "./runBatch";

const SCHEDULES = 275;
/** Many times what one takes: bounds a hang, and nothing else. */
const LONGEST_BATCH_MS = 15 * 60_000;
const seeds = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12];

describe(`${SCHEDULES} schedules of faults and kills`, () => {
  test.each(seeds)(
    "seed %i",
    async (seed) => {
      const { furtherUps } = await runBatch(seed, BATCH_SIZE);
      expect(Math.max(...furtherUps)).toBeLessThanOrEqual(3);
    },
    LONGEST_BATCH_MS,
  );
});
