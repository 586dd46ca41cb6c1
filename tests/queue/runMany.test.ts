// @slow: thousands of jobs.
import { afterEach, expect, test } from "@jest/globals";
import { AuthenticationError, type JobResult, UsageError } from "../../client";
import type { Handler } from "../../emulator";
import { countTo } from "../harness/jobServer";
import { Place, placeForAll } from "../harness/place";
import { sized } from "../harness/size";

/** Takes as long as its input says, and fails when told. */
const obedient: Handler = async ({ ms = 0, fail }: { ms?: number; fail?: boolean }, { sleep }) => {
  await sleep(ms);
  if (fail) throw new Error("told to fail");
  return ms;
};

const place = placeForAll({ handlers: { "emulator/obedient:1": obedient } });
afterEach(() => place.reset());

const second = 1000;

test("a batch gives results in the order in which jobs finish, each with the place of its input", async () => {
  const queue = await place.queue("obedient");
  const inputs = [{ ms: 40 * second }, { ms: 20 * second }, { fail: true }, { ms: 0 }];
  const results = await Array.fromAsync(queue.runMany(inputs, { concurrency: 4 }));
  expect(results.map(({ index }) => index).slice(-1)).toEqual([0]);
  const byPlace = Object.fromEntries(results.map((result: JobResult) => [result.index, result]));
  expect(byPlace[0]).toMatchObject({ job: { status: "COMPLETED", output: 40 * second } });
  expect(byPlace[2]).toMatchObject({ error: { job: { status: "FAILED" } } });
  expect(results).toHaveLength(4);
});

test("a batch takes an input only when there is room for its job", async () => {
  const queue = await place.queue("obedient");
  let taken = 0;
  let finished = 0;
  let most = 0;
  async function* inputs() {
    for (; taken < 12; taken += 1) {
      most = Math.max(most, taken + 1 - finished);
      yield { ms: 0 };
    }
  }
  for await (const { error } of queue.runMany(inputs(), { concurrency: 3 })) {
    expect(error).toBeUndefined();
    finished += 1;
  }
  expect([finished, most]).toEqual([12, 3]);
});

test("a batch ends at once when the key is refused, or when it makes no sense", async () => {
  const queue = await place.queue("obedient");
  await place.fault({ operation: "run", times: 1000 }, { status: 401 });
  await expect(Array.fromAsync(queue.runMany(Array(1000).fill({ n: 1 }), { concurrency: 5 }))).rejects.toBeInstanceOf(
    AuthenticationError,
  );
  expect(await place.count("run")).toBeLessThanOrEqual(6);
  await expect(Array.fromAsync(queue.runMany([], { concurrency: 0 }))).rejects.toBeInstanceOf(UsageError);
});

test("of many jobs none is lost and no limit of the service exceeded", async () => {
  const jobs = sized(5_000, 2_500);
  await using strict = await Place.start({ settings: { rateLimitExempt: false } });
  const queue = await strict.queue("echo", {}, { clock: await strict.hurry(10) });
  const numbers = new Set<unknown>();
  for await (const { index, job } of queue.runMany(
    countTo(jobs).map((n) => ({ n })),
    { concurrency: 100 },
  )) {
    expect(job?.output).toEqual({ n: index });
    numbers.add(index);
  }
  expect(numbers.size).toBe(jobs);
  const calls = await strict.calls();
  expect(calls.filter(({ operation }) => operation === "run")).toHaveLength(jobs);
  expect(calls.filter(({ status }) => status === 429)).toEqual([]);
});
