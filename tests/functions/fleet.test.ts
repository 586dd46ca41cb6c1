import { beforeAll, expect, test } from "@jest/globals";
import { cluster, endpoint, pod } from "../harness/requests";
import { functionsForAll } from "./ask";

const functions = functionsForAll();
let podId: string;
let clusterId: string;
let endpointId: string;

beforeAll(async () => {
  const { service } = functions;
  podId = await service.create("/v2/pods", pod("a"));
  clusterId = await service.create("/v2/clusters", cluster("c"));
  endpointId = await service.create("/v2/serverless", endpoint("chat"));
  await service.create("/v2/tags", { key: "team", value: "a", resources: [{ type: "POD", id: podId }] });
  await service.advance(600_000);
});

test.each([
  ["getPods", () => ({}), () => ({ pods: [{ id: podId }] })],
  ["getPod", () => ({ id: podId }), () => ({ id: podId, status: "RUNNING" })],
  ["getClusters", () => ({}), () => ({ clusters: [{ id: clusterId }] })],
  ["getCluster", () => ({ id: clusterId }), () => ({ id: clusterId, pods: { total: 2 } })],
  ["getClusterPods", () => ({ id: clusterId }), () => ({ pods: [{ cluster: { rank: 0 } }, { cluster: { rank: 1 } }] })],
  ["getServerlessEndpoints", () => ({}), () => ({ endpoints: [{ id: endpointId }] })],
  ["getServerlessEndpoint", () => ({ id: endpointId }), () => ({ id: endpointId, type: "QUEUE" })],
  ["getEndpointWorkers", () => ({ id: endpointId }), () => ({ summary: { total: 0 } })],
  ["getEndpointReleases", () => ({ id: endpointId }), () => ({ releases: [{ version: expect.any(Number) }] })],
  ["getEndpointHealth", () => ({ id: endpointId }), () => ({ jobs: { inQueue: 0 } })],
  ["getNetworkVolumes", () => ({}), () => ({ networkVolumes: [] })],
  ["getDelegations", () => ({}), () => ({ delegations: [] })],
  ["getTags", () => ({}), () => ({ tags: [{ key: "team", resources: [{ type: "POD", id: podId }] }] })],
  ["getCostCenters", () => ({}), () => ({ costCenters: [] })],
  ["getEndpointBuilds", () => ({ id: endpointId }), () => ({ builds: [] })],
  ["getAccount", () => ({}), () => ({ id: "user_emulated", email: "user@emulator.invalid" })],
  ["getAccountLimits", () => ({}), () => ({ spendRate: { limit: 10_000 }, serverlessWorkers: { limit: 1000 } })],
  ["getBalance", () => ({}), () => ({ balanceAmount: 10_000, billingMode: "PREPAID" })],
  ["getSshKeys", () => ({}), () => ({ keys: [] })],
  ["getServerlessDiscount", () => ({}), () => ({})],
  ["getPublicTemplates", () => ({ source: "official" }), () => ({ templates: expect.any(Array) })],
])("the fleet as it is now %s", async (name, args, expected) =>
  expect(await functions.values(name, args())).toMatchObject(expected()),
);

test("the fleet as it is now getEndpointReleases comes page by page", async () => {
  type Releases = { releases: { version: number }[]; pagination: { nextCursor: string | null } };
  const id = await functions.service.create("/v2/serverless", endpoint("released"));
  for (const image of ["registry.example.com/a:2", "registry.example.com/a:3"])
    await functions.service.rest("PATCH", `/v2/serverless/${id}`, { image });
  const ask = async (args: object) => (await functions.values("getEndpointReleases", { id, ...args })) as Releases;
  const all = await ask({});
  expect(all.releases.length).toBeGreaterThan(1);
  const first = await ask({ limit: 1 });
  const second = await ask({ limit: 1, cursor: first.pagination.nextCursor });
  expect([...first.releases, ...second.releases]).toEqual(all.releases.slice(0, 2));
  await functions.service.rest("DELETE", `/v2/serverless/${id}`);
});

test("the fleet as it is now getPodLogs takes the last lines, and no more", async () => {
  const all = (await functions.values("getPodLogs", { id: podId })) as { lines: { line: string }[] };
  const last = (await functions.values("getPodLogs", { id: podId, tail: 2 })) as typeof all;
  expect(all.lines.length).toBeGreaterThan(2);
  expect(last.lines).toEqual(all.lines.slice(-2));
});

test("the fleet as it is now getBuildLogs takes the last lines of a build", async () => {
  const [startedAt, completedAt] = ["2026-11-01T00:00:00.000Z", "2026-11-01T00:05:00.000Z"];
  const failed = { status: "FAILED", error: "no Dockerfile", startedAt, completedAt };
  const build = { id: "build-1", endpointId, commitHash: "abc", branch: "main", ...failed };
  await functions.service.setState({ builds: [build] });
  const args = { endpointId, buildId: "build-1" };
  expect(await functions.values("getBuildLogs", args)).toEqual({
    lines: [
      { line: "building main at abc", ts: startedAt },
      { line: "no Dockerfile", ts: completedAt },
    ],
  });
  const last = await functions.values("getBuildLogs", { ...args, tail: 1 });
  expect(last).toMatchObject({ lines: [{ line: "no Dockerfile" }] });
  await expect(functions.values("getBuildLogs", { endpointId, buildId: "gone" })).rejects.toThrow("build not found");
});

test("the fleet as it is now getWorkerLogs takes the last lines of every worker, or of one", async () => {
  type Logs = { lines: { workerId: string; ts: string }[] };
  const { service } = functions;
  expect(await functions.values("getWorkerLogs", { endpointId })).toEqual({ lines: [] });
  await service.rest("PATCH", `/v2/serverless/${endpointId}`, { workers: { min: 2, max: 3, idleTimeout: 10 } });
  await service.advance(600_000);
  const { workers } = (await service.rest("GET", `/v2/serverless/${endpointId}/workers`)) as {
    workers: { id: string }[];
  };
  expect(workers).toHaveLength(2);
  const [first, second] = workers.map(({ id }) => id);
  const { lines } = (await functions.values("getWorkerLogs", { endpointId, tail: 2 })) as Logs;
  expect(lines).toHaveLength(4);
  expect(new Set(lines.map(({ workerId }) => workerId))).toEqual(new Set([first, second]));
  expect(lines.map(({ ts }) => ts)).toEqual(lines.map(({ ts }) => ts).toSorted());
  const one = (await functions.values("getWorkerLogs", { endpointId, workerId: second, tail: 2 })) as Logs;
  expect(one.lines).toEqual(lines.filter(({ workerId }) => workerId === second));
  await expect(functions.values("getWorkerLogs", { endpointId, workerId: "gone" })).rejects.toThrow("worker not found");
});

test.each([
  ["getBilling", () => ({ lastN: 7 }), "podGpuAmount"],
  ["getPodBilling", () => ({ podId, bucketSize: "hour", lastN: 2 }), "gpuAmount"],
  ["getServerlessBilling", () => ({ serverlessId: endpointId }), "feeAmount"],
  ["getEndpointBilling", () => ({ bucketSize: "month" }), "totalAmount"],
  ["getNetworkVolumeBilling", () => ({ startTime: "2026-01-01T00:00:00Z" }), "standardAmount"],
  ["getClusterBilling", () => ({ clusterId }), "networkingAmount"],
])("what it cost %s, with its totals", async (name, args, amount) => {
  const { metadata } = (await functions.values(name, args())) as { metadata: { totals: object } };
  expect(metadata.totals).toHaveProperty(amount, expect.any(Number));
});

test("what it cost over a range or over the last buckets, not both", async () => {
  expect(await functions.ask("getBilling", { lastN: 7, startTime: "2026-01-01T00:00:00Z" })).toEqual({
    failures: [{ property: "lastN", reason: expect.stringContaining("excludes startTime and endTime") }],
  });
  expect(await functions.ask("getPodBilling", { startTime: "yesterday" })).toEqual({
    failures: [{ property: "startTime", reason: expect.stringContaining("RFC 3339") }],
  });
});
