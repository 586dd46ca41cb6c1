import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type CallOptions, type Client, type RequestEvent, ServiceError, UsageError } from "../../client";
import { volume } from "../harness/requests";
import { json, Script, serverForEach } from "../harness/script";

// What a program's hooks do, and what the options of a call do, for every call.

const script = serverForEach(new Script());

const createdVolume = json({ id: "v", name: "v", size: 10, dataCenter: "X", type: "STANDARD" }, 201);
const keys = json({ keys: [] });
/** As errors of the file system and of sockets have one. */
const hookError = Object.assign(new Error("the log is full"), { code: "ECONNRESET" });
const thrower = () => {
  throw hookError;
};

test("what a hook throws is the program's: a create that was answered is no lost one, and nothing is sent again", async () => {
  script.play(createdVolume);
  const client = script.client({ onResponse: thrower });
  await expect(client.networkVolumes.create(volume("v"))).rejects.toBe(hookError);
  expect(script.received).toHaveLength(1);
});

test("what a hook throws changes nothing of what is sent", async () => {
  script.play(json({}, 503), json({}, 503), keys);
  await expect(script.client({ onRetry: thrower, onResponse: thrower }).sshKeys.get()).rejects.toBe(hookError);
  expect(script.received).toHaveLength(3);
});

test("what a hook throws before a request keeps that from being sent", async () => {
  script.play(keys);
  await expect(script.client({ onRequest: thrower }).sshKeys.get()).rejects.toBe(hookError);
  expect(script.received).toEqual([]);
});

test("what a hook throws while a quota keeps a call back changes nothing either", async () => {
  script.play(json({}, 429, { "retry-after": "1" }), keys);
  await expect(script.client({ onRetry: thrower }).sshKeys.get()).rejects.toBe(hookError);
  expect(script.received).toHaveLength(2);
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
  await expect(logs.next()).rejects.toThrow(ServiceError);
  await expect(script.client({ retryBudgetMs: 0 }).pods.logs("p").next()).rejects.toThrow("no upstream for r-7");
});

// What is told of a client's calls to others than the program's hooks.

const traced = json({ keys: [] }, 200, { "x-request-id": "r-1" });
let lines: string[];
const logger = {
  debug: (line: string) => void lines.push(`debug ${line}`),
  info: (line: string) => void lines.push(`info ${line}`),
  warn: (line: string) => void lines.push(`warn ${line}`),
};
beforeEach(() => {
  lines = [];
});
afterEach(() => {
  delete process.env.COMPUTECLOUD_LOG;
});

const busy = json({ title: "Unavailable" }, 503, { "x-request-id": "r-0" });

test("a logger is told what goes wrong", async () => {
  script.play(busy, traced);
  await script.client({ logger }).sshKeys.get();
  expect(lines).toEqual([
    expect.stringMatching(/^warn GET \/v2\/account\/ssh-keys: 503 in \d+ ms \(attempt 1, request r-0\)$/),
  ]);
});

test.each(["option", "environment"])("a logger is told all at the level debug, by the %s, and no key", async (by) => {
  script.play(busy, traced);
  if (by === "environment") process.env.COMPUTECLOUD_LOG = "debug";
  await script.client({ logger, ...(by === "option" && { logLevel: "debug" }) }).sshKeys.get();
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["debug", "warn", "info", "debug", "debug"]);
  expect(lines[2]).toMatch(/503; trying again in [\d.]+ s/);
  expect(lines.join()).not.toContain("scripted-key");
});

test("a logger is told nothing when it is off, and a level that nobody knows is refused", async () => {
  script.play(busy, traced);
  await script.client({ logger, logLevel: "off" }).sshKeys.get();
  expect(lines).toEqual([]);
  process.env.COMPUTECLOUD_LOG = "verbose";
  expect(() => script.client()).toThrow('COMPUTECLOUD_LOG is "verbose"; it takes off, warn, info, debug.');
});

test("diagnostics channels tell of every request and answer, and may add headers", async () => {
  script.play(traced);
  const events: unknown[] = [];
  const onRequest = (message: unknown) => {
    const { headers } = message as RequestEvent;
    headers.traceparent = "00-trace";
  };
  const onResponse = (message: unknown) => void events.push(message);
  subscribe("pulumi-computecloud:request", onRequest);
  subscribe("pulumi-computecloud:response", onResponse);
  try {
    await script.client().sshKeys.get();
  } finally {
    unsubscribe("pulumi-computecloud:request", onRequest);
    unsubscribe("pulumi-computecloud:response", onResponse);
  }
  expect(events).toMatchObject([{ call: "GET /v2/account/ssh-keys", status: 200, requestId: "r-1" }]);
  expect(script.received[0]?.headers.traceparent).toBe("00-trace");
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
