import { expect, it } from "@jest/globals";
import fc from "fast-check";
import type { JobContext } from "../../../emulator";
import { type Account, accountForEach, openAccount } from "../../harness/account";
import { folderForEach } from "../../harness/folder";
import { type JobPlane, openEndpoint, slow, streaming } from "./jobPlane";

const cloud = accountForEach();
const folder = folderForEach();

const MINUTE = 60_000;

it("the queue counts its jobs and workers", async () => {
  const { run, health } = await openEndpoint(cloud, slow(1000));
  for (const n of [1, 2, 3]) await run(n);
  await cloud.advance(1000);
  expect(await health()).toEqual({
    jobs: { completed: 1, failed: 0, inProgress: 1, inQueue: 1, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 1, throttled: 0, unhealthy: 0 },
  });
});

it("the queue cancels what waits and what runs, and nothing that is over", async () => {
  const { run, post, status, health } = await openEndpoint(cloud, slow(1000));
  const [running, waiting, last] = [await run(1), await run(2), await run(3)];
  await cloud.advance(0);
  for (const id of [waiting, running]) expect((await post(`cancel/${id}`)).body).toEqual({ id, status: "CANCELLED" });
  expect(await status(running)).toMatchObject({ status: "CANCELLED", executionTime: 0 });
  expect(await status(waiting)).toEqual({ id: waiting, status: "CANCELLED" });
  expect((await health()).jobs).toMatchObject({ inProgress: 1, inQueue: 0 });
  await cloud.advance(1000);
  expect(await status(last)).toMatchObject({ status: "COMPLETED", output: 3 });
  expect((await post(`cancel/${last}`)).status).toBe(400);
  expect(await status(last)).toMatchObject({ status: "COMPLETED" });
});

it("the queue takes up a failed job again under the same id, and no other", async () => {
  let broken = true;
  const handler = (input: unknown) => {
    if (broken) throw new Error("not today");
    return input;
  };
  await using cloud = await openAccount({ handlers: { "repo/moody:1": handler } });
  const { run, post, status } = await openEndpoint(cloud, { image: "repo/moody:1" });
  const id = await run("again");
  await cloud.advance(0);
  expect(await status(id)).toMatchObject({ status: "FAILED" });
  broken = false;
  expect((await post(`retry/${id}`, {})).body).toEqual({ id, status: "IN_QUEUE" });
  await cloud.advance(0);
  const done = await status(id);
  expect(done).toMatchObject({ status: "COMPLETED", output: "again" });
  expect(done).not.toHaveProperty("error");
  expect((await post(`retry/${id}`)).status).toBe(400);
  expect((await post("retry/nobody")).status).toBe(404);
});

it("the queue purges what waits and leaves what runs", async () => {
  const { run, post, status } = await openEndpoint(cloud, slow(1000));
  const [first, second] = [await run(1), await run(2), await run(3)];
  await cloud.advance(0);
  expect((await post("purge-queue")).body).toEqual({ removed: 2, status: "completed" });
  expect([(await status(first)).status, (await status(second)).status]).toEqual(["IN_PROGRESS", "CANCELLED"]);
});

it("the queue forgets everything with its endpoint", async () => {
  const { id, run, get } = await openEndpoint(cloud, { image: "emulator/delay" });
  const job = await run(1);
  expect((await cloud.rest("DELETE", `/v2/serverless/${id}`)).status).toBe(204);
  expect((await get(`status/${job}`)).status).toBe(404);
  const { jobs, workers } = (await cloud.control("GET", "/state")).body;
  expect([jobs, workers]).toEqual([[], []]);
});

it("the queue takes bodies of 10 MB, and of 20 MB in runsync", async () => {
  const { post } = await openEndpoint(cloud, { workers: { min: 0, max: 0 } });
  const text = (mb: number) => "x".repeat(mb * 1024 * 1024 - 100);
  expect((await post("run", { input: text(10) })).status).toBe(200);
  expect(await post("run", { input: text(11) })).toMatchObject({ status: 413, body: { error: expect.any(String) } });
  expect((await post("runsync", { input: text(21) })).status).toBe(413);
});

it("the queue accepts the raw key and a bearer, and refuses the rest in its own format", async () => {
  await using cloud = await openAccount({ settings: { keys: [{ key: "other", kind: "restricted" }] } });
  const { id, get } = await openEndpoint(cloud);
  const health = async (authorization: string, endpointId = id) =>
    (await fetch(`${cloud.serverlessUrl}/v2/${endpointId}/health`, { headers: { authorization } })).status;
  expect(await health(cloud.apiKey)).toBe(200);
  expect(await health(`Bearer ${cloud.apiKey}`)).toBe(200);
  expect(await health("")).toBe(401);
  expect(await health("wrong")).toBe(401);
  expect(await health("other")).toBe(403);
  expect(await health(cloud.apiKey, "nobody")).toBe(404);
  expect(await get("status/nobody")).toMatchObject({ status: 404, body: { error: "job not found" } });
  await cloud.service.settings({ keys: [{ key: "other", kind: "restricted", endpoints: { [id]: "read-only" } }] });
  expect(await health("other")).toBe(200);
});

it("the queue is not a part of a load-balancing endpoint, whose health it shows all the same", async () => {
  const scaling = { type: "REQUEST_COUNT", requestCount: 1 };
  const { post, get } = await openEndpoint(cloud, { type: "LOAD_BALANCER", scaling });
  expect(await post("run", { input: 1 })).toMatchObject({ status: 400, body: { error: "not allowed for QB API" } });
  expect((await get("health")).status).toBe(200);
});

it("the queue limits calls per endpoint and 10 s, unless the caller is exempt", async () => {
  const [one, other] = [await openEndpoint(cloud), await openEndpoint(cloud)];
  const purge = async (plane: typeof one) => (await plane.post("purge-queue")).status;
  expect([await purge(one), await purge(one), await purge(one)]).toEqual([200, 200, 429]);
  expect(await purge(other)).toBe(200);
  await cloud.advance(10_000);
  expect([await purge(one), await purge(one), await purge(one)]).toEqual([200, 200, 429]);
  await cloud.service.settings({ rateLimitExempt: true });
  expect(await purge(one)).toBe(200);
});

it("a restart brings jobs, chunks and workers back, and begins what was running anew", async () => {
  const options = { dataFile: folder.at("data.jsonl"), settings: { workerColdStartMs: 1000 } };
  let plane: JobPlane;
  const ids: string[] = [];
  {
    await using cloud = await openAccount(options);
    plane = await openEndpoint(cloud, streaming(2, 1000));
    for (const n of [1, 2, 3]) ids.push(await plane.run(n));
    await cloud.advance(4000);
    expect((await plane.health()).jobs).toMatchObject({ completed: 1, inProgress: 1, inQueue: 1 });
  }
  await using cloud = await openAccount(options);
  const [done, cut, waiting] = ids;
  const get = async (path: string) => (await cloud.queue("GET", `${plane.id}/${path}`)).body;
  expect(await get(`status/${done}`)).toMatchObject({ status: "COMPLETED" });
  expect(await get(`stream/${done}`)).toEqual({ status: "COMPLETED", stream: [{ output: 0 }, { output: 1 }] });
  await cloud.advance(4000);
  for (const id of [cut, waiting]) expect(await get(`status/${id}`)).toMatchObject({ status: "COMPLETED" });
  await cloud.advance(30 * MINUTE);
  expect((await get("health")).jobs).toMatchObject({ completed: 0, inQueue: 0 });
});

interface Task {
  readonly ms: number;
  readonly fate: "answer" | "throw" | "crash";
}

/** Takes its time and ends as its input says. */
const obey = async ({ ms, fate }: Task, job: JobContext) => {
  await job.sleep(ms);
  if (fate === "throw") throw new Error("as told");
  return fate === "crash" ? job.crash() : ms;
};

const task = fc.record<Task>({ ms: fc.nat(20_000), fate: fc.constantFrom("answer", "answer", "throw", "crash") });

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("run" as const), task, lowPriority: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("advance" as const), ms: fc.nat(30_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("cancel" as const, "retry" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ kind: "purge" as const }) },
);

const scaling = fc.oneof(
  fc.record({ type: fc.constant("QUEUE_DELAY"), queueDelay: fc.integer({ min: 1, max: 10 }) }),
  fc.record({ type: fc.constant("REQUEST_COUNT"), requestCount: fc.integer({ min: 1, max: 5 }) }),
);

const workerCounts = fc
  .record({ min: fc.integer({ min: 0, max: 3 }), max: fc.integer({ min: 1, max: 6 }) })
  .map(({ min, max }) => ({ min: Math.min(min, max), max }));

const FINAL = ["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"];
/** What a job may be seen as after it was last seen as the key, when nobody asked for anything. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  IN_QUEUE: ["IN_QUEUE", "IN_PROGRESS", ...FINAL],
  // A lost worker puts its job back.
  IN_PROGRESS: ["IN_QUEUE", "IN_PROGRESS", ...FINAL],
};
const RETRIABLE = ["FAILED", "TIMED_OUT"];

const statusesOf = async (cloud: Account, endpointId: string): Promise<Map<string, string>> => {
  const { body } = await cloud.control("GET", "/state");
  const jobs: { id: string; endpointId: string; status: string }[] = body.jobs;
  return new Map(jobs.filter((job) => job.endpointId === endpointId).map(({ id, status }) => [id, status]));
};

it("whatever happens to a queue loses no job, moves each only as it may, and keeps its workers between min and max", async () => {
  await using cloud = await openAccount({
    settings: { rateLimitExempt: true, workerColdStartMs: 3000, workerQuota: 100_000 },
    handlers: { "repo/obey:1": obey },
  });
  await fc.assert(
    fc.asyncProperty(scaling, workerCounts, fc.array(step, { maxLength: 20 }), async (scaling, workers, steps) => {
      const plane = await openEndpoint(cloud, { image: "repo/obey:1", workers, scaling });
      const total = async (): Promise<number> => (await plane.workers()).summary.total;
      let seen = new Map<string, string>();
      for (const step of steps) {
        const allowed = new Map(Array.from(seen, ([id, status]) => [id, LATER[status] ?? [status]]));
        const picked = "pick" in step ? [...seen.keys()][step.pick % Math.max(1, seen.size)] : undefined;
        if (step.kind === "run")
          allowed.set(await plane.run(step.task, { policy: { lowPriority: step.lowPriority } }), LATER.IN_QUEUE ?? []);
        else if (step.kind === "advance") await cloud.advance(step.ms);
        else if (step.kind === "purge") await plane.post("purge-queue");
        else if (picked !== undefined) {
          const before = seen.get(picked) ?? "";
          const { status } = await plane.post(`${step.kind}/${picked}`);
          const possible = step.kind === "cancel" ? !FINAL.includes(before) : RETRIABLE.includes(before);
          expect(status).toBe(possible ? 200 : 400);
          if (possible) allowed.set(picked, step.kind === "cancel" ? ["CANCELLED"] : (LATER.IN_QUEUE ?? []));
        }
        const now = await statusesOf(cloud, plane.id);
        expect([...now.keys()]).toEqual([...allowed.keys()]);
        for (const [id, status] of now) expect(allowed.get(id)).toContain(status);
        const { jobs } = await plane.health();
        expect(jobs.inQueue + jobs.inProgress + jobs.completed + jobs.failed).toBe(
          [...now.values()].filter((status) => status !== "CANCELLED").length,
        );
        seen = now;
        expect(await total()).toBeGreaterThanOrEqual(workers.min);
        expect(await total()).toBeLessThanOrEqual(workers.max);
      }
      // Somebody of normal priority, so that those of low priority get a worker too.
      await plane.run({ ms: 0, fate: "answer" });
      await cloud.advance(20 * 60_000);
      const left = [...(await statusesOf(cloud, plane.id)).values()].filter((status) => !FINAL.includes(status));
      // After the last normal job its workers stop, and low priority alone starts none.
      const lowOnly = steps.some((step) => step.kind === "run" && step.lowPriority);
      if (!lowOnly) expect(left).toEqual([]);
      expect(left.every((status) => status === "IN_QUEUE")).toBe(true);
      expect(await total()).toBe(workers.min);
      await cloud.rest("DELETE", `/v2/serverless/${plane.id}`);
    }),
    { numRuns: 40 },
  );
});
