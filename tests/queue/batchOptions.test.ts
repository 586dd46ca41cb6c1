import { beforeEach, expect, test } from "@jest/globals";
import { AuthenticationError, type BatchProgress, type JobRequest, type Queue, UsageError } from "../../client";
import { collect, countTo, JobServer, orphansOf } from "../harness/jobServer";
import { json, serverForEach } from "../harness/script";
import { until } from "../harness/until";

// What a batch takes and gives, may be told of its jobs, and tells of itself.

const server = serverForEach(new JobServer());
let queue: Queue;

beforeEach(() => {
  queue = server.client({ clock: undefined }).queue("e");
  server.finishAtOnce();
});

test("results come in the order in which jobs finish, each with the place of its input", async () => {
  server.steps = {};
  const batch = queue.runMany(countTo(3), { concurrency: 3 });
  const first = batch.next();
  await until(() => server.submitted.length === 3);
  server.finish(2);
  expect((await first).value).toMatchObject({ index: 2, job: { status: "COMPLETED", output: 2 } });
  server.jobs.set("0", "FAILED");
  expect((await batch.next()).value).toMatchObject({ index: 0, error: { job: { status: "FAILED" } } });
  server.finish(1);
  expect([(await batch.next()).value?.index, (await batch.next()).done]).toEqual([1, true]);
});

test("inputs are taken only when there is room for their jobs", async () => {
  let taken = 0;
  let finished = 0;
  let most = 0;
  async function* inputs() {
    for (; taken < 12; taken += 1) {
      most = Math.max(most, taken + 1 - finished);
      yield taken;
    }
  }
  for await (const { error } of queue.runMany(inputs(), { concurrency: 3 })) {
    expect(error).toBeUndefined();
    finished += 1;
  }
  expect([finished, most]).toEqual([12, 3]);
});

test("inputs end at once when the key is refused, or when the batch makes no sense", async () => {
  server.steps.run = json({ error: "bad key" }, 401);
  const { error } = await collect(queue.runMany(countTo(1000), { concurrency: 5 }));
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(server.received.length).toBeLessThanOrEqual(6);
  expect((await collect(queue.runMany([], { concurrency: 0 }))).error).toBeInstanceOf(UsageError);
});

test("request gives every job a webhook, a policy and a storage of its own", async () => {
  const s3Config = { accessId: "a", accessSecret: "s", bucketName: "b", endpointUrl: "https://s3.example.com" };
  const request = (n: number, index: number): JobRequest => ({
    input: n,
    webhook: `https://hooks.example.com/done?index=${index}`,
    ...(n === 8 && { policy: { ttl: 60_000 }, s3Config }),
  });
  await collect(queue.runMany([7, 8], { request, policy: { lowPriority: true } }));
  expect(server.requests).toEqual([
    { input: 7, webhook: "https://hooks.example.com/done?index=0", policy: { lowPriority: true } },
    { input: 8, webhook: "https://hooks.example.com/done?index=1", policy: { ttl: 60_000 }, s3Config },
  ]);
});

test("request that throws ends the batch as the inputs do, and closes them: what is finished comes first", async () => {
  let isClosed = false;
  function* inputs() {
    try {
      yield* countTo(5);
    } finally {
      isClosed = true;
    }
  }
  const request = (input: number) => {
    if (input === 2) throw new RangeError("mine");
    return { input };
  };
  const { all, error } = await collect(queue.runMany(inputs(), { request, concurrency: 1 }));
  expect([all.map(({ job }) => job?.output), error, isClosed]).toEqual([[0, 1], new RangeError("mine"), true]);
});

test("progress is reported before each result, with the time that is left", async () => {
  const reports: BatchProgress[] = [];
  let results = 0;
  for await (const _ of queue.runMany(countTo(20), { onProgress: (progress) => reports.push(progress) })) {
    results += 1;
    expect(reports).toHaveLength(results);
  }
  expect(reports.map(({ done, total, failed }) => [done, total, failed])).toEqual(
    countTo(20).map((n) => [n + 1, 20, 0]),
  );
  expect(reports[0]?.remainingMs).toBeUndefined();
  expect(reports[10]?.remainingMs).toBeGreaterThanOrEqual(0);
  expect(reports.at(-1)).toMatchObject({ remainingMs: 0, running: 0 });
});

test("progress of a stream of inputs has no end unless the total is told, and counts errors", async () => {
  async function* inputs() {
    yield* countTo(3);
  }
  server.steps.status = json({ status: "FAILED", error: "no" });
  const ends: BatchProgress[] = [];
  for (const total of [undefined, 3]) {
    const options = { total, onProgress: (progress: BatchProgress) => (ends[total ?? 0] = progress) };
    await collect(queue.runMany(inputs(), options));
  }
  expect(ends[0]).toMatchObject({ done: 3, failed: 3, total: undefined, remainingMs: undefined });
  expect(ends[3]).toMatchObject({ done: 3, failed: 3, total: 3, remainingMs: 0 });
});

test("progress that throws ends the batch, and names the result that was not delivered", async () => {
  const { orphans, onOrphan } = orphansOf();
  const onProgress = () => {
    throw new TypeError("mine");
  };
  const options = { concurrency: 1, onProgress, onOrphan };
  expect((await collect(queue.runMany(countTo(3), options))).error).toEqual(new TypeError("mine"));
  expect(orphans.map(({ id }) => id)).toEqual(["0"]);
});
