// @long: tens of thousands of calls.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { heapAfterCalls, heapOfBatch } from "../../tools/bench/memory";
import { sized } from "../harness/size";

test("a signal that outlives many calls keeps nothing of them", async () => {
  const { bytesACall, listeners } = await heapAfterCalls(20_000);
  expect(listeners).toBe(0);
  expect(bytesACall).toBeLessThan(80);
});

test("a batch with a journal keeps nothing of its jobs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "batch-"));
  // As many jobs as are remembered for the finer words of a 404 come first.
  expect(await heapOfBatch(sized(100_000, 20_000), 12_000, join(folder, "journal"))).toBeLessThan(80);
  rmSync(folder, { recursive: true });
});
