import { expect, it } from "@jest/globals";
import { accountForEach, openAccount } from "../../harness/account";
import { type JobPlane, openEndpoint, slow } from "./jobPlane";

const cloud = accountForEach();

const SLOW = slow(8000);
const byCount = (requestCount: number) => ({ type: "REQUEST_COUNT", requestCount });

/** Worker states from the records, with how many there are of each. */
const states = async ({ workers }: JobPlane) => {
  const { total, ...summary } = (await workers()).summary;
  expect(Object.values<number>(summary).reduce((sum, count) => sum + count)).toBe(total);
  return Object.fromEntries(Object.entries(summary).filter(([, count]) => count !== 0));
};

it("workers start cold with the first job, stay for the idle timeout, and stop", async () => {
  await using cloud = await openAccount({ settings: { workerColdStartMs: 8000 } });
  const plane = await openEndpoint(cloud);
  await cloud.advance(60_000);
  expect(await states(plane)).toEqual({});
  await plane.run(1);
  expect(await states(plane)).toEqual({ initializing: 1 });
  expect((await plane.health()).workers).toMatchObject({ initializing: 1, ready: 0 });
  await cloud.advance(8000);
  expect(await states(plane)).toEqual({ idle: 1 });
  expect((await plane.health()).workers).toMatchObject({ idle: 1, ready: 1 });
  const place = { gpuTypeId: "NVIDIA RTX A4000", gpuCount: 1, dataCenterId: expect.any(String) };
  const release = { image: "emulator/echo", version: 1, isStale: false };
  expect((await plane.workers()).workers).toMatchObject([{ ...place, ...release, uptimeSeconds: 8 }]);
  await cloud.advance(4999);
  expect(await states(plane)).toEqual({ idle: 1 });
  await cloud.advance(1);
  expect(await states(plane)).toEqual({});
});

it("workers are always there up to the minimum", async () => {
  const plane = await openEndpoint(cloud, { workers: { min: 2, max: 3, idleTimeout: 5 } });
  await cloud.advance(600_000);
  expect(await states(plane)).toEqual({ idle: 2 });
  await plane.update({ workers: { min: 1, max: 3, idleTimeout: 5 } });
  expect(await states(plane)).toEqual({ idle: 1 });
  await plane.update({ workers: { min: 0, max: 0, idleTimeout: 5 } });
  expect(await states(plane)).toEqual({});
});

it("workers grow with the number of requests, up to the maximum", async () => {
  const plane = await openEndpoint(cloud, { ...SLOW, workers: { min: 0, max: 3 }, scaling: byCount(2) });
  const grown: unknown[] = [];
  for (let n = 1; n <= 8; n++) {
    await plane.run(n);
    await cloud.advance(0);
    grown.push((await states(plane)).running);
  }
  expect(grown).toEqual([1, 1, 2, 2, 3, 3, 3, 3]);
});

it("workers grow by one whenever a job has waited for the queue delay", async () => {
  await using cloud = await openAccount({ settings: { workerColdStartMs: 1000 } });
  const plane = await openEndpoint(cloud, { ...slow(600_000), workers: { min: 0, max: 3 } });
  for (let n = 1; n <= 6; n++) await plane.run(n);
  const grown: unknown[] = [];
  for (let second = 0; second <= 13; second++) {
    grown.push((await plane.workers()).summary.total);
    await cloud.advance(1000);
  }
  expect(grown).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3]);
});

it("workers finish their job before they make way for a lower maximum", async () => {
  const plane = await openEndpoint(cloud, { ...SLOW, workers: { min: 0, max: 3 }, scaling: byCount(1) });
  const jobs = [await plane.run(1), await plane.run(2), await plane.run(3), await plane.run(4)];
  await cloud.advance(0);
  await plane.update({ workers: { min: 0, max: 1 } });
  expect(await states(plane)).toEqual({ running: 3 });
  await cloud.advance(8000);
  expect(await states(plane)).toEqual({ running: 1 });
  await cloud.advance(8000);
  const ends = await Promise.all(jobs.map((id) => plane.status(id)));
  expect(ends.map(({ status }) => status)).toEqual(Array(4).fill("COMPLETED"));
});

it("workers are replaced by a new release: idle ones at once, busy ones after their job", async () => {
  const plane = await openEndpoint(cloud, { ...SLOW, workers: { min: 2, max: 2 } });
  await cloud.advance(0);
  const job = await plane.run("old");
  await cloud.advance(1000);
  await plane.update({ image: "emulator/delay:2" });
  await cloud.advance(0);
  const describeWorkers = async () => {
    const { workers }: { workers: { isStale: boolean; image: string; status: string }[] } = await plane.workers();
    return workers.map(({ isStale, image, status }) => `${isStale ? "stale" : "fresh"} ${image} ${status}`).sort();
  };
  expect(await describeWorkers()).toEqual(["fresh emulator/delay:2 IDLE", "stale emulator/delay RUNNING"]);
  await cloud.advance(7000);
  await cloud.advance(0);
  expect(await describeWorkers()).toEqual(["fresh emulator/delay:2 IDLE", "fresh emulator/delay:2 IDLE"]);
  expect(await plane.status(job)).toMatchObject({ status: "COMPLETED", output: "old" });
  const { body } = await cloud.rest("GET", `/v2/serverless/${plane.id}/releases`);
  expect(body.rollout).toEqual({ inProgress: false, workersOnLatest: 2, workersTotal: 2, percentOnLatest: 100 });
});

it("workers are replaced even above the minimum while they are still warm", async () => {
  const plane = await openEndpoint(cloud);
  await plane.run(1);
  await cloud.advance(1000);
  await plane.update({ image: "emulator/echo:2" });
  await cloud.advance(0);
  expect((await plane.workers()).workers).toMatchObject([{ image: "emulator/echo:2", version: 2, status: "IDLE" }]);
});

it("workers of a dead image crash again and again, which the scheduler's gauge is slow to see", async () => {
  await using cloud = await openAccount({ settings: { workerColdStartMs: 2000 } });
  const plane = await openEndpoint(cloud, { image: "emulator/crash" });
  const job = await plane.run(1);
  await cloud.advance(2000);
  expect(await states(plane)).toEqual({ unhealthy: 1 });
  expect((await plane.health()).workers).toMatchObject({ initializing: 1, ready: 0, running: 0, unhealthy: 0 });
  await cloud.advance(10_000);
  expect(await states(plane)).toEqual({ initializing: 1 });
  await cloud.advance(60_000);
  expect(await plane.health()).toMatchObject({
    jobs: { inQueue: 1, inProgress: 0 },
    workers: { initializing: 0, ready: 0, running: 0, unhealthy: 1 },
  });
  await plane.post(`cancel/${job}`);
  await cloud.advance(600_000);
  expect(await states(plane)).toEqual({});
});

it("workers are throttled while no host has room, and heal by themselves", async () => {
  await cloud.service.fault({ match: { times: 1000 }, act: { capacity: { gpuTypeId: "NVIDIA RTX A4000" } } });
  const plane = await openEndpoint(cloud, { gpu: { pools: ["AMPERE_16"], excludedTypes: EXCLUDED } });
  const job = await plane.run(1);
  expect(await states(plane)).toEqual({ throttled: 1 });
  expect((await plane.workers()).workers).toMatchObject([{ gpuTypeId: null, dataCenterId: null, startedAt: null }]);
  expect((await cloud.control("GET", "/state")).body.usage).toEqual([]);
  await cloud.service.clearFaults();
  await cloud.advance(30_000);
  expect(await plane.status(job)).toMatchObject({ status: "COMPLETED" });
  const image = await openEndpoint(cloud, { image: "emulator/throttled" });
  const other = await image.run(1);
  await cloud.advance(29_999);
  expect((await image.health()).workers).toMatchObject({ throttled: 1 });
  await cloud.advance(1);
  expect(await image.status(other)).toMatchObject({ status: "COMPLETED", delayTime: 30_000 });
});

it("workers take the next GPU type of their pools when the first has no room", async () => {
  await cloud.service.fault({ match: { times: 1000 }, act: { capacity: { gpuTypeId: "NVIDIA RTX A4000" } } });
  const plane = await openEndpoint(cloud, { workers: { min: 1, max: 1 } });
  expect((await plane.workers()).workers).toMatchObject([{ gpuTypeId: "NVIDIA RTX A4500" }]);
});

/** All of the pool but the first. */
const EXCLUDED = ["NVIDIA RTX A4500", "NVIDIA RTX 4000 Ada Generation", "NVIDIA RTX 2000 Ada Generation"];
