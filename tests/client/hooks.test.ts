import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { type CallOptions, type Client, ServiceError } from "../../client";
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
