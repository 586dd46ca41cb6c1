// @long: requests as large as the emulator takes.
/* What a page in the developer's browser, or a mistake, must not do to an emulator whose ports need no secret. */
import { expect, it } from "@jest/globals";
import { accountForAll, openAccount } from "../../harness/account";
import { send } from "../../harness/serve";
import { until } from "../../harness/until";
import { openEndpoint } from "./jobPlane";

const circle: { self?: unknown } = {};
circle.self = circle;

const cloud = accountForAll({ handlers: { "repo/circular": () => Object.assign([], { 0: circle }) } });

const JSON_TYPE = { "content-type": "application/json" };
const FAULT = JSON.stringify({ act: { status: 503 } });

/** The ports, each with a call that is answered, whatever the answer is. */
const ports = () =>
  [
    ["REST", `${cloud.baseUrl}/v2/pods`],
    ["GraphQL", `${cloud.graphqlUrl}?api_key=${cloud.apiKey}`],
    ["the queue", `${cloud.serverlessUrl}/v2/nobody/health`],
    ["control", `${cloud.controlUrl}/state`],
    ["a path that is not there", `${cloud.controlUrl}/nowhere`],
  ] as const;

const post = (url: string, headers: Record<string, string>, body = "") => send(url, { method: "POST", headers, body });
const KEY = { authorization: "Bearer emulator-key" };

it("pages of the web that point a name of their own here learn nothing", async () => {
  for (const [, url] of ports())
    for (const host of ["evil.example", "evil.example:4010", "127.0.0.1.evil.example", "localhost.evil.example"]) {
      const { status, text } = await send(url, { headers: { ...KEY, host } });
      expect({ url, host, status }).toEqual({ url, host, status: 403 });
      expect(text).toContain("127.0.0.1, localhost and [::1]");
    }
});

// finds mutant web-pages-answered
it("pages of the web are refused by their Origin and by what the browser says about the fetch", async () => {
  const foreign = [
    { origin: "https://evil.example" },
    { origin: "http://127.0.0.1.evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const [, url] of ports())
    for (const headers of foreign) expect((await send(url, { headers: { ...KEY, ...headers } })).status).toBe(403);
});

it("pages of the web cannot send what a browser lets through without asking", async () => {
  const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""];
  for (const type of types) {
    const headers = type === "" ? {} : { "content-type": type };
    expect((await post(`${cloud.controlUrl}/faults`, headers, FAULT)).status).toBe(415);
    const graphql = `${cloud.graphqlUrl}?api_key=${cloud.apiKey}`;
    expect((await post(graphql, headers, JSON.stringify({ query: "{ myself { id } }" }))).status).toBe(415);
  }
  expect((await send(`${cloud.controlUrl}/faults`)).text).toBe('{"faults":[]}');
});

it("pages of the web leave programs on this machine alone, by any of its names and through a proxy", async () => {
  for (const host of ["127.0.0.1", "127.0.0.1:9", "localhost:4010", "LOCALHOST", "[::1]:80"])
    expect((await send(`${cloud.controlUrl}/state`, { headers: { host } })).status).toBe(200);
  const sameOrigin = { origin: cloud.controlUrl, "sec-fetch-site": "same-origin" };
  expect((await send(`${cloud.controlUrl}/state`, { headers: sameOrigin })).status).toBe(200);
  const charset = { "content-type": "Application/JSON; charset=utf-8" };
  expect((await post(`${cloud.controlUrl}/clock`, charset, "{}")).status).toBe(200);
  const queue = await openEndpoint(cloud);
  const purge = `${cloud.serverlessUrl}/v2/${queue.id}/purge-queue`;
  for (const type of [{}, { "content-type": "text/plain" }])
    expect((await post(purge, { ...KEY, ...type })).status).toBe(200);
});

it.each([
  ["POST", "/clock", [{ speed: 1e300 }, { speed: 0 }, { speed: 1e-300 }]],
  ["POST", "/clock", [{ advanceMs: 1e300 }, { advanceMs: -1 }, { advanceMs: 20 * 366 * 86_400_000 }]],
  ["PUT", "/settings", [{ latencyMs: 1e12 }, { podBootMs: 1e15 }, { workerColdStartMs: 1e15 }, { workerQuota: 1e12 }]],
  ["PUT", "/settings", [{ balance: 1e300 }, { quotas: { minute: 1e12 } }]],
  ["PUT", "/settings", [{ podBootMs: -1 }, { bogus: 1 }]],
  ["POST", "/faults", [{ act: { delayMs: 2 ** 31 } }, { act: { staleMs: 1e15 } }]],
  ["POST", "/faults", [{ act: { explode: true } }, { match: { nth: 0 }, act: { delayMs: 1 } }]],
  ["PUT", "/state", [1e300, null, "1"].map((aheadMs) => ({ clock: [{ id: "clock", aheadMs }] }))],
])("%s %s takes none of %j", async (method, path, bodies) => {
  for (const body of bodies) {
    const { status } = await cloud.control(method, path, body);
    expect([body, status]).toEqual([body, 422]);
  }
  expect((await cloud.rest("GET", "/v2/pods")).status).toBe(200);
});

it("the clock and the settings do not go further than a hundred years ahead", async () => {
  await using ownAccount = await openAccount();
  const years = 36_525 * 86_400_000;
  await ownAccount.control("PUT", "/state", { clock: [] });
  for (let ahead = 0; ahead < 10; ahead += 1)
    expect((await ownAccount.advance(Math.floor(years / 10) - 1000)).status).toBe(200);
  expect((await ownAccount.advance(years / 10)).status).toBe(422);
  expect((await ownAccount.rest("GET", "/v2/billing")).status).toBe(200);
});

it.each(["constructor", "toString", "nothing"])("the state has no collection '%s'", async (name) => {
  const body = `{${JSON.stringify(name)}:[]}`;
  const answer = await send(`${cloud.controlUrl}/state`, { method: "PUT", headers: JSON_TYPE, body });
  expect(answer).toEqual({ status: 422, text: expect.stringContaining(`there is no collection '${name}'`) });
});

const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

it("what is nested too deeply is a 400 as a job's input, and a job's webhook does not end the emulator", async () => {
  const queue = await openEndpoint(cloud);
  const url = `${cloud.serverlessUrl}/v2/${queue.id}/run`;
  const webhook = `${cloud.controlUrl}/nowhere`;
  const submit = (depth: number) =>
    post(url, { ...KEY, ...JSON_TYPE }, `{"webhook":"${webhook}","input":${deep(depth)}}`);
  expect((await submit(20_000)).status).toBe(400);
  const { status, text } = await submit(900);
  expect(status).toBe(200);
  await until(async () => (await queue.status(JSON.parse(text).id)).status === "COMPLETED");
});

it("what is nested too deeply is a 400 for the other interfaces", async () => {
  const headers = { ...KEY, ...JSON_TYPE };
  const put = await send(`${cloud.controlUrl}/state`, { method: "PUT", headers, body: deep(50_000) });
  expect(put.status).toBe(400);
  for (const query of ["{ myself ".repeat(20_000), `{ myself(x: ${deep(20_000)}) }`])
    expect((await cloud.graphql(query)).status).toBe(400);
});

it("what is nested too deeply fails the job whose handler returns it", async () => {
  const queue = await openEndpoint(cloud, { image: "repo/circular" });
  const { body } = await queue.post("runsync", { input: 1 });
  expect(body).toMatchObject({ status: "FAILED", error: expect.stringContaining("circular") });
});
