/**
 * The size of a test: the promised one in `TEST_SIZES=full`, and in `npm test` a smaller one that shows the
 * same faults.
 */
export function sized(inChaos: number, inTests: number): number {
  return process.env.TEST_SIZES === "full" ? inChaos : inTests;
}
