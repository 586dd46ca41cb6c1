import { beforeEach, expect, test } from "@jest/globals";
import { z } from "zod";
import { AbortError, JobWaitError, type Orphan, type Queue, SubmissionLostError } from "../../client";
import { collect, countTo as count, JobServer, orphansOf } from "../harness/jobServer";
import { impatient } from "../harness/place";
import { inTurn, json, reset, type Step, serverForEach } from "../harness/script";
import { errorOf, soon, until } from "../harness/until";

// Batches and waits that end early, against a server whose jobs finish when they are told to, in real time.

const server = serverForEach(new JobServer());
let queue: Queue;
let abort: AbortController;
const enough = new RangeError("enough");

beforeEach(() => {
  queue = server.client({ clock: undefined }).queue("e");
  abort = new AbortController();
});

/** Aborts once so many jobs are submitted. */
async function abortAt(jobs: number): Promise<void> {
  await until(() => server.jobs.size === jobs);
  abort.abort(enough);
}

/** A schema that takes every output, and what it took. */
function takingAll() {
  const outputs: unknown[] = [];
  return { outputs, schema: z.unknown().refine((output) => outputs.push(output) > 0) };
}

test("a batch whose inputs fail yields what is finished, then throws, and cancels the rest", async () => {
  const { outputs, schema } = takingAll();
  async function* inputs() {
    yield* count(20);
    await until(() => server.jobs.size === 20);
    server.finish(...count(18));
    await until(() => outputs.length === 18);
    throw new RangeError("no more inputs");
  }
  const { all, error } = await collect(queue.runMany(inputs(), { concurrency: 30, schema }));
  expect(error).toMatchObject({ message: "no more inputs" });
  expect(all.flatMap(({ job }) => job?.output ?? []).sort((a, b) => Number(a) - Number(b))).toEqual(count(18));
  expect(server.running).toEqual([]);
  expect([...server.jobs.values()].filter((status) => status === "CANCELLED")).toHaveLength(2);
});

test("a batch that is left by break names the results that were not delivered", async () => {
  const { orphans, onOrphan } = orphansOf();
  server.finishAtOnce();
  const { outputs, schema } = takingAll();
  for await (const _ of queue.runMany(count(40), { concurrency: 40, schema, onOrphan })) {
    await until(() => outputs.length === 40);
    break;
  }
  expect(orphans).toHaveLength(39);
  for (const { index, id, job } of orphans) expect([id, job?.output]).toEqual([String(index), index]);
});

test("a batch that is aborted ends within seconds, whatever the service does, and names every job", async () => {
  const { orphans, onOrphan } = orphansOf();
  server.steps.cancel = () => {};
  const batch = collect(queue.runMany(count(50), { concurrency: 50, signal: abort.signal, onOrphan }));
  await abortAt(50);
  expect((await soon(batch)).error).toMatchObject({ name: "AbortError", cause: enough });
  expect(orphans.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(count(50));
});

test("a batch that is aborted cancels the job whose submission is answered later, and no other", async () => {
  const { orphans, onOrphan } = orphansOf();
  const left = Promise.withResolvers<void>();
  server.steps.run = server.takes((body) => async (...exchange) => {
    if (server.jobs.size === 4) await left.promise;
    json(body)(...exchange);
  });
  const batch = collect(queue.runMany(count(4), { signal: abort.signal, onOrphan }));
  await until(() => server.jobs.size === 4 && server.count("status") >= 3);
  server.finish(1);
  server.jobs.set("2", "FAILED");
  abort.abort(enough);
  left.resolve();
  expect((await batch).error).toBe(enough);
  expect([...server.jobs.values()]).toEqual(["CANCELLED", "COMPLETED", "FAILED", "CANCELLED"]);
  // What has finished since its last look refuses the cancel, and its result is told.
  expect(orphans).toMatchObject([{ index: 1, id: "1", job: { status: "COMPLETED" } }]);
});

test("a batch that is aborted does not wait for a source that stalls", async () => {
  async function* stalled() {
    setImmediate(() => abort.abort(enough));
    await new Promise(() => {});
    yield 1;
  }
  expect((await collect(queue.runMany(stalled(), { signal: abort.signal }))).error).toBe(enough);
});

test("a batch gives a submission no more time than a job has", async () => {
  server.steps.run = () => {};
  const { all } = await soon(collect(queue.runMany([0], { timeoutMs: 1_000 })));
  expect(all[0]?.error).toBeInstanceOf(SubmissionLostError);
});

test("a batch reports every orphan although onOrphan throws, and hides no error behind that", async () => {
  let orphanCount = 0;
  server.steps.cancel = json({ error: "no" }, 403);
  const batch = collect(
    queue.runMany(count(3), {
      signal: abort.signal,
      onOrphan: () => {
        orphanCount += 1;
        throw new TypeError("mine");
      },
    }),
  );
  await abortAt(3);
  expect((await batch).error).toMatchObject({ cause: enough });
  expect(orphanCount).toBe(3);
});

test("a batch that is aborted cancels every job, although looks at them have used up the limit of statuses", async () => {
  const jobs = 150;
  const client = server.client({ clock: undefined, queueLimits: { status: { per10s: 20, concurrent: 20 } } });
  const batch = collect(client.queue("e").runMany(count(jobs), { concurrency: jobs, signal: abort.signal }));
  await until(() => server.count("status") === 20);
  await abortAt(jobs);
  expect((await batch).error).toBe(enough);
  expect(server.running).toEqual([]);
  expect(server.count("status")).toBe(20);
});

test("a job that timeoutMs gave up runs on when the loop is left", async () => {
  for await (const { error } of server.client().queue("e").runMany([1], { timeoutMs: 60_000 })) {
    expect(error).toBeInstanceOf(JobWaitError);
    break;
  }
  expect(server.running).toHaveLength(1);
  expect(server.count("cancel")).toBe(0);
});

// finds mutant left-unnamed
test.each(["break", "signal"])("a batch that is left by %s names the jobs that could not be cancelled", async (how) => {
  const cancels = 3;
  server.steps.cancel = (request, response) => {
    const id = request.url?.split("/").at(-1) ?? "";
    if (server.count("cancel") > cancels) return json({ error: "no" }, 403)(request, response);
    server.jobs.set(id, "CANCELLED");
    json({ id, status: "CANCELLED" })(request, response);
  };
  server.finishAtOnce(0);
  const leave = async () => {
    for await (const _ of queue.runMany(count(30), { concurrency: 30, signal: abort.signal })) {
      await until(() => server.jobs.size === 30);
      if (how === "break") break;
      abort.abort(enough);
    }
  };
  const error = await errorOf(leave(), AbortError);
  expect(server.running).toHaveLength(29 - cancels);
  const { jobIds, message } = error;
  expect(jobIds?.toSorted()).toEqual(server.running.toSorted());
  expect(message).toContain(`${29 - cancels} of its jobs may run on: ${jobIds?.slice(0, 20).join(", ")}; 6 more`);
});

const away = () => Promise.reject(new Error("database away"));
const mute = () => new Promise<never>(() => {});

test.each<[string, (look: number) => unknown, object]>([
  ["one error", (look) => (look > 1 ? "0" : away()), { job: { output: 0 } }],
  ["what is no id", (look) => [null, "", 7][look - 1] ?? "0", { job: { output: 0 } }],
  ["errors alone", away, { error: { name: "SubmissionLostError", cause: { message: "database away" } } }],
  ["no answer", mute, { error: { name: "SubmissionLostError" } }],
])("a lost job is looked for in its time, with %s of findLost", async (_, findLost, result) => {
  server.steps.run = server.takes(() => reset);
  let looks = 0;
  // A program in JavaScript may return anything.
  const options = { timeoutMs: 2_000, findLost: () => findLost(++looks) as string };
  const ended = collect(queue.runMany([0], options));
  await until(() => server.jobs.size === 1);
  server.finish(0);
  expect((await soon(ended)).all).toMatchObject([result]);
});

test("a batch of a client that is closed is cancelled before the sockets are given up", async () => {
  const client = server.client({ clock: undefined });
  const batch = collect(client.queue("e").runMany(count(5)));
  await until(() => server.jobs.size === 5);
  await client.close();
  expect(server.running).toEqual([]);
  expect((await batch).error).toMatchObject({ name: "UsageError" });
});

test("a cancel that is answered with {} throws where the job runs on, and returns the job where it is cancelled", async () => {
  const strict = server.client({ clock: undefined, maxAttempts: 1 }).queue("e");
  server.steps.cancel = json({});
  server.jobs.set("7", "IN_PROGRESS");
  await expect(strict.cancel("7")).rejects.toMatchObject({ name: "ContractError", outcomeUnknown: true });
  server.jobs.set("7", "CANCELLED");
  expect(await strict.cancel("7")).toMatchObject({ id: "7", status: "CANCELLED" });
});

test("wait goes on through an outage that is longer than a call is retried", async () => {
  const client = server.client({ retryBudgetMs: 0 });
  const outage = Array.from({ length: 19 }, () => json({}, 503));
  server.steps.status = inTurn(...outage, json({ id: "7", status: "COMPLETED", output: 7 }));
  expect(await client.queue("e").wait("7")).toMatchObject({ output: 7 });
});

test("what has ended is seen within a tenth of its wait, by no more calls over short and long waits than every 5 s", async () => {
  let calls = 0;
  for (const waitMs of [10_000, 60_000, 600_000]) {
    const clock = impatient();
    const [client, began] = [server.client({ clock }), clock.now()];
    server.steps.status = (request, response) => {
      calls += 1;
      json({ id: "7", status: clock.now() - began < waitMs ? "IN_PROGRESS" : "COMPLETED" })(request, response);
    };
    await client.queue("e").wait("7");
    expect(clock.now() - began - waitMs).toBeLessThan(waitMs / 9 + 500);
  }
  // 13, 30 and 88 on average. With pauses that grew to 5 s: 9, 19 and 127.
  expect(calls).toBeLessThanOrEqual(0.9 * (9 + 19 + 127));
});

test("wait ends in a JobWaitError when the outage outlasts it", async () => {
  server.steps.status = json({}, 503);
  const error = await errorOf(server.client().queue("e").wait("7", { timeoutMs: 600_000 }), JobWaitError);
  expect(error).toMatchObject({ id: "7", cause: { status: 503 } });
});

test("wait looks once more after the machine slept for longer than it waits", async () => {
  let ahead = 0;
  const clock = {
    now: () => ahead,
    async sleep() {
      ahead += 3_600_000;
      server.finish(7);
    },
  };
  server.jobs.set("7", "IN_PROGRESS");
  const waiting = server.client({ clock }).queue("e").wait("7", { timeoutMs: 60_000 });
  expect(await waiting).toMatchObject({ output: 7 });
  server.jobs.set("8", "IN_PROGRESS");
  const error = await errorOf(server.client({ clock }).queue("e").wait("8", { timeoutMs: 60_000 }), JobWaitError);
  expect(error).toMatchObject({ job: { status: "IN_PROGRESS" } });
});

test("wait of a client that is closed ends in a JobWaitError at once", async () => {
  const client = server.client({ clock: undefined });
  server.jobs.set("7", "IN_PROGRESS");
  const ended = errorOf(client.queue("e").wait("7"), JobWaitError);
  await until(() => server.received.length > 0);
  await client.close();
  expect(await ended).toMatchObject({ id: "7", cause: { name: "UsageError" } });
});

// finds mutant job-of-a-closed-client
test.each([
  ["close", "UsageError"],
  ["signal", "RangeError"],
])("runSync that its client's %s ends names the job, which runs on", async (how, name) => {
  const answer = Promise.withResolvers<void>();
  const client = server.client({ clock: undefined, signal: abort.signal });
  server.steps.runsync = server.takes((body) => async (...exchange) => {
    await answer.promise;
    json(body)(...exchange);
  });
  server.steps.status = (request, response) => {
    json({ id: "7", status: "IN_PROGRESS" })(request, response);
    abort.abort(enough);
  };
  const ended = errorOf(client.queue("e").runSync({ input: 7 }), JobWaitError);
  await until(() => server.jobs.size === 1);
  const closing = how === "close" && client.close();
  answer.resolve();
  expect(await ended).toMatchObject({ id: "7", cause: { name } });
  expect(server.running).toEqual(["7"]);
  await closing;
});

test("a stream is as patient as wait with a job that is not known everywhere yet", async () => {
  const missing = json({ error: "not found" }, 404);
  server.steps.stream = inTurn(missing, missing, json({ status: "COMPLETED", stream: [] }));
  for await (const _ of queue.stream("7"));
  expect(server.count("stream")).toBe(3);
});

test("runSync that is aborted cancels its job, and names it", async () => {
  const ended = errorOf(queue.runSync({ input: 7 }, { signal: abort.signal }));
  await until(() => server.count("status") > 0);
  abort.abort(enough);
  expect(await ended).toMatchObject({ name: "AbortError", id: "7", outcomeUnknown: false, cause: enough });
  // Held for a second at most: nobody knows the job before.
  expect(server.received[0]?.url).toBe("/v2/e/runsync?wait=1000");
  expect(server.jobs.get("7")).toBe("CANCELLED");
});

// finds mutant cancel-in-progress
test.each<[string, Step, object]>([
  ["is refused", json({ error: "no" }, 403), { status: 403 }],
  [
    "is answered by a job in progress",
    json({ id: "7", status: "IN_PROGRESS" }),
    { message: expect.stringContaining("is IN_PROGRESS") },
  ],
])("runSync that is aborted whose cancel %s says that the job may run on", async (_, cancel, error) => {
  const orphans: Omit<Orphan, "index">[] = [];
  server.steps.cancel = cancel;
  const options = { signal: abort.signal, onOrphan: (orphan: Omit<Orphan, "index">) => orphans.push(orphan) };
  const ended = errorOf(queue.runSync({ input: 7 }, options), AbortError);
  await abortAt(1);
  expect(await ended).toMatchObject({ id: "7", outcomeUnknown: true });
  expect(orphans).toMatchObject([{ id: "7", error }]);
});

test.each(["run", "runSync"] as const)(
  "%s that is aborted before its answer ends within seconds, and says that the job may run",
  async (call) => {
    server.steps.run = server.steps.runsync = () => abort.abort(enough);
    const error = await soon(errorOf(queue[call]({ input: 7 }, { signal: abort.signal }), AbortError));
    expect(error).toMatchObject({ kind: "Queue", id: "e", outcomeUnknown: true, cause: enough });
  },
);
