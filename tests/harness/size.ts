/**
 * How much of something a test does: as much as its promise names in `npm run chaos:jobs`, and in `npm test` as much as shows the
 * same faults.
 */
export function sized(inChaos: number, inTests: number): number {
  return process.env.TEST_SIZES === "full" ? inChaos : inTests;
}
