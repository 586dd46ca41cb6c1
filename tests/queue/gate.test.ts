/* Gates that measure: many jobs, what they took, what they ran on, and bounds that are kept or not. */
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import type { Client } from "../../client";
import { type Bounds, GateError, readBounds, spreadOf } from "../../provider/smoke/bounds";
import { runGate } from "../../provider/smoke/measure";
import { placeForAll } from "../harness/place";
import { errorOf } from "../harness/until";

const place = placeForAll({
  handlers: {
    "emulator/counted:1": async (input: unknown, job) => {
      together.now += 1;
      together.most = Math.max(together.most, together.now);
      await job.sleep(1000);
      together.now -= 1;
      return input;
    },
    "emulator/once:1": (() => {
      let jobs = 0;
      return async (_: unknown, job) => {
        jobs += 1;
        if (jobs === 3) throw new Error("CUDA out of memory");
        await job.sleep(jobs > 1 ? 3_600_000 : 10);
        return {};
      };
    })(),
  },
});
let client: Client;
/** Jobs at the same time, at most, since the last reset. */
let together = { now: 0, most: 0 };
beforeAll(async () => {
  client = place.client({ clock: place.sharedClock() });
});
afterEach(async () => {
  together = { now: 0, most: 0 };
  await place.service.settings({ workerColdStartMs: 0 });
  await place.reset();
});

async function endpoint(handler: string, delayMs?: number, workersMax = 2): Promise<string> {
  const { endpointId } = await place.queue(handler, delayMs === undefined ? {} : { EMULATOR_DELAY_MS: `${delayMs}` });
  await client.serverless.update(endpointId, { workers: { max: workersMax } });
  return endpointId;
}

function gate(endpointId: string, bounds: Bounds, before?: unknown) {
  const plan = { endpointId, input: { n: 1 }, timeoutMs: 60_000, retries: 0, signal: new AbortController().signal };
  return runGate(client, plan, bounds, before);
}

async function judgementsOf(gate: Promise<unknown>): Promise<Record<string, string>> {
  const { judged, message } = await errorOf(gate, GateError);
  for (const { measure, found, bound, holds } of judged)
    expect(message).toMatch(
      new RegExp(`${measure} +${found} +.*${bound.slice(0, 8)}.* ${holds ? "kept" : "NOT KEPT"}`),
    );
  return Object.fromEntries(judged.map(({ measure, found, holds }) => [measure, `${found}${holds ? "" : " !"}`]));
}

test("a gate runs its jobs, the first one alone, and tells what they took, ran on and cost", async () => {
  await place.service.settings({ workerColdStartMs: 20_000 });
  const id = await endpoint("counted");
  const bounds: Bounds = {
    jobs: 6,
    concurrency: 2,
    coldStart: { max: "30s" },
    delay: { p95: "30s" },
    execution: { p50: "5s", max: "10s" },
    gpu: ["NVIDIA RTX A4000"],
    cost: { perJobMax: 0.01 },
  };
  const { measured, job } = await gate(id, bounds);
  expect(await place.count("run")).toBe(6);
  expect(together.most).toBeLessThanOrEqual(2);
  expect(job.status).toBe("COMPLETED");
  expect(measured).toMatchObject({ jobs: 6, gpus: { "NVIDIA RTX A4000": 6 } });
  expect(measured.coldStart).toBeGreaterThanOrEqual(20_000);
  expect(measured.execution?.p50).toBeGreaterThanOrEqual(1000);
  const price = (await client.catalog.gpus({})).find(({ id }) => id === "NVIDIA RTX A4000")?.price?.serverless ?? 0;
  // That of their mean: each took its second, and what a busy machine has added.
  const costOf = (ms: number) => (price * ms) / 3_600_000;
  expect(measured.costPerJob).toBeGreaterThan(costOf(999));
  expect(measured.costPerJob).toBeLessThan(costOf((measured.execution?.max ?? 0) + 1));
});

test("a gate fails with the table of all bounds, and nothing that was not seen is kept", async () => {
  const id = await endpoint("delay", 2000);
  await client.queue(id).runSync({ input: 1 });
  await place.fault({ path: `/v2/serverless/${id}/workers`, times: 99 }, { status: 403 });
  const judgements = await judgementsOf(
    gate(id, {
      jobs: 3,
      coldStart: { max: "1h" },
      delay: { p50: "1h" },
      execution: { p50: "1s", max: "1h" },
      gpu: ["NVIDIA L4"],
      cost: { perJobMax: 1 },
    }),
  );
  expect(judgements).toEqual({
    "cold start": "not measured !",
    "delay p50": expect.stringMatching(/^\d+ ms$/),
    "execution p50": expect.stringMatching(/^\d+ ms !$/),
    "execution max": expect.stringMatching(/^\d+ ms$/),
    GPU: "3 × unknown !",
    "cost per job": "not measured !",
  });
});

test("a gate reports another GPU than those that were asked for", async () => {
  const id = await endpoint("echo");
  expect(await judgementsOf(gate(id, { gpu: ["NVIDIA L4"] }))).toEqual({ GPU: "1 × NVIDIA RTX A4000 !" });
});

test("a gate compares with the live endpoint in turns, and with the run before", async () => {
  const [candidate, live] = [await endpoint("delay", 2000), await endpoint("delay", 1000)];
  await place.forgetCalls();
  const bounds: Bounds = { jobs: 3, notSlowerThan: { live: 1.2 }, liveEndpointId: live };
  const judgements = await judgementsOf(gate(candidate, bounds));
  expect(Object.keys(judgements)).toEqual(["execution p50", "execution p95"]);
  const runs = (await place.calls()).filter(({ operation }) => operation === "run").map(({ path }) => path);
  expect(runs.map((path) => (path.includes(live) ? "live" : "candidate"))).toEqual(
    Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? "candidate" : "live")),
  );

  const { measured } = await gate(candidate, { ...bounds, notSlowerThan: { live: 20 } });
  expect(measured.live?.p50).toBeGreaterThanOrEqual(1000);
  const last: Bounds = { jobs: 2, notSlowerThan: { last: 20 } };
  await gate(candidate, last, measured);
  await gate(candidate, { ...last, notSlowerThan: { last: 0.001 } });
  expect(await judgementsOf(gate(candidate, { ...last, notSlowerThan: { last: 0.001 } }, measured))).toHaveProperty(
    "execution p95",
  );
});

test("a gate ends with the first job that fails, and cancels the others", async () => {
  const id = await endpoint("once", undefined, 3);
  await expect(gate(id, { jobs: 4, concurrency: 3 })).rejects.toThrow(/CUDA out of memory/);
  const statuses = (await place.state()).jobs?.map(({ status }) => status).sort();
  expect(statuses).toEqual(["CANCELLED", "CANCELLED", "COMPLETED", "FAILED"]);
});

test("percentiles are by nearest rank", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(spreadOf(hundred)).toEqual({ p50: 50, p90: 90, p95: 95, p99: 99, max: 100 });
  expect(spreadOf([7])).toEqual({ p50: 7, p90: 7, p95: 7, p99: 7, max: 7 });
  expect(spreadOf([])).toBeUndefined();
});

test.each([
  [{ delay: { p95: "5s" } }, /delay needs jobs of 2 or more/],
  [{ notSlowerThan: { live: 1.2 } }, /needs liveEndpointId/],
  [{ liveEndpointId: "abc" }, /liveEndpointId is used by notSlowerThan.live alone/],
  [{ execution: { p95: "2 s" } }, /execution.p95 must be a time such as "500ms"/],
  [{ speed: 1 }, /speed/],
])("bounds that can't be judged are refused: %j", (bounds, problem) => {
  expect(() => readBounds(bounds)).toThrow(problem);
});
