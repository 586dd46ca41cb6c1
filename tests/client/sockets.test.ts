import { expect, test } from "@jest/globals";
import { Agent } from "undici";
import {
  type CallOptions,
  type Client,
  ConnectionError,
  createQueue,
  SubmissionLostError,
  TimeoutError,
  UsageError,
} from "../../client";
import { impatient } from "../harness/place";
import { volume } from "../harness/requests";
import { json, linesOf, logEvent, logTime, Script, type Step, serverForEach, stream } from "../harness/script";
import { errorOf, until } from "../harness/until";

const keys = json({ keys: [] });
const nothing: Step = (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).end();

const script = serverForEach(new Script());

/** Holds the first request, and resolves with what answers it once it has arrived. The others are answered at once. */
function hold(step: Step): Promise<() => void> {
  return new Promise((resolve) => {
    script.play((request, response) => resolve(() => step(request, response)), step);
  });
}

test("40 followers of logs leave every other call alone, and end with the client", async () => {
  const log = stream(logEvent(1));
  script.play((request, response) => (request.url?.includes("logs") ? log : keys)(request, response));
  const client = script.client({ clock: undefined });
  const followers = Array.from({ length: 40 }, (_, index) => client.pods.logs(`p${index}`));
  for (const follower of followers) expect((await follower.next()).value).toMatchObject({ line: "line 1" });
  await Promise.all(Array.from({ length: 20 }, () => client.sshKeys.get()));
  const ends = Promise.allSettled(followers.map((follower) => follower.next()));
  await client.close();
  for (const end of await ends) expect(end).toMatchObject({ status: "rejected", reason: { name: "UsageError" } });
});

test("100 queues of one process share their sockets, and the last to close ends them", async () => {
  script.play(json({ jobs: {}, workers: {} }));
  const serverlessUrl = script.address;
  const queues = Array.from({ length: 100 }, (_, index) =>
    createQueue({ endpointId: `e${index}`, apiKey: "key", serverlessUrl }),
  );
  for (const queue of queues) await queue.health();
  expect(script.sockets.size).toBeLessThanOrEqual(2);
  await Promise.all(queues.map((queue) => queue.close()));
  await until(() => [...script.sockets].every(({ destroyed }) => destroyed));
});

// finds mutant sent-after-its-time
test.each<[string, (client: Client, options: CallOptions) => Promise<unknown>]>([
  ["a job", (client, options) => client.queue("e").run({ input: 1 }, options)],
  ["a create", (client, options) => client.networkVolumes.create(volume("v"), options)],
  [
    "an endpoint's request",
    (client, options) => client.endpoint("e", { url: script.address }).fetch("/", { body: {}, ...options }),
  ],
])("%s whose time or signal ends while it waits for a socket is not sent once there is one", async (_, call) => {
  const held = hold(json({ jobs: {}, workers: {} }));
  const dispatcher = new Agent({ connections: 1 });
  const client = script.client({ dispatcher, clock: undefined });
  const first = client.queue("e").health();
  const answer = await held;
  const late = await errorOf(call(client, { timeoutMs: 20 }), TimeoutError);
  expect(late.outcomeUnknown).not.toBe(true);
  const controller = new AbortController();
  const aborted = errorOf(call(client, { signal: controller.signal }));
  const reason = new RangeError("enough");
  setImmediate(() => controller.abort(reason));
  expect(await aborted).toBe(reason);
  const last = client.queue("e").health();
  answer();
  await Promise.all([first, last]);
  await dispatcher.close();
  expect(script.received.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

// finds mutant destroyed-is-not-sent
test("a job may run whose dispatcher is destroyed while its answer is awaited, and none is sent after that", async () => {
  const held = hold(keys);
  const dispatcher = new Agent();
  const queue = createQueue({ endpointId: "e", apiKey: "key", serverlessUrl: script.address, dispatcher });
  const lost = errorOf(queue.run({ input: 1 }), SubmissionLostError);
  await held;
  await dispatcher.destroy();
  expect((await lost).outcomeUnknown).toBe(true);
  const unsent = await errorOf(queue.run({ input: 2 }), ConnectionError);
  expect([unsent.code, unsent.outcomeUnknown]).toEqual(["UND_ERR_DESTROYED", undefined]);
});

test("close lets the calls under way be answered, and no other begin", async () => {
  const held = hold(keys);
  const client = script.client({ clock: undefined });
  const call = client.sshKeys.get();
  const answer = await held;
  const closing = client.close();
  await expect(client.sshKeys.get()).rejects.toThrow("This client is closed");
  answer();
  expect(await call).toEqual([]);
  await closing;
});

test("close ends a log that is being opened once it is", async () => {
  const held = hold(stream(": hello\n\n"));
  const client = script.client({ clock: undefined });
  const ended = errorOf(client.pods.logs("p").next(), UsageError);
  const open = await held;
  const closing = client.close();
  open();
  await ended;
  await closing;
});

test("a log that is sent anew when it is taken up repeats no line, and pauses before", async () => {
  const clock = impatient();
  script.play(
    stream(`${logEvent(1)}${logEvent(1, "of the same moment")}${logEvent(2)}`, (response) => response.destroy()),
    // A service that does not heed Last-Event-ID.
    stream(`${logEvent(1)}${logEvent(1, "of the same moment")}${logEvent(2)}${logEvent(3)}`, (response) =>
      response.destroy(),
    ),
    stream(logEvent(4), (response) => response.end()),
    nothing,
  );
  const lines = await linesOf(script.client({ clock }).pods.logs("p", { tail: 10 }));
  expect(lines).toEqual(["line 1", "of the same moment", "line 2", "line 3", "line 4"]);
  expect(script.received[0]?.url).toBe("/v2/pods/p/logs?tail=10");
  const lastEventIds = script.received.map(({ headers }) => headers["last-event-id"]);
  expect(lastEventIds).toEqual([undefined, logTime(2), logTime(3), logTime(4)]);
  expect(clock.waits).toHaveLength(3);
  for (const ms of clock.waits) expect(ms).toBeGreaterThanOrEqual(1_000);
});

test("a log whose connection something in between has ended goes on, and is over when nothing new comes", async () => {
  const end = (response: Parameters<Step>[1]) => void response.end();
  script.play(stream(logEvent(1), end), nothing, stream(logEvent(2), end), nothing);
  const client = script.client();
  // Over after the second connection in a row that brought nothing.
  expect(await linesOf(client.pods.logs("p"))).toEqual(["line 1"]);
  script.play(stream(logEvent(1), end), stream(logEvent(2), end), nothing);
  expect(await linesOf(client.pods.logs("p"))).toEqual(["line 1", "line 2"]);
});

test("a log that is sent from its beginning each time is over, too, however long it is", async () => {
  const all = Array.from({ length: 6_000 }, (_, second) => logEvent(second)).join("");
  script.play(stream(all, (response) => void response.end()));
  const lines = await linesOf(script.client().pods.logs("p"));
  expect(new Set(lines).size).toBe(6_000);
  expect(script.received).toHaveLength(2);
});

test("a log is followed for timeoutMs, no longer", async () => {
  script.play(stream(logEvent(1)));
  const read: string[] = [];
  const log = script.client({ clock: undefined }).pods.logs("p", { timeoutMs: 3_000 });
  await expect(Array.fromAsync(log, ({ line }) => read.push(line))).rejects.toMatchObject({ name: "TimeoutError" });
  expect(read).toEqual(["line 1"]);
});

test("a log line of 8 MB takes CPU time that grows with its length, not with its square", async () => {
  const timeOf = async (length: number) => {
    script.play(
      stream(logEvent(1, "x".repeat(length)), (response) => response.end()),
      nothing,
    );
    const began = process.cpuUsage();
    const [line] = await linesOf(script.client().pods.logs("p"));
    expect(line).toHaveLength(length);
    return process.cpuUsage(began).user / 1_000;
  };
  await timeOf(1_000_000);
  const least = async (length: number) => Math.min(await timeOf(length), await timeOf(length), await timeOf(length));
  const one = await least(1_000_000);
  const eight = await least(8_000_000);
  expect(eight).toBeLessThan(24 * Math.max(one, 20));
});
