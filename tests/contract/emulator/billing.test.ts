import { beforeEach, describe, expect, it } from "@jest/globals";
import { accountForEach } from "../../harness/account";
import { cluster } from "../../harness/requests";
import { openEndpoint } from "./jobPlane";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GB_HOUR = 0.1 / 730;

const cloud = accountForEach({ handlers: { "repo/slow:1": (_, job) => job.sleep(30_000) } });
beforeEach(() => advanceTo("day"));

/** Moves the clock to the next full hour or midnight, so that amounts do not depend on when the test runs. */
async function advanceTo(unit: "hour" | "day") {
  const { body } = await cloud.control("GET", "/clock");
  const length = unit === "hour" ? HOUR_MS : DAY_MS;
  await cloud.advance(length - (Date.parse(body.now) % length));
}

const report = async (path: string, query: Record<string, string> = {}) =>
  (await cloud.rest("GET", `/v2/billing${path}?${new URLSearchParams(query)}`)).body;

async function createPod(extra: Record<string, unknown> = {}): Promise<string> {
  const gpu = { id: "NVIDIA GeForce RTX 4090", count: 2 };
  const { id } = await cloud.create("/v2/pods", { name: "trainer", image: "repo/train:1", disk: 50, gpu, ...extra });
  // A pod boots in two steps that take no time here, but do take a turn of the clock.
  await cloud.advance(0);
  return id;
}

/** An amount, to a tenth of a thousandth of a cent. */
const usd = (amount: number) => expect.closeTo(amount, 6);

it("billing of pods counts GPU and disk by the hour while a pod runs, its volume at the stopped price afterwards, and nothing once it is deleted", async () => {
  const podId = await createPod({ mounts: { persistent: { size: 100, path: "/workspace" } } });
  await cloud.advance(3 * HOUR_MS);
  await cloud.rest("POST", `/v2/pods/${podId}/action`, { action: "stop" });
  await cloud.advance(2 * HOUR_MS);
  const { records, metadata } = await report("/pods", { bucketSize: "hour", podId });
  expect(records).toHaveLength(5);
  expect(records[0]).toMatchObject({ podId, cpuAmount: 0, gpuAmount: usd(0.88), diskAmount: usd(150 * GB_HOUR) });
  expect(records[4]).toMatchObject({ gpuAmount: 0, diskAmount: usd(200 * GB_HOUR) });
  expect(metadata).toMatchObject({ recordCount: 5, uniquePodCount: 1, query: { bucketSize: "hour", podId } });
  expect(metadata.totals.gpuAmount).toEqual(usd(3 * 0.88));
  expect(metadata.totals.totalAmount).toBeCloseTo(metadata.totals.gpuAmount + metadata.totals.diskAmount, 9);
  await cloud.rest("DELETE", `/v2/pods/${podId}`);
  await cloud.advance(5 * HOUR_MS);
  expect((await report("/pods")).metadata.totals).toEqual(metadata.totals);
});

it("billing of pods makes one record per pod and bucket, and of one pod when asked", async () => {
  const first = await createPod();
  const second = await createPod({ gpu: undefined, cpu: { id: "cpu5c", vcpuCount: 4 } });
  await cloud.advance(2 * DAY_MS - 1000);
  const all = await report("/pods");
  expect(all.metadata).toMatchObject({ recordCount: 4, uniquePodCount: 2, query: { podId: null } });
  expect(all.records.map(({ podId }: { podId: string }) => podId)).toEqual([first, second, first, second]);
  const one = await report("/pods", { podId: second });
  expect(one.metadata).toMatchObject({ recordCount: 2, uniquePodCount: 1 });
  expect(one.metadata.totals.cpuAmount).toEqual(usd((48 - 1 / 3600) * 4 * 0.035));
  expect(await report("/pods", { podId: "nobody" })).toMatchObject({ records: [] });
});

it("billing of everything else counts a volume by its size, the first terabyte dearer, and goes on at the new size after it grew", async () => {
  const { id } = await cloud.create("/v2/network-volumes", { name: "models", size: 100, dataCenter: "US-TX-3" });
  await cloud.advance(HOUR_MS);
  await cloud.rest("PATCH", `/v2/network-volumes/${id}`, { size: 2000 });
  await cloud.advance(HOUR_MS);
  await cloud.rest("DELETE", `/v2/network-volumes/${id}`);
  const { records, metadata } = await report("/network-volumes", { bucketSize: "hour" });
  expect(records).toMatchObject([
    { networkVolumeId: id, highPerformanceAmount: 0, standardAmount: usd((100 * 0.07) / 730) },
    { standardAmount: usd((1000 * 0.07 + 1000 * 0.05) / 730) },
  ]);
  expect(metadata.uniqueNetworkVolumeCount).toBe(1);
});

it("billing of everything else counts a worker from its start until it went idle for long enough, and none before or after", async () => {
  await cloud.service.settings({ workerColdStartMs: 10_000 });
  const { id, run } = await openEndpoint(cloud, { image: "repo/slow:1", gpu: { pools: ["ADA_24"] } });
  await cloud.advance(HOUR_MS);
  expect((await report("/serverless")).records).toEqual([]);
  await run({ prompt: "hi" });
  await cloud.advance(HOUR_MS);
  const { records, metadata } = await report("/serverless", { bucketSize: "hour", serverlessId: id });
  expect(metadata).toMatchObject({ recordCount: 1, uniqueServerlessCount: 1 });
  // 10 s of booting, 30 s of work and 5 s of idling.
  expect(records[0]).toMatchObject({ serverlessId: id, cpuAmount: 0, gpuAmount: usd(45 * 0.00031) });
});

it("billing of everything else counts a cluster as one, not its members as pods", async () => {
  const { id } = await cloud.create("/v2/clusters", cluster("train"));
  await cloud.advance(HOUR_MS);
  const { metadata } = await report("/clusters", { clusterId: id });
  expect(metadata.totals.gpuAmount).toEqual(usd(16 * 2.69));
  expect((await report("/pods")).records).toEqual([]);
});

it("billing of everything else adds all of it up, and knows no public endpoints", async () => {
  await createPod();
  await cloud.rest("POST", "/v2/network-volumes", { name: "models", size: 100, dataCenter: "EU-RO-1" });
  await cloud.advance(HOUR_MS);
  const { records, metadata } = await report("", { lastN: "1" });
  expect(records).toHaveLength(1);
  const { totalAmount, ...parts } = metadata.totals;
  const storage = { storageHighPerformanceAmount: usd((100 * 0.14) / 730) };
  expect(parts).toMatchObject({ endpointAmount: 0, clusterGpuAmount: 0, podGpuAmount: usd(0.88), ...storage });
  expect(totalAmount).toEqual(usd(Object.values<number>(parts).reduce((sum, amount) => sum + amount, 0)));
  expect(await report("/endpoints")).toMatchObject({ records: [], metadata: { totals: { totalAmount: 0 } } });
});

describe("the window of a report", () => {
  const query = async (parameters: Record<string, string>) => (await report("", parameters)).metadata.query;

  it("is the last 30 days in whole days unless told", async () => {
    await advanceTo("hour");
    const { startTime, endTime, bucketSize } = await query({});
    expect(bucketSize).toBe("day");
    expect(startTime).toMatch(/T00:00:00/);
    expect(Date.parse(endTime) - Date.parse(startTime)).toBe(31 * DAY_MS);
  });

  it.each([
    ["hour", "2026-05-13T10:00:00.000Z", "2026-05-14T16:00:00.000Z"],
    ["day", "2026-05-13T00:00:00.000Z", "2026-05-15T00:00:00.000Z"],
    ["week", "2026-05-11T00:00:00.000Z", "2026-05-18T00:00:00.000Z"],
    ["month", "2026-05-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z"],
    ["year", "2026-01-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
  ])("is widened to whole buckets: %s", async (bucketSize, startTime, endTime) => {
    const requested = { startTime: "2026-05-13T12:20:00+02:00", endTime: "2026-05-14T15:40:00Z", bucketSize };
    const window = { startTime, endTime, bucketSize };
    expect(await query(requested)).toEqual(window);
    // An end that lies on a boundary stays.
    expect(await query(window)).toEqual(window);
  });

  it("ends with the current bucket when the last N are asked for", async () => {
    await advanceTo("hour");
    const { startTime, endTime } = await query({ lastN: "3" });
    const { body } = await cloud.control("GET", "/clock");
    expect(Date.parse(endTime) - Date.parse(startTime)).toBe(3 * DAY_MS);
    expect(Date.parse(startTime)).toBeLessThan(Date.parse(body.now));
    expect(Date.parse(endTime)).toBeGreaterThan(Date.parse(body.now));
    expect((await query({ lastN: "999999999", bucketSize: "year" })).startTime).toBe("1970-01-01T00:00:00.000Z");
  });

  it("leaves out what ran outside of it", async () => {
    await createPod();
    await cloud.advance(DAY_MS);
    const { body } = await cloud.control("GET", "/clock");
    const endTime = new Date(Date.parse(body.now) - DAY_MS / 2).toISOString();
    const { totals } = (await report("/pods", { endTime, bucketSize: "hour" })).metadata;
    expect(totals.gpuAmount).toEqual(usd(12 * 0.88));
  });
});
