/*
 * Random programs before a service that fails at random, with the provider and the engine killed at random: after at
 * most three further runs the service holds exactly what the program declares. `npm run chaos` runs longer.
 */
import { describe, expect, test } from "@jest/globals";
import { BATCH_SIZE, runBatch } from "./runBatch";

const SCHEDULES = 300;
const seeds = Array.from({ length: Math.ceil(SCHEDULES / BATCH_SIZE) }, (_, index) => index + 1);

describe(`${SCHEDULES} schedules of faults and kills`, () => {
  test.each(seeds)("seed %i", async (seed) => {
    const { furtherUps } = await runBatch(seed, BATCH_SIZE);
    expect(Math.max(...furtherUps)).toBeLessThanOrEqual(3);
  });
});
