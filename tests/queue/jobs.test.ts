import { afterEach, expect, test } from "@jest/globals";
import { z } from "zod";
import {
  JobExpiredError,
  JobFailedError,
  JobOutputError,
  JobWaitError,
  NotFoundError,
  PayloadTooLargeError,
  ResultExpiredError,
  RetryRefusedError,
  SubmissionLostError,
  UsageError,
} from "../../client";
import { placeForAll } from "../harness/place";
import { errorOf, until } from "../harness/until";

const place = placeForAll();
afterEach(() => place.reset());

const minute = 60_000;
const input = { prompt: "hi" };
/** For a job that is not done before the test is. */
const LONG = { EMULATOR_DELAY_MS: "3600000" };

/** A queue with a job. */
async function jobOf(handler: string, env: Record<string, string> = {}) {
  const queue = await place.queue(handler, env);
  return { queue, ...(await queue.run({ input })) };
}

test("a job is run, waited for and typed by a schema", async () => {
  const queue = await place.queue("fixed", {
    EMULATOR_OUTPUT: '{"text":"hello","tokens":3}',
    EMULATOR_DELAY_MS: "20000",
  });
  const { id, status } = await queue.run({ input });
  expect(status).toBe("IN_QUEUE");
  const seen = new Set<string>();
  const schema = z.object({ text: z.string() });
  const job = await queue.wait(id, { schema, onProgress: (job) => seen.add(job.status) });
  expect(job).toMatchObject({ id, status: "COMPLETED", output: { text: "hello" }, executionTime: expect.any(Number) });
  expect([...seen]).toContain("IN_PROGRESS");
  const output = { text: "hello", tokens: 3 };
  expect(await queue.status(id)).toMatchObject({ output });

  const wrong = await errorOf(queue.wait(id, { schema: z.object({ text: z.number() }) }), JobOutputError);
  expect(wrong).toMatchObject({ id, errors: [expect.stringContaining("text: ")], output });
});

test("a job that runs longer than runsync is held open is followed up", async () => {
  const queue = await place.queue("delay", { EMULATOR_DELAY_MS: "20000" });
  const running = queue.runSync({ input }, { waitMs: 1000 });
  await until(async () => (await place.state()).jobs?.length === 1);
  await place.service.advance(1000);
  expect(await running).toMatchObject({ id: expect.stringMatching(/^sync-/), status: "COMPLETED", output: input });
  expect(await place.count("runSync")).toBe(1);
  expect(await place.count("status")).toBeGreaterThan(0);
});

test("a job that fails, times out or is cancelled rejects the wait and tells why", async () => {
  const failing = await place.queue("fail", { EMULATOR_ERROR: "CUDA out of memory" });
  const failed = await errorOf(failing.runSync({ input }), JobFailedError);
  expect(failed).toMatchObject({ message: expect.stringContaining("CUDA out of memory"), job: { status: "FAILED" } });

  const slow = await place.queue("delay", LONG);
  const late = await slow.run({ input, policy: { executionTimeout: 5000 } });
  await errorOf(slow.wait(late.id), JobFailedError);

  const unwanted = await slow.run({ input });
  expect(await slow.cancel(unwanted.id)).toMatchObject({ id: unwanted.id, status: "CANCELLED" });
  expect(await errorOf(slow.wait(unwanted.id))).toMatchObject({ job: { status: "CANCELLED" } });
});

test("a job that is not finished in time is left as it is", async () => {
  const { queue, id } = await jobOf("delay", LONG);
  const error = await errorOf(queue.wait(id, { timeoutMs: minute }), JobWaitError);
  expect(error).toMatchObject({ id, job: { status: "IN_PROGRESS" }, elapsedMs: minute });
  expect(await queue.status(id)).toMatchObject({ status: "IN_PROGRESS" });
});

test("a job that the queue would refuse is not sent", async () => {
  const queue = await place.queue("echo");
  const refused = [
    queue.run({ input: "x".repeat(10 * 1024 * 1024) }),
    queue.runSync({ input: "x".repeat(20 * 1024 * 1024) }),
    queue.runSync({ input }, { waitMs: 999 }),
    queue.runSync({ input }, { waitMs: 300_001 }),
    queue.run({ input: undefined }),
    queue.run({ input, policy: { ttl: 9_999 } }),
    queue.run({ input, policy: { executionTimeout: 4_999 } }),
  ];
  const errors = await Promise.all(refused.map((call) => errorOf(call)));
  expect(errors.map((error) => error instanceof UsageError)).toEqual(refused.map(() => true));
  expect(errors[0]).toBeInstanceOf(PayloadTooLargeError);
  expect(errors[0]).toMatchObject({ limit: 10 * 1024 * 1024, bytes: 10 * 1024 * 1024 + '{"input":""}'.length });
  expect(await place.calls()).toEqual([]);
});

test("a job that the queue no longer knows was kept for 30 minutes after run, and for one minute after runsync", async () => {
  const { queue, id } = await jobOf("echo");
  await queue.wait(id);
  await place.service.advance(31 * minute);
  const gone = await errorOf(queue.status(id), ResultExpiredError);
  expect(gone).toMatchObject({ id, message: expect.stringContaining("30 min") });

  const sync = await queue.runSync({ input }, { waitMs: 1000 });
  await place.service.advance(2 * minute);
  expect(await errorOf(queue.status(sync.id))).toMatchObject({ message: expect.stringContaining("1 min") });
});

test("a job that the queue no longer knows has expired when its time to live is over, which is another error", async () => {
  const queue = await place.queue("delay", LONG);
  const { id } = await queue.run({ input, policy: { ttl: 10_000 } });
  const error = await errorOf(queue.wait(id), JobExpiredError);
  expect(error).not.toBeInstanceOf(ResultExpiredError);
});

test("retry runs a failed job again under the same id", async () => {
  const { queue, id } = await jobOf("fail");
  await errorOf(queue.wait(id));
  expect(await queue.retry(id)).toMatchObject({ id, status: "IN_QUEUE" });
  await errorOf(queue.wait(id), JobFailedError);
});

test("retry is refused without asking the service for a job in any other state", async () => {
  const queue = await place.queue("echo");
  const { id } = await queue.runSync({ input });
  const error = await errorOf(queue.retry(id), RetryRefusedError);
  expect(error).toMatchObject({ message: expect.stringContaining("COMPLETED"), job: { id } });
  expect(await place.count("retry")).toBe(0);
});

test("retry is not sent twice when only its answer was lost", async () => {
  const { queue, id } = await jobOf("fail", { EMULATOR_DELAY_MS: "20000" });
  await errorOf(queue.wait(id));
  await place.fault({ operation: "retry" }, { drop: "after" });
  expect(await queue.retry(id)).toMatchObject({ id });
  expect(await place.count("retry")).toBe(1);
});

test("cancel survives a lost answer", async () => {
  const { queue, id } = await jobOf("delay", LONG);
  await place.fault({ operation: "cancel" }, { drop: "after" });
  expect(await queue.cancel(id)).toMatchObject({ id, status: "CANCELLED" });
  expect(await place.count("cancel")).toBe(1);
});

test("a queue of a new endpoint may answer 404 for some seconds", async () => {
  const queue = await place.queue("echo");
  await place.fault({ operation: "run", times: 3 }, { status: 404, body: { error: "endpoint not found" } });
  await place.fault({ operation: "status", times: 3 }, { status: 404, body: { error: "job not found" } });
  await place.fault({ operation: "health", times: 3 }, { status: 404, body: { error: "endpoint not found" } });
  expect((await queue.health({ graceMs: 30_000 })).jobs.completed).toBe(0);
  const { id } = await queue.run({ input }, { graceMs: 30_000 });
  expect(await queue.wait(id)).toMatchObject({ output: input });

  await place.fault({ operation: "run" }, { status: 404, body: { error: "endpoint not found" } });
  await errorOf(queue.run({ input }), NotFoundError);
});

// finds mutant action-again
test("a queue gets a job only once when the answer to its submission is lost, unless running it twice does no harm", async () => {
  const queue = await place.queue("echo");
  await place.fault({ operation: "run" }, { status: 503 });
  const lost = await errorOf(queue.run({ input }), SubmissionLostError);
  expect(lost).toMatchObject({ status: 503, outcomeUnknown: true, message: expect.stringContaining("may run") });
  expect(await place.count("run")).toBe(1);

  await place.fault({ operation: "run" }, { drop: "after" });
  await queue.run({ input }, { idempotent: true });
  expect(await place.count("run")).toBe(3);
});
