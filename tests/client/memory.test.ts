// @slow: 22,000 calls.
import { expect, test } from "@jest/globals";
import { heapAfterCalls } from "../bench/memory";

test("a signal that outlives many calls keeps nothing of them", async () => {
  const { bytesACall, listeners } = await heapAfterCalls(20_000);
  expect(listeners).toBe(0);
  expect(bytesACall).toBeLessThan(80);
}, 300_000);
