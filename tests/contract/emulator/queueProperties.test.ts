import { expect, it } from "@jest/globals";
import fc from "fast-check";
import type { JobContext } from "../../../emulator";
import { type Account, openAccount } from "../../harness/account";
import { openEndpoint } from "./jobPlane";

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

const task = fc.record<Task>({
  ms: fc.integer({ min: 0, max: 20_000 }),
  fate: fc.constantFrom("answer", "answer", "throw", "crash"),
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("run" as const), task, lowPriority: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("advance" as const), ms: fc.integer({ min: 0, max: 30_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("cancel" as const, "retry" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ kind: "purge" as const }) },
);

const scaling = fc.oneof(
  fc.record({ type: fc.constant("QUEUE_DELAY"), queueDelay: fc.integer({ min: 1, max: 10 }) }),
  fc.record({ type: fc.constant("REQUEST_COUNT"), requestCount: fc.integer({ min: 1, max: 5 }) }),
);

const FINAL = ["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"];
/** What a job may be seen as after it was last seen as the key, when nobody asked for anything. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  IN_QUEUE: ["IN_QUEUE", "IN_PROGRESS", ...FINAL],
  // A lost worker puts its job back.
  IN_PROGRESS: ["IN_QUEUE", "IN_PROGRESS", ...FINAL],
};
const RETRIABLE = ["FAILED", "TIMED_OUT"];

const openObedient = () =>
  openAccount({
    settings: { rateLimitExempt: true, workerColdStartMs: 3000, workerQuota: 100_000 },
    handlers: { "repo/obey:1": obey },
  });

const statusesOf = async (cloud: Account, endpointId: string): Promise<Map<string, string>> => {
  const { jobs }: { jobs: { id: string; endpointId: string; status: string }[] } = (
    await cloud.control("GET", "/state")
  ).body;
  return new Map(jobs.filter((job) => job.endpointId === endpointId).map(({ id, status }) => [id, status]));
};

it("whatever happens to a queue loses no job and moves each one only as it may", async () => {
  await using cloud = await openObedient();
  await fc.assert(
    fc.asyncProperty(scaling, fc.array(step, { maxLength: 20 }), async (scaling, steps) => {
      const plane = await openEndpoint(cloud, { image: "repo/obey:1", workers: { min: 0, max: 2 }, scaling });
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
      }
      // Somebody of normal priority, so that those of low priority get a worker too.
      await plane.run({ ms: 0, fate: "answer" });
      await cloud.advance(20 * 60_000);
      const left = [...(await statusesOf(cloud, plane.id)).values()].filter((status) => !FINAL.includes(status));
      // After the last normal job its workers stop, and low priority alone starts none.
      const lowOnly = steps.some((step) => step.kind === "run" && step.lowPriority);
      if (!lowOnly) expect(left).toEqual([]);
      expect(left.every((status) => status === "IN_QUEUE")).toBe(true);
      await cloud.rest("DELETE", `/v2/serverless/${plane.id}`);
    }),
    { numRuns: 40 },
  );
});

it("whatever happens to a queue keeps the number of workers between min and max, and stops the idle ones", async () => {
  await using cloud = await openObedient();
  const workers = fc
    .record({ min: fc.integer({ min: 0, max: 3 }), max: fc.integer({ min: 0, max: 6 }) })
    .map(({ min, max }) => ({ min: Math.min(min, max), max }));
  await fc.assert(
    fc.asyncProperty(scaling, workers, fc.array(step, { maxLength: 20 }), async (scaling, workers, steps) => {
      const plane = await openEndpoint(cloud, { image: "repo/obey:1", workers, scaling });
      const total = async (): Promise<number> => (await plane.workers()).summary.total;
      for (const step of steps) {
        if (step.kind === "run") await plane.run(step.task, { policy: { lowPriority: step.lowPriority } });
        else if (step.kind === "advance") await cloud.advance(step.ms);
        const now = await total();
        expect(now).toBeGreaterThanOrEqual(workers.min);
        expect(now).toBeLessThanOrEqual(workers.max);
      }
      await cloud.advance(20 * 60_000);
      expect(await total()).toBe(workers.max === 0 ? 0 : workers.min);
      await cloud.rest("DELETE", `/v2/serverless/${plane.id}`);
    }),
    { numRuns: 40 },
  );
});
