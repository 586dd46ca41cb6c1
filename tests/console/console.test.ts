/* The console's routes over HTTP; what a browser makes of them is in browser.test.ts. Needs `npm run build`. */
import { expect, it } from "@jest/globals";
import type { JobContext } from "../../emulator";
import type { Detail, Overview } from "../../emulator/console/page/protocol";
import { openEndpoint } from "../contract/emulator/jobPlane";
import { accountForEach, openAccount } from "../harness/account";
import { send } from "../harness/serve";
import { openEvents } from "./events";

const cloud = accountForEach();

const HOSTILE = `<img src=x onerror="alert(1)"></script>`;

const page = (path = "") => cloud.consoleUrl + path;
const overview = () => openEvents<Overview>(page("events"), "overview");
const detail = (path: string) => openEvents<Detail>(page(`events/${path}`), "detail");

it("the page runs scripts and styles of its own address only, and keeps no cookies", async () => {
  const answer = await fetch(page());
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src 'self'(;|$)/);
  expect(policy).not.toContain("unsafe");
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
});

it("the page comes from this machine alone, in at most 80 kB", async () => {
  const html = await (await fetch(page())).text();
  const links = Array.from(html.matchAll(/(?:href|src)="([^"]+)"/g), ([, link = ""]) => new URL(link, page()).href);
  expect(links).toEqual(["icon.svg", "style.css", "main.js"].map((file) => page(file)));
  const sizes = links.map(async (link) => (await (await fetch(link)).arrayBuffer()).byteLength);
  expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThanOrEqual(80_000);
});

it.each(["../index.js", "%2e%2e/index.js", "../../../../package.json", "nothing.js"])(
  "the page has no file %s",
  async (path) => {
    expect((await send(page(path))).status).toBe(404);
  },
);

it("the page is refused to pages of other sites, whichever of its routes they ask for", async () => {
  const foreign = [{ host: "evil.example" }, { origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }];
  for (const headers of foreign) {
    for (const path of ["", "events"]) expect((await send(page(path), { headers })).status).toBe(403);
    const json = { "content-type": "application/json", ...headers };
    expect((await send(page("call"), { method: "POST", headers: json, body: "{}" })).status).toBe(403);
  }
  const plain = { "content-type": "text/plain" };
  expect((await send(page("call"), { method: "POST", headers: plain, body: "{}" })).status).toBe(415);
});

it("the overview begins with what there is, and says what is made, changed and deleted", async () => {
  const { id } = await cloud.create("/v2/templates", { name: HOSTILE, image: "repo/image:1" });
  await using events = await overview();
  const first = await events.until(({ fresh }) => fresh);
  expect(first.resources).toEqual([
    { kind: "templates", id, name: HOSTILE, state: "", facts: ["repo/image:1", "pods"], hourly: 0 },
  ]);
  expect(first.requests).toMatchObject([{ operation: "createTemplate", status: 201 }]);
  expect(first.addresses?.baseUrl).toBe(cloud.baseUrl);

  await cloud.rest("PATCH", `/v2/templates/${id}`, { name: "renamed" });
  await events.until(({ resources }) => resources.some(({ name }) => name === "renamed"));
  await cloud.rest("DELETE", `/v2/templates/${id}`);
  await events.until(({ removed }) => removed.some((gone) => gone.id === id));
});

it("the overview tells of pods as the clock moves them on, and of what they cost", async () => {
  await cloud.service.settings({ podBootMs: 60_000 });
  await using events = await overview();
  await cloud.create("/v2/pods", { name: "trainer", image: "repo/image:1", gpu: { id: "NVIDIA GeForce RTX 4090" } });
  const state = (wanted: string) => (event: Overview) => event.resources.some((row) => row.state === wanted);
  await events.until(state("PROVISIONING"));
  await cloud.advance(86_400_000);
  const { resources } = await events.until(state("RUNNING"));
  expect(resources[0]?.hourly).toBeCloseTo(0.443, 2);
});

it("the overview counts an endpoint's jobs and workers, and rests when they have gone", async () => {
  await using events = await overview();
  const queue = await openEndpoint(cloud, { env: { EMULATOR_DELAY_MS: "60000" } });
  const isIn = (state: string) => (event: Overview) =>
    event.resources.some((row) => row.id === queue.id && row.state === state);
  await events.until(isIn("RESTING"));
  await queue.run({ prompt: "hello" });
  const { resources } = await events.until(isIn("WORKING"));
  const workers = { running: 1, idle: 0, starting: 0, throttled: 0, unhealthy: 0 };
  const load = { workers, most: 1, queued: 0, inProgress: 1, failed: 0 };
  expect(resources.find(({ id }) => id === queue.id)?.load).toMatchObject(load);
  await cloud.advance(3_600_000);
  await events.until(isIn("RESTING"));
});

it("the overview counts and lists the requests of a load balancer as it does jobs", async () => {
  await using events = await overview();
  const type = { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } };
  const { id } = await openEndpoint(cloud, { ...type, env: { EMULATOR_DELAY_MS: "60000" } });
  const headers = { authorization: `Bearer ${cloud.apiKey}` };
  const answer = fetch(`${cloud.serverlessUrl}/load-balancer/${id}/hello`, { headers });
  const { resources } = await events.until((event) =>
    event.resources.some((row) => row.id === id && row.state === "WORKING"),
  );
  expect(resources.find((row) => row.id === id)?.load).toMatchObject({ queued: 0, inProgress: 1 });
  await cloud.advance(60_000);
  expect((await answer).status).toBe(200);
  await events.until(({ requests }) => requests.some((call) => call.interface === "endpoint" && call.status === 200));
});

it("the overview says who refused a call, and why", async () => {
  await using events = await overview();
  const refusedBy = (by: string, why: string) => (event: Overview) =>
    event.requests.some(({ refusal }) => refusal?.by === by && refusal.why.includes(why));
  await cloud.rest("GET", "/v2/pods/nobody");
  await events.until(refusedBy("service", "pod not found"));
  await cloud.graphql('mutation { deleteEndpoint(id: "nobody") }');
  await events.until(refusedBy("service", "not found"));
  await cloud.service.fault({ act: { status: 503 } });
  await cloud.rest("GET", "/v2/pods");
  await events.until(refusedBy("fault", "503"));
  await cloud.service.fault({ act: { drop: "before" } });
  await cloud.rest("GET", "/v2/pods").catch(() => undefined);
  await events.until(refusedBy("fault", "drop"));
});

it("the overview tells faults, settings and the clock when they change, and no key", async () => {
  await using events = await overview();
  await cloud.service.fault({ act: { status: 503 } });
  await events.until(({ fresh, faults }) => !fresh && faults?.length === 1);
  await cloud.service.settings({ keys: [{ key: "hunter2" }] });
  const { settings } = await events.until((event) => !event.fresh && "settings" in event);
  expect(settings).toMatchObject({ keys: [{ kind: "all" }] });
  expect(JSON.stringify(settings)).not.toContain("hunter2");
  // biome-ignore lint/plugin: nothing happens in that time
  await cloud.service.speedUp(10);
  await events.until(({ clock }) => clock.speed === 10);
});

it("a detail shows an endpoint's workers, jobs, releases and load as they change", async () => {
  const queue = await openEndpoint(cloud);
  await using events = await detail(`endpoints/${queue.id}`);
  await events.until(() => true);
  const jobId = await queue.run({ prompt: HOSTILE });
  const { endpoint } = await events.until((event) => event.endpoint?.jobs[0]?.status === "COMPLETED");
  expect(endpoint?.jobs[0]).toMatchObject({ id: jobId, output: JSON.stringify({ prompt: HOSTILE }), execution: 0 });
  expect(endpoint?.workers).toHaveLength(1);
  await queue.update({ image: "emulator/fail" });
  const updated = await events.until((event) => event.endpoint?.releases.length === 2);
  expect(updated.endpoint?.releases[0]?.fields).toEqual(["template.imageName"]);
  await cloud.rest("DELETE", `/v2/serverless/${queue.id}`);
  await events.until(({ record }) => record === null);
});

it("a detail has an endpoint's load of the last half hour, from before a page was opened as well", async () => {
  await cloud.service.settings({ workerColdStartMs: 8000 });
  const queue = await openEndpoint(cloud, { env: { EMULATOR_DELAY_MS: "3000" } });
  await queue.run({ prompt: "hello" });
  await cloud.advance(60_000);
  await using events = await detail(`endpoints/${queue.id}`);
  const { endpoint } = await events.until(() => true);
  const began = endpoint?.jobs[0]?.createdAt ?? 0;
  const seconds = endpoint?.history.map(({ at, workers, queued, running }) => [
    Math.round((at - began) / 1000),
    { workers, queued, running },
  ]);
  expect(seconds).toEqual([
    [60 - 30 * 60, { workers: 0, queued: 0, running: 0 }],
    [0, { workers: 1, queued: 1, running: 0 }],
    [8, { workers: 1, queued: 0, running: 1 }],
    [11, { workers: 1, queued: 0, running: 0 }],
    [16, { workers: 0, queued: 0, running: 0 }],
  ]);
  expect(endpoint?.history.map(({ hourly }) => hourly > 0)).toEqual([false, true, true, true, false]);
});

it("a detail tells a job's cold start from the rest of its wait", async () => {
  await cloud.service.settings({ workerColdStartMs: 8000 });
  const queue = await openEndpoint(cloud, { env: { EMULATOR_DELAY_MS: "3000" } });
  await using events = await detail(`endpoints/${queue.id}`);
  for (const prompt of ["first", "second"]) await queue.run({ prompt });
  await cloud.advance(15_000);
  const { endpoint } = await events.until((event) => event.endpoint?.jobCounts.completed === 2);
  expect(endpoint?.jobs.toReversed()).toMatchObject([
    { delay: 8000, coldStart: 8000, execution: 3000 },
    { delay: 11_000, coldStart: 8000, execution: 3000 },
  ]);
  await using jobEvents = await detail(`jobs/${endpoint?.jobs[0]?.id}`);
  const { job } = await jobEvents.until(({ record }) => record !== null);
  expect(job).toEqual(endpoint?.jobs[0]);
  await queue.run({ prompt: "third" });
  await cloud.advance(3000);
  const later = await events.until((event) => event.endpoint?.jobCounts.completed === 3);
  expect(later.endpoint?.jobs[0]).toMatchObject({ coldStart: 0 });
});

it("a detail follows a pod's log", async () => {
  await cloud.service.settings({ podBootMs: 60_000 });
  const pod = { name: "trainer", image: "repo/image:1", gpu: { id: "NVIDIA GeForce RTX 4090" } };
  const { id } = await cloud.create("/v2/pods", pod);
  await using events = await detail(`pods/${id}`);
  await events.until(({ log }) => log.length === 1);
  await cloud.advance(60_000);
  await events.until(({ log }) => log.at(-1)?.line === "container is ready");
});

it("a detail follows the log of the worker that takes a job up", async () => {
  const handler = async (_input: unknown, { sleep, log }: JobContext) => {
    await sleep(60_000);
    log("half way");
    await sleep(60_000);
  };
  await using ownAccount = await openAccount({ handlers: { "repo/slow:1": handler } });
  const queue = await openEndpoint(ownAccount, { image: "repo/slow:1", workers: { min: 0, max: 1, idleTimeout: 5 } });
  const jobId = await queue.run({ prompt: "hello" });
  await using events = await openEvents<Detail>(`${ownAccount.consoleUrl}events/jobs/${jobId}`, "detail");
  await events.until(({ record }) => record?.status === "IN_PROGRESS");
  await ownAccount.advance(60_000);
  await events.until(({ log }) => log.at(-1)?.line === "half way");
});

const SECRETS = [
  ["pods", "/v2/pods", { image: "repo/image:1", gpu: { id: "NVIDIA GeForce RTX 4090" }, env: { TOKEN: "hunter2" } }],
  ["templates", "/v2/templates", { image: "repo/image:1", env: { TOKEN: "hunter2" } }],
  ["registries", "/v2/registries", { username: "me", password: "hunter2" }],
  ["secrets", "/v2/account/secrets", { value: "hunter2" }],
] as const;
it.each(SECRETS)("a detail of %s hides secrets until it is asked for them", async (kind, path, body) => {
  const { id } = await cloud.create(path, { name: "hidden", ...body });
  await using hidden = await detail(`${kind}/${id}`);
  expect(JSON.stringify(await hidden.until(() => true))).not.toContain("hunter2");
  await using revealed = await detail(`${kind}/${id}?secrets=shown`);
  expect(JSON.stringify(await revealed.until(() => true))).toContain("hunter2");
});

it("a detail of a kind that is not there is a 404", async () => {
  expect((await send(page("events/constructor/x"))).status).toBe(404);
});

const call = async (body: unknown) => {
  const { status, body: answer } = await cloud.control("POST", "/console/call", body);
  return status === 200 ? answer : { status };
};

it("a call of the page is made with the account's key, and is in the log of requests like any other", async () => {
  const template = { name: "mine", image: "repo/image:1" };
  const created = await call({ interface: "rest", method: "POST", path: "/v2/templates", body: template });
  expect([created.status, JSON.parse(created.text).name]).toEqual([201, "mine"]);
  const { id } = await openEndpoint(cloud);
  const job = { interface: "queue", method: "POST", path: `/v2/${id}/run`, body: { input: 1 } };
  expect((await call(job)).status).toBe(200);
  const requests = await cloud.service.log();
  expect(requests.map(({ operation }: { operation: string }) => operation)).toContain("run");
});

it.each(["@evil.example/v2/", "//evil.example/v2/pods", "/openapi", "/v2/a b", "/v2\\..\\x"])(
  "a call of the page goes nowhere else: %s",
  async (path) => {
    expect(await call({ interface: "rest", method: "GET", path })).toEqual({ status: 422 });
  },
);

it("stops with pages open", async () => {
  const ownAccount = await openAccount();
  const answer = await fetch(`${ownAccount.consoleUrl}events`);
  await ownAccount[Symbol.asyncDispose]();
  await expect(answer.text()).rejects.toThrow();
});
