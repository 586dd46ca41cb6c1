import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "@jest/globals";
import { type Client, ComputeCloudError, createClient, UsageError } from "../../client";
import { systemClock } from "../../client/calls/cancellation";
import { freePort } from "../../tools/run/freePort";
import { pod, volume } from "../harness/requests";
import { json, reset, Script, type Step, serverForEach, silence } from "../harness/script";
import { type Served, serveBytes } from "../harness/serve";
import { errorOf, until } from "../harness/until";

// Every call ends when its signal or its time says so, whatever it is about to do by then, and says what is known of it.
// Before these servers a call that does not would take a minute or more.

const script = serverForEach(new Script());

interface Phase {
  phase: string;
  call(client: Client, options: { signal?: AbortSignal; timeoutMs?: number }): Promise<unknown>;
  /** Brings the call to the phase. */
  before: (request: Parameters<Step>[0], body: string) => Step | undefined;
  /** What came of a create is looked for beyond the call's time. */
  beyondItsTime?: true;
  /** The call may have done its work. */
  mayHaveActed?: true;
}

const problem = json({ status: 404, title: "Not Found" }, 404, { "content-type": "application/problem+json" });
const lineThenDrop: Step = (_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write('id: 1\ndata: {"source":"container","line":"one","ts":"2026-01-01T00:00:00Z"}\n\n', () => {
    response.destroy();
  });
};

const phases: Phase[] = [
  {
    phase: "a look at the pod after the answer to its action was lost",
    mayHaveActed: true,
    call: (client, options) => client.pods.action("p", "stop", options),
    before: ({ method }) => (method === "POST" ? reset : undefined),
  },
  {
    phase: "a look at the job after the answer to its cancellation was lost",
    mayHaveActed: true,
    call: (client, options) => client.queue("e").cancel("j", options),
    before: ({ method }) => (method === "POST" ? reset : undefined),
  },
  {
    phase: "a look at the job whose cancellation was refused",
    call: (client, options) => client.queue("e").cancel("j", options),
    before: ({ method }) => (method === "POST" ? json({}, 400) : undefined),
  },
  {
    phase: "the list that has to show that what was deleted is gone",
    call: (client, options) => client.pods.delete("p", options),
    before: ({ method }) => (method === "DELETE" ? problem : undefined),
  },
  {
    phase: "the read of an endpoint whose delete GraphQL refused",
    call: (client, options) => client.endpoints.delete("e", options),
    before: (_, body) => (body.includes("deleteEndpoint") ? json({ errors: [{ message: "no" }] }) : undefined),
  },
  {
    phase: "the read in REST of an endpoint that GraphQL does not show",
    call: (client, options) => client.endpoints.get("e", options),
    before: ({ method }) => (method === "POST" ? json({ data: { myself: { e0: null } } }) : undefined),
  },
  {
    phase: "the search for what a create has made",
    call: (client, options) => client.networkVolumes.create(volume("v"), options),
    before: ({ method }) => (method === "POST" ? reset : undefined),
    beyondItsTime: true,
    mayHaveActed: true,
  },
  {
    phase: "a log that is taken up",
    call: async (client, options) => {
      for await (const _ of client.pods.logs("p", options));
    },
    before: ({ headers }) => (headers["last-event-id"] === undefined ? lineThenDrop : undefined),
  },
];

/** The name of the error that a call ends in, and whether it may have acted. */
async function outcomeOf(call: Promise<unknown>): Promise<[name: string, mayHaveActed: boolean]> {
  const { name, outcomeUnknown = false } = await errorOf(call, ComputeCloudError);
  return [name, outcomeUnknown];
}

/** Answers by the phase; tells when it is reached, and then says nothing. */
const upTo =
  ({ before }: Phase, reached: () => void): Step =>
  async (request, response) => {
    const step = before(request, await text(request));
    if (step === undefined) reached();
    else step(request, response);
  };

test.each(phases.map((phase) => [phase.phase, phase] as const))(
  "%s ends with the signal, and with its time",
  async (_, phase) => {
    const enough = new RangeError("enough");
    const aborter = new AbortController();
    script.play(upTo(phase, () => aborter.abort(enough)));
    // What is shared goes on for others; here there are none.
    const others = new AbortController();
    const client = script.client({ signal: others.signal });
    const error = await errorOf(phase.call(client, { signal: aborter.signal }));
    // What may have acted says so.
    if (phase.mayHaveActed) expect(error).toMatchObject({ name: "AbortError", outcomeUnknown: true, cause: enough });
    else expect(error).toBe(enough);
    if (!phase.beyondItsTime) {
      script.play(upTo(phase, () => {}));
      const timed = script.client({ clock: undefined, signal: others.signal });
      const { name } = await errorOf(phase.call(timed, { timeoutMs: 1_000 }));
      expect(name).toMatch(/^(ConnectionError|TimeoutError)$/);
    }
    others.abort();
  },
);

test("a create that waits for another of its name ends with its signal and its time, was not sent, and lets none pass that came later", async () => {
  script.play(silence);
  const client = script.client();
  const first = new AbortController();
  const inFlight = [client.networkVolumes.create(volume("v"), { signal: first.signal })];
  await until(() => script.received.length === 1);
  const second = new AbortController();
  const aborted = client.networkVolumes.create(volume("v"), { signal: second.signal });
  second.abort(new RangeError("enough"));
  await expect(aborted).rejects.toThrow("enough");
  const late = client.networkVolumes.create(volume("v"), { timeoutMs: 300 });
  expect(await outcomeOf(late)).toEqual(["TimeoutError", false]);
  const third = client.networkVolumes.create(volume("v"));
  expect(script.received).toHaveLength(1);
  script.play(json({ id: "v-2", name: "v" }, 201));
  first.abort(new RangeError("enough"));
  await expect(inFlight[0]).rejects.toMatchObject({ name: "AbortError", outcomeUnknown: true });
  expect(await third).toMatchObject({ id: "v-2" });
});

describe("what was never sent did not happen", () => {
  /** Nobody there speaks TLS: no connection comes to stand. */
  const overTls = ({ address }: Served) => address.replace("http:", "https:");

  test.each(["create", "job"])("a %s whose time ends while it connects", async (what) => {
    await using server = await serveBytes(() => {});
    const address = overTls(server);
    const client = createClient({ apiKey: "key-0123", baseUrl: address, serverlessUrl: address, graphqlUrl: address });
    const options = { timeoutMs: 300 };
    const call =
      what === "create" ? client.pods.create(pod("p"), options) : client.queue("e").run({ input: 1 }, options);
    expect(await outcomeOf(call)).toEqual(["TimeoutError", false]);
    await client.close();
  });

  test("a create whose connection breaks before it stands is sent again", async () => {
    let connections = 0;
    await using server = await serveBytes((socket) => {
      connections += 1;
      socket.destroy();
    });
    const create = script.client({ baseUrl: overTls(server) }).pods.create(pod("p"));
    expect(await outcomeOf(create)).toEqual(["ConnectionError", false]);
    expect(connections).toBeGreaterThan(2);
  });

  test("a job of a batch whose time ends during a pause", async () => {
    // Every pause seems to fit, and goes on when the call's time is over.
    const clock = { now: () => 0, sleep: () => systemClock.sleep(900) };
    const serverlessUrl = `http://127.0.0.1:${await freePort()}`;
    const queue = script.client({ serverlessUrl, clock, timeouts: { callMs: 600 } }).queue("e");
    for await (const { error } of queue.runMany([1])) {
      expect(error).toBeInstanceOf(ComputeCloudError);
      expect(error).not.toHaveProperty("outcomeUnknown");
    }
  });
});

test("a client that is closed lets a create whose answer was lost be found", async () => {
  let closing: Promise<void> | undefined;
  const lose: Step = (...exchange) => {
    closing = client.close();
    reset(...exchange);
  };
  script.play(lose, json({ networkVolumes: [{ id: "v-1", name: "v" }] }));
  const client = script.client();
  expect(await client.networkVolumes.create(volume("v"), { uniqueName: true })).toMatchObject({ id: "v-1" });
  await closing;
  await expect(client.networkVolumes.list()).rejects.toThrow(UsageError);
});

/** A queue in a thread of its own. It answers when it is told, and tells when the answer is on its way. */
const queueThread = `
    const { parentPort, workerData: flags } = require("node:worker_threads");
    require("node:http")
      .createServer((request, response) => {
        parentPort.postMessage("asked");
        Atomics.wait(flags, 0, 0);
        response.end('{"id":"j","status":"COMPLETED"}', () => {
          Atomics.store(flags, 1, 1);
          Atomics.notify(flags, 1);
        });
      })
      .listen(0, "127.0.0.1", function () {
        parentPort.postMessage(this.address().port);
      });`;

test("a process that slept, or computed, beyond a call's time gets the answer that has arrived meanwhile, and with it the job's id", async () => {
  const flags = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(queueThread, { eval: true, workerData: flags });
  const [port] = await once(thread, "message");
  const address = `http://127.0.0.1:${port}`;
  const client = createClient({ apiKey: "k", baseUrl: address, serverlessUrl: address, graphqlUrl: address });
  const timeoutMs = 1_000;
  const requestArrived = once(thread, "message");
  const job = client.queue("e").run({ input: 1 }, { timeoutMs });
  await requestArrived;
  // biome-ignore lint/plugin: it is the process itself that takes the time
  const over = performance.now() + timeoutMs;
  Atomics.store(flags, 0, 1);
  Atomics.notify(flags, 0);
  Atomics.wait(flags, 1, 0);
  // Nothing runs here until the call's time is over.
  // biome-ignore lint/plugin: as above
  while (performance.now() <= over);
  await expect(job).resolves.toMatchObject({ id: "j" });
  await client.close();
  await thread.terminate();
});
