import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import {
  type CallOptions,
  type Client,
  type ClientOptions,
  type RequestEvent,
  ServiceError,
  UsageError,
} from "../../client";
import { environmentForEach } from "../harness/environment";
import { volume } from "../harness/requests";
import { json, Script, type Step, serverForEach } from "../harness/script";
import { errorOf } from "../harness/until";

// What a program's hooks do, and what the options of a call do, for every call.

const script = serverForEach(new Script());

const keys = json({ keys: [] });
/** As errors of the file system and of sockets have one. */
const hookError = Object.assign(new Error("the log is full"), { code: "ECONNRESET" });
const thrower = () => {
  throw hookError;
};

test.each<[string, Step[], (keyof ClientOptions)[], number]>([
  ["keeps a request from being sent before it", [keys], ["onRequest"], 0],
  ["sends nothing again after an answer", [keys], ["onResponse"], 1],
  ["changes nothing of what is sent", [json({}, 503), json({}, 503), keys], ["onRetry", "onResponse"], 3],
  ["changes nothing while a quota keeps a call back", [json({}, 429, { "retry-after": "1" }), keys], ["onRetry"], 2],
])("what a hook throws is the program's, and %s", async (_, steps, hooks, requests) => {
  script.play(...steps);
  const client = script.client(Object.fromEntries(hooks.map((hook) => [hook, thrower])));
  await expect(client.sshKeys.get()).rejects.toBe(hookError);
  expect(script.received).toHaveLength(requests);
});

test("what a hook throws makes a create that was answered no lost one", async () => {
  script.play(json({ id: "v", name: "v" }, 201));
  await expect(script.client({ onResponse: thrower }).networkVolumes.create(volume("v"))).rejects.toBe(hookError);
  expect(script.received).toHaveLength(1);
});

test("what a hook throws hides no error that says that something may exist", async () => {
  script.play(json({}, 504), json({ networkVolumes: [] }));
  const create = script.client({ onRetry: thrower, onResponse: thrower }).networkVolumes.create(volume("v"));
  await expect(create).rejects.toMatchObject({ name: "MayExistError" });
});

const drained = async (iterable: AsyncIterable<unknown>) => {
  for await (const _ of iterable);
};

describe.each<[string, (client: Client, options: CallOptions) => Promise<unknown>]>([
  ["run", (client, options) => client.queue("e").run({ input: 1 }, options)],
  ["runSync", (client, options) => client.queue("e").runSync({ input: 1 }, options)],
  ["wait", (client, options) => client.queue("e").wait("j", options)],
  ["status", (client, options) => client.queue("e").status("j", options)],
  ["health", (client, options) => client.queue("e").health(options)],
  ["stream", (client, options) => drained(client.queue("e").stream("j", options))],
  ["runMany", (client, options) => drained(client.queue("e").runMany([1], options))],
  ["pods.get", (client, options) => client.pods.get("j", options)],
  ["pods.list", (client, options) => client.pods.list(options)],
  ["endpoints.list", (client, options) => client.endpoints.list(options)],
  ["request", (client, options) => client.request("GET", "/v2/pods", options)],
])("%s", (name, call) => {
  const answers = json({
    id: "j",
    status: "COMPLETED",
    output: 1,
    stream: [],
    jobs: {},
    workers: {},
    pods: [],
    data: { myself: { endpoints: [] } },
  });

  test("tells its onResponse of every answer, and sends its headers", async () => {
    script.play(answers);
    const calls: string[] = [];
    await call(script.client(), { onResponse: (event) => calls.push(event.call), headers: { "x-trace": "t-1" } });
    expect(calls).toHaveLength(script.received.length);
    expect(script.received.length).toBeGreaterThan(0);
    expect(new Set(script.received.map(({ headers }) => headers["x-trace"]))).toEqual(new Set(["t-1"]));
  });

  test("sends each request as often as its attempts say", async () => {
    script.play(json({}, 429), json({}, 429), answers);
    const ended = await call(script.client({ retryBudgetMs: 0 }), { attempts: 1 }).catch((error: unknown) => error);
    expect(script.received).toHaveLength(1);
    if (name !== "runMany") expect(ended).toBeInstanceOf(Error);
  });
});

test("a stream that is refused in a compressed answer tells why", async () => {
  const problem = gzipSync(JSON.stringify({ title: "Bad Gateway", status: 502, detail: "no upstream for r-7" }));
  script.play((_, response) => {
    const headers = { "content-type": "application/problem+json", "content-encoding": "gzip" };
    response.writeHead(502, headers).end(problem);
  });
  const logs = script.client({ retryBudgetMs: 0 }).pods.logs("p");
  expect((await errorOf(logs.next(), ServiceError)).message).toContain("no upstream for r-7");
});

// What is told of a client's calls to others than the program's hooks.

const traced = json({ keys: [] }, 200, { "x-request-id": "r-1" });
const setEnvironment = environmentForEach();

const busy = json({ title: "Unavailable" }, 503, { "x-request-id": "r-0" });

const all = ["debug", "warn", "info", "debug", "debug"];
test.each<[string, Partial<ClientOptions>, NodeJS.ProcessEnv, string[]]>([
  ["what goes wrong", {}, {}, ["warn"]],
  ["all at the level debug, by the option", { logLevel: "debug" }, {}, all],
  ["all at the level debug, by the environment", {}, { COMPUTECLOUD_LOG: "debug" }, all],
  ["nothing when it is off", { logLevel: "off" }, {}, []],
])("a logger is told %s, and no key", async (_, options, environment, levels) => {
  script.play(busy, traced);
  setEnvironment(environment);
  const lines: string[] = [];
  const log = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  const logger = { debug: log("debug"), info: log("info"), warn: log("warn") };
  await script.client({ logger, ...options }).sshKeys.get();
  expect(lines.map((line) => line.split(" ")[0])).toEqual(levels);
  const text = lines.join("\n");
  const warning = /^warn GET \/v2\/account\/ssh-keys: 503 in \d+ ms \(attempt 1, request r-0\)$/m;
  if (levels.includes("warn")) expect(text).toMatch(warning);
  if (levels.includes("info")) expect(text).toMatch(/^info .*503; trying again in [\d.]+ s/m);
  expect(text).not.toContain("scripted-key");
});

test("a logger's level that nobody knows is refused", () => {
  setEnvironment({ COMPUTECLOUD_LOG: "verbose" });
  expect(() => script.client()).toThrow('COMPUTECLOUD_LOG is "verbose"; it takes off, warn, info, debug.');
});

test("hooks tell of every request and answer, and may add headers", async () => {
  const events: object[] = [];
  const onRequest = ({ headers, ...request }: RequestEvent) => {
    headers.traceparent = "00-trace";
    events.push(request);
  };
  script.play(busy, traced);
  await script.client({ onRequest, onResponse: (event) => events.push(event) }).sshKeys.get();
  const call = "GET /v2/account/ssh-keys";
  expect(events).toMatchObject([
    { call, attempt: 1 },
    { call, attempt: 1, status: 503, requestId: "r-0", ms: expect.any(Number) },
    { call, attempt: 2 },
    { call, attempt: 2, status: 200, requestId: "r-1", ms: expect.any(Number) },
  ]);
  expect(script.received.map(({ headers }) => headers.traceparent)).toEqual(["00-trace", "00-trace"]);
});

test("maxAttempts bounds every call that does not say otherwise", async () => {
  script.play(json({}, 503));
  const client = script.client({ maxAttempts: 2 });
  await expect(client.sshKeys.get()).rejects.toThrow(ServiceError);
  expect(script.received).toHaveLength(2);
  await expect(client.sshKeys.get({ attempts: 3 })).rejects.toMatchObject({ attempts: 3 });
  expect(script.received).toHaveLength(5);
  expect(() => script.client({ maxAttempts: 0 })).toThrow(UsageError);
});

test("appInfo names the program in the user agent", async () => {
  script.play(traced);
  await script.client({ appInfo: { name: "trainer", version: "1.2", url: "https://example.com" } }).sshKeys.get();
  expect(script.received[0]?.headers["user-agent"]).toMatch(
    /^pulumi-computecloud\/\d+\.\d+\.\d+\S* node\/\S+ trainer\/1\.2 \(https:\/\/example\.com\)$/,
  );
  expect(() => script.client({ appInfo: { name: "a\nb" } })).toThrow(UsageError);
});
