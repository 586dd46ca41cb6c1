import { expect, it, jest } from "@jest/globals";
import { Collection } from "../../../emulator/store/collection";
import { type Account, accountForEach, openAccount } from "../../harness/account";

const cloud = accountForEach();

const TEMPLATE = { name: "base", image: "repo/base:1" };

it("keys are asked for by every interface, with a 401 that counts against no quota", async () => {
  const wrong = { authorization: "Bearer wrong" };
  const answer = await cloud.rest("GET", "/v2/pods", undefined, wrong);
  expect(answer.status).toBe(401);
  expect(answer.headers.get("ratelimit")).toBeNull();
  expect((await cloud.rest("GET", "/v2/pods", undefined, { authorization: cloud.apiKey })).status).toBe(401);
  expect((await cloud.rest("GET", "/v2/pods", undefined, {})).body.detail).toBe("missing bearer token");
  expect((await cloud.rest("GET", "/v2/openapi.json", undefined, {})).status).toBe(200);
});

it("keys that only read are refused every write, and restricted ones do what their areas say", async () => {
  const areas = { templates: "read-write", clusters: "read-only" } as const;
  const scopedKey = { key: "scoped", kind: "restricted", areas } as const;
  await using cloud = await openAccount({ settings: { keys: [{ key: "reader", kind: "read-only" }, scopedKey] } });
  const ask = (key: string, method: string, path: string, body?: unknown) =>
    cloud.rest(method, path, body, { authorization: `Bearer ${key}` });
  expect((await ask("reader", "GET", "/v2/templates")).status).toBe(200);
  const write = await ask("reader", "POST", "/v2/templates", TEMPLATE);
  expect([write.status, write.body.detail]).toEqual([403, "access denied"]);
  expect(write.headers.get("ratelimit")).toBeTruthy();

  expect((await ask("scoped", "POST", "/v2/templates", TEMPLATE)).status).toBe(201);
  for (const path of ["/v2/pods", "/v2/serverless"]) expect((await ask("scoped", "GET", path)).status).toBe(403);
  expect((await ask("scoped", "GET", "/v2/clusters")).status).toBe(200);
  expect((await ask("scoped", "POST", "/v2/clusters", {})).status).toBe(403);
});

const list = (cloud: Account) => cloud.rest("GET", "/v2/templates");

it("rate limits count down in three windows and refuse with the window and the wait", async () => {
  await using cloud = await openAccount({ settings: { quotas: { minute: 2, hour: 5, day: 100 } } });
  const first = await list(cloud);
  expect(first.headers.get("ratelimit")).toMatch(/^"minute";r=1;t=\d+, "hour";r=4;t=\d+, "day";r=99;t=\d+$/);
  expect(first.headers.get("ratelimit-policy")).toBe('"minute";q=2;w=60, "hour";q=5;w=3600, "day";q=100;w=86400');
  await list(cloud);
  const refused = await list(cloud);
  expect(refused).toMatchObject({ status: 429, body: { detail: "rate limit exceeded for the minute window" } });
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);

  await cloud.advance(wait * 1000);
  expect((await list(cloud)).status).toBe(200);
  await list(cloud);
  await cloud.advance(60_000);
  expect((await list(cloud)).status).toBe(200);
  expect((await list(cloud)).body.detail).toBe("rate limit exceeded for the hour window");
});

it("rate limits leave exempt callers alone, headers and all", async () => {
  await using cloud = await openAccount({ settings: { rateLimitExempt: true, quotas: { minute: 1 } } });
  await list(cloud);
  const second = await list(cloud);
  expect([second.status, second.headers.get("ratelimit")]).toEqual([200, null]);
});

it("faults fail the matches that they name and no others", async () => {
  await cloud.service.fault({
    match: { interface: "rest", method: "GET", path: "/v2/pods*", nth: 2, times: 2 },
    act: { status: 429, headers: { "retry-after": "7" }, body: { message: "slow down" } },
  });
  const statuses = [];
  for (const path of ["pods", "templates", "pods/x", "pods", "pods"])
    statuses.push((await cloud.rest("GET", `/v2/${path}`)).status);
  expect(statuses).toEqual([200, 200, 429, 429, 200]);
  const { faults } = (await cloud.control("GET", "/faults")).body;
  expect(faults[0].seen).toBe(4);
  await cloud.service.clearFaults();
  expect((await cloud.control("GET", "/faults")).body.faults).toEqual([]);
});

it.each<[path: string, body: unknown, ...errors: string[]]>([
  ["templates", undefined, "$: got null, want object"],
  ["templates", [], "$: got array, want object"],
  ["network-volumes", { name: "v", size: 5 }, "$.size: minimum: got 5, want 10", "$: missing property 'dataCenter'"],
  ["templates", { ...TEMPLATE, disk: "big" }, "$.disk: got string, want number"],
  ["templates", { ...TEMPLATE, ports: [1] }, "$.ports.0: got number, want string"],
])("bodies of %s that break the schema, such as %j, are a 422", async (path, body, ...errors) => {
  const { status, body: refusal } = await cloud.rest("POST", `/v2/${path}`, body);
  expect([status, refusal.errors.toSorted()]).toEqual([422, errors]);
});

it("the log of requests remembers the last calls only, and never the key", async () => {
  await using cloud = await openAccount({ settings: { requestLogSize: 3 } });
  for (let call = 0; call < 10; call += 1) await cloud.rest("GET", `/v2/nothing/${call}`);
  await cloud.graphql("{ myself { id } }");
  const requests = await cloud.service.log();
  expect(requests).toMatchObject([
    { path: "/v2/nothing/8", status: 404 },
    { path: "/v2/nothing/9", status: 404 },
    { operation: "myself", status: 200 },
  ]);
  expect(JSON.stringify(requests)).not.toContain(cloud.apiKey);
});

it("settings change one by one", async () => {
  await cloud.service.settings({ podBootMs: 1000, quotas: { minute: 7 } });
  await cloud.service.settings({ workerQuota: 3 });
  const settings = { podBootMs: 1000, workerQuota: 3, quotas: { minute: 7, hour: 1_000_000 } };
  expect((await cloud.control("GET", "/settings")).body).toMatchObject(settings);
});

it("a mistake in a handler ends the call at once, with its place", async () => {
  jest.spyOn(console, "error").mockImplementation(() => {});
  jest.spyOn(Collection.prototype, "put").mockImplementation(() => {
    throw new TypeError("records.all is not a function");
  });
  const { status, body } = await cloud.rest("POST", "/v2/templates", TEMPLATE);
  jest.restoreAllMocks();
  expect(status).toBe(400);
  expect(body.detail).toMatch(
    /^The emulator failed, not the service: TypeError: records\.all.*\n +at .*door\.test\.ts/,
  );
});
