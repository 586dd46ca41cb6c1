/* A call's limits hold from its first await to its last, at every door: `timeoutMs`, `signal`, and the client's end. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type CallOptions, type Client, TimeoutError, UsageError } from "../../client";
import { volume } from "../harness/requests";
import { json, Script, type Step, serverForEach, silence } from "../harness/script";
import { errorOf, soon } from "../harness/until";

/** What calls share goes on after the call that has begun it. */
let ending: AbortController;
afterEach(() => ending.abort());
const script = serverForEach(new Script());
const reason = new RangeError("enough");
let client: Client;
beforeEach(() => {
  // Only the limits of a call can end it.
  const timeouts = { headersMs: 600_000, bodyMs: 600_000, callMs: 600_000 };
  ending = new AbortController();
  client = script.client({ clock: undefined, retryBudgetMs: 600_000, timeouts, signal: ending.signal });
});

type Door = readonly [name: string, call: (options: CallOptions) => Promise<unknown>];

const doors: readonly Door[] = [
  ["a read by its id", (options) => client.pods.get("p", options)],
  ["a read that others share", (options) => client.pods.read("p", options)],
  ["new credentials", (options) => client.registries.update("r", { username: "u", password: "password" }, options)],
  ["a list", (options) => client.pods.list(options)],
  ["a list that others share", (options) => client.gathering().serverless.list(options)],
  ["a read by GraphQL", (options) => client.endpoints.read("e", options)],
  ["another request", (options) => client.request("GET", "/v2/pods", options)],
  ["a submission", (options) => client.queue("e").run({ input: 1 }, options)],
  ["a job that is run", (options) => client.queue("e").runSync({ input: 1 }, options)],
  ["a job's status", (options) => client.queue("e").status("j", options)],
  ["a job's cancel", (options) => client.queue("e").cancel("j", options)],
  ["a wait for a job", (options) => client.queue("e").wait("j", options)],
  ["a job's retry", (options) => client.queue("e").retry("j", options)],
  ["a job's stream", (options) => client.queue("e").stream("j", options).next()],
  ["a purge of a queue", (options) => client.queue("e").purgeQueue(options)],
  ["a queue's health", (options) => client.queue("e").health({ ...options, graceMs: 30_000 })],
  ["a log", (options) => client.pods.logs("p", options).next()],
];
/** Those whose first request asks for the endpoint's address. */
const webDoors: readonly Door[] = [
  ["a request to a worker", (options) => client.endpoint("e").fetch("/x", options)],
  ["a worker's events", (options) => client.endpoint("e").events("/x", options).next()],
];
const url = () => `${script.address}/lb`;
/** Those that have the address. */
const placedDoors: readonly Door[] = [
  ["a request to a known address", (options) => client.endpoint("e", { url: url() }).fetch("/x", options)],
  ["events of a known address", (options) => client.endpoint("e", { url: url() }).events("/x", options).next()],
];
const all: readonly Door[] = [
  ...doors,
  ...webDoors,
  ...placedDoors,
  // Once it is sent, it looks for what it has created.
  ["a create", (options) => client.networkVolumes.create(volume("v"), options)],
];

const waiting: readonly Door[] = [
  ...doors,
  ...webDoors,
  ...placedDoors,
  [
    "a submission whose note is never taken",
    (options) => client.queue("e").run({ input: 1 }, { ...options, beforeSend: () => new Promise(() => {}) }),
  ],
  [
    "a body that is never read to its end",
    (options) => client.endpoint("e", { url: url() }).fetch("/x", { ...options, body: new ReadableStream() }),
  ],
];

test.each(waiting)("%s ends with its time, with its signal, and with the client's", async (_, call) => {
  script.play(silence);
  expect((await soon(errorOf(call({ timeoutMs: 100 })))).message).toMatch(/0\.1 s|100 ms|no answer in time/);
  const controller = new AbortController();
  for (const [end, options] of [
    [controller, { signal: controller.signal }],
    [ending, {}],
  ] as const) {
    const error = errorOf(call(options));
    // It waits by now.
    await new Promise((resolve) => setImmediate(resolve));
    end.abort(reason);
    const { cause } = await soon(error);
    expect([await error, cause]).toContain(reason);
  }
});

test.each(all)("%s is not sent when it is over before it begins", async (_, call) => {
  script.play(json({}, 404));
  await expect(call({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  for (const timeoutMs of [0, -1, Number.NaN, JSON.parse("null")]) await errorOf(call({ timeoutMs }));
  expect(script.received).toEqual([]);
});

test.each(webDoors)("the client's end ends %s that waits for the endpoint's address", async (_, call) => {
  const arrived = new Promise<Parameters<Step>>((resolve) => script.play((...exchange) => resolve(exchange)));
  const ended = errorOf(call({}), UsageError);
  const exchange = await arrived;
  const closed = client.close();
  expect((await soon(ended)).message).toMatch(/closed/);
  json({}, 404)(...exchange);
  await closed;
});

test("a read that has no time left says so by class", async () => {
  await errorOf(client.pods.get("p", { timeoutMs: 0 }), TimeoutError);
  const { message } = await errorOf(client.sshKeys.get({ timeoutMs: -1 }), UsageError);
  expect(message).toContain("timeoutMs is -1. Give it in milliseconds, 0 or more.");
});
