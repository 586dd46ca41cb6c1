/* Requests that must be answered: by a load balancer, a language model, any server; and what is said when they are not. */
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { Agent } from "undici";
import { createClient } from "../../client";
import { queueUrlsAt } from "../../common/queueUrls";
import { hide, redact } from "../../common/redact";
import { GateError } from "../../provider/smoke/bounds";
import { RequestError } from "../../provider/smoke/requestError";
import { type RequestBounds, type RequestGatePlan, runRequestGate } from "../../provider/smoke/requestGate";
import { type RequestPlan, Requests } from "../../provider/smoke/runRequest";
import { targetOf } from "../../provider/smoke/target";
import { impatient } from "../harness/place";
import { inTurn, json, reset, Script, type Step, serverForEach, text } from "../harness/script";
import { errorOf } from "../harness/until";

/** A service whose answers are scripted by path; the last answer of a path is repeated. */
class Service extends Script {
  readonly routes = new Map<string, Step>();

  protected override readonly answer: Step = (request, response) => {
    const step = this.routes.get((request.url ?? "").split("?")[0] ?? "") ?? json({ error: "no such path" }, 404);
    step(request, response);
  };

  override close(): Promise<void> {
    this.routes.clear();
    return super.close();
  }

  on(path: string, ...steps: Step[]): this {
    this.routes.set(path, inTurn(...steps));
    return this;
  }

  /** An endpoint that is a load balancer, with these counts of workers. */
  balancer(summary: object = { running: 0, idle: 1 }, more: object = {}, path = "/lb/ping"): this {
    const requestUrls = { base: `${this.address}/lb`, health: this.address + path };
    this.on(
      "/v2/serverless/lb",
      json({ id: "lb", type: "LOAD_BALANCER", workers: { min: 0, max: 3 }, requestUrls, ...more }),
    );
    return this.on("/v2/serverless/lb/workers", json({ workers: [], summary })).on(path, text("OK"));
  }
}

const models = json({ object: "list", data: [{ id: "tiny" }, { id: "other" }] });
/** Streams a chat completion of these words, and ends it as told. */
const chat =
  (words: readonly string[], { tokens, ends = "[DONE]" }: { tokens?: number; ends?: string } = {}): Step =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of words) response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    // The words come before the end.
    // biome-ignore lint/plugin: a stream whose words and end are apart
    setTimeout(() => {
      if (tokens !== undefined) {
        const last = { choices: [{ delta: { content: "." } }], usage: { completion_tokens: tokens } };
        response.write(`data: ${JSON.stringify(last)}\n\n`);
      }
      response.end(ends === "" ? "" : `data: ${ends}\n\n`);
    }, 20);
  };

const KEY = "scripted-key-0123456789";
const service = serverForEach(new Service());

async function send(
  plan: Partial<RequestGatePlan>,
  bounds: RequestBounds = {},
  before?: unknown,
  client = service.client(),
) {
  const { signal } = new AbortController();
  const whole = { address: plan.address ?? { url: service.address }, timeoutMs: 20_000, retries: 0, signal, ...plan };
  return runRequestGate(client, whole, undefined, bounds, before);
}

const failure = (plan: Partial<RequestGatePlan>, bounds?: RequestBounds) => errorOf(send(plan, bounds), RequestError);

test("a request to an address is sent as it is declared, without the account's key, and its answer is measured", async () => {
  service.on("/predict", json({ status: "ok", extra: 1 }, 201));
  const { reply, measured } = await send({
    path: "/predict?fast=1",
    headers: { Authorization: "Bearer own" },
    body: { text: "ping" },
    expect: { status: [200, 201], json: { status: "ok" }, text: '"extra"', contentType: "application/json" },
  });
  const [received] = service.received;
  expect(received).toMatchObject({ method: "POST", url: "/predict?fast=1" });
  expect(received?.headers).toMatchObject({ authorization: "Bearer own", "content-type": "application/json" });
  expect(JSON.stringify(service.received)).not.toContain("scripted-key");
  expect(reply).toMatchObject({ status: 201, text: '{"status":"ok","extra":1}', waitedMs: undefined });
  expect(measured).toMatchObject({ requests: 1, total: { max: expect.any(Number) } });
});

test.each([
  ["status", { status: 200 }, /got 404: the answer is not what was expected.\n {2}Status should be 200, found 404/],
  ["body", { status: 404, json: { error: "none" } }, /Body\/error should be "none", found "no such path"/],
  ["text", { status: 404, text: "hello" }, /Body should contain "hello", found "{\\"error/],
  ["type", { status: 404, contentType: "text/html" }, /Content type should be text\/html, found application\/json/],
])(
  "a request to an address that has another %s than expected says so, with the beginning of the answer",
  async (_, expected, message) => {
    const error = await failure({ path: "/none", expect: expected });
    expect(error.message).toMatch(message);
    expect(error.message).toContain('The answer begins: {"error":"no such path"}');
  },
);

test.each([
  [401, {}, /wants credentials: give them in `headers`. A `url` never gets the account's key/],
  [413, {}, /too large/],
  [500, {}, /the server answered with an error of its own/],
  [307, { location: "https://other.example/x?token=mine" }, /it redirects to https:\/\/other.example\/x:/],
])(
  "a request to an address that is answered with %s names the cause, and is not followed elsewhere",
  async (status, headers, cause) => {
    service.on("/", json({}, status, headers));
    expect((await failure({})).reason).toMatch(cause);
    expect(service.received).toHaveLength(1);
  },
);

// finds mutant post-sent-twice
test("a request to an address waits for a server that does not listen yet, but does not send twice what one has seen", async () => {
  const bad = text("bad gateway", 502);
  service.on("/", bad, reset, text("hello"));
  expect((await failure({ method: "POST" })).reason).toMatch(/a gateway answered for its server/);
  expect((await failure({ method: "POST" })).message).toMatch(/got .*: the connection broke before the answer's end/);
  service.on("/", bad, bad, text("hello"));
  expect((await send({})).reply.text).toBe("hello");
  const { address } = service;
  const [apiKey, baseUrl, serverlessUrl, graphqlUrl] = [KEY, address, address, address];
  await using client = createClient({ apiKey, baseUrl, serverlessUrl, graphqlUrl, clock: impatient() });
  await service.close();
  const late = send({ address: { url: address } }, {}, undefined, client);
  await service.listen(Number(new URL(address).port));
  service.on("/", text("late"));
  expect((await late).reply.text).toBe("late");
});

test("a request to an address is sent again as often as `retries` says", async () => {
  service.on("/", text("no", 500), text("no", 500), text("yes"));
  expect((await failure({ retries: 1 })).failure).toMatchObject({ attempts: 2 });
  expect((await send({ retries: 1 })).reply.text).toBe("yes");
});

test("a request to an address gives up when nothing listens, and says since when", async () => {
  const { address } = service;
  const error = await failure({ address: { url: `${address.replace(/\d+$/, "1")}/x` }, timeoutMs: 3_000 });
  expect(error.message).toMatch(
    /GET \/x to .* was not answered within .* last: ECONNREFUSED: no server takes requests/,
  );
});

// finds mutant header-shown
test("a request to an address shows no header's value, and of a secret one nothing that was sent, expected or answered", async () => {
  // As long as a JWT, so that what is shown of the answer ends within it.
  const token = `hunter2-token${"x".repeat(800)}`;
  service.on("/hook/s3cret-path", json({ echo: `s3cret-body s3cret-answer ${token}` }, 500));
  const plan = {
    address: { url: service.address },
    path: "/hook/s3cret-path?token=s3cret-query",
    headers: { authorization: `Bearer ${token}` },
    body: { token: "s3cret-body" },
    expect: { text: "s3cret-wish" },
  };
  // What the program marks, the engine's host hides.
  hide(plan.path);
  const { message } = await failure(plan);
  expect(redact(message)).toMatch(/s3cret-body/);
  expect(redact(message)).not.toMatch(/hunter2/);
  for (const place of [{}, { address: { url: service.address + plan.path }, path: undefined }]) {
    const printed: unknown[] = [];
    const onProgress = (line: string) => printed.push(line);
    printed.push(await failure({ ...plan, ...place, onProgress, secretAnswer: true }));
    const all = inspect(printed, { depth: 20, showHidden: true }) + JSON.stringify(printed);
    expect(redact(all)).not.toMatch(/hunter2|s3cret/);
  }
});

test("a request to an address reads an answer that is compressed, whoever did that", async () => {
  service.on("/", (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(gzipSync('{"status":"ok"}'));
  });
  expect((await send({ expect: { json: { status: "ok" } } })).reply.text).toBe('{"status":"ok"}');
  expect(service.received[0]?.headers).toMatchObject({ "accept-encoding": "identity" });
});

describe("a load balancer", () => {
  const address = { endpointId: "lb" };

  test.each([
    { base: "http://lb.example", health: "https://lb.example/ping" },
    { base: "https://lb.example", health: "http://lb.example/ping" },
    queueUrlsAt("http://queue.example/v2/lb"),
  ])("does not get the key in clear where the service shows %j", async (requestUrls) => {
    service.balancer({}, { type: "run" in requestUrls ? "QUEUE" : "LOAD_BALANCER", requestUrls });
    await expect(send({ address })).rejects.toThrow(/is not https, and the key would be sent in clear/);
  });

  test("is waited for through a cold start, which is measured", async () => {
    service.balancer({ running: 0, idle: 0, initializing: 1 });
    service.on("/lb/ping", text("no worker", 400), text("closed", 502), text("", 204), text("OK"));
    service.on("/lb/predict", text("hello"));
    const { reply, measured } = await send({ address, path: "/predict", body: "hi" }, { coldStart: { max: "1h" } });
    expect(reply.text).toBe("hello");
    const toWorker = service.received.filter(({ url }) => url.startsWith("/lb/"));
    expect(new Set(toWorker.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${KEY}`]));
    expect(measured.coldStart).toBeGreaterThan(0);
    const sent = service.sent().filter((path) => path.includes(" /lb/"));
    expect(sent).toEqual([...Array(4).fill("GET /lb/ping"), "POST /lb/predict"]);
  });

  test("whose worker answers 400 has refused the request; without a worker 400 is waited for", async () => {
    const none: Step = (_, response) => void response.writeHead(400, { "x-some-worker-id": "w1" }).end("none");
    // Its health check says nothing about the request.
    service.balancer().on("/lb/", none).on("/lb/ping", text("OK"), text("closed", 502));
    const error = await failure({ address, method: "POST" });
    expect(error.failure).toMatchObject({ attempts: 1, answer: { status: 400, body: "none" } });
    expect(service.sent().filter((path) => path === "POST /lb/")).toHaveLength(1);
    service.balancer().on("/lb/", text("no worker", 400), text("hello"));
    expect((await send({ address, method: "POST" })).reply.text).toBe("hello");
  });

  test.each([
    [
      { running: 1 },
      502,
      /must listen on 0.0.0.0:5000 \(PORT\), answer GET \/ready .* on port 5001 .*exposed: 5000\/http/,
    ],
    [{ initializing: 1 }, 204, /still starting.*Its health check answers 204/],
    [{ throttled: 1 }, 400, /no host has room/],
    [{}, 400, /the endpoint has no workers/],
  ])("that never answers names the likely cause: %j, %s", async (summary, status, cause) => {
    const env = { PORT: "5000", PORT_HEALTH: "5001" };
    service.balancer(summary, { env, ports: ["5000/http"] }, "/lb/ready").on("/lb/ready", text("", status));
    const workers = Object.keys(summary).map((state) => ({ id: "w", status: state.toUpperCase() }));
    service.on("/v2/serverless/lb/workers", json({ workers, summary }));
    const error = await failure({ address, timeoutMs: 5_000 });
    expect(error.message).toMatch(/^GET \/lb\/ready to endpoint lb was not answered within/);
    expect(error.reason).toMatch(cause);
    expect(error.failure.attempts).toBe(0);
  });

  test.each([
    [524, /longer than the 5.5 minutes/],
    [502, /its connection broke/],
    [403, /refused the credentials/],
  ])("that answers %s once a worker is there names the likely cause", async (status, cause) => {
    service.balancer().on("/lb/", text("", status));
    expect((await failure({ address })).reason).toMatch(cause);
  });
});

describe("a pod", () => {
  const { signal } = new AbortController();
  const pod = (ports: string[], status = "RUNNING") => service.on("/v2/pods/pod", json({ id: "pod", status, ports }));
  const target = (address: { podId: string; port?: number }, proxy = "proxy.example.com") =>
    targetOf(service.client(), address, proxy, signal);
  /** Sends to the pod through a proxy at the scripted service. */
  const requests = async (plan: Partial<RequestPlan>, client = service.client()) => {
    const whole = { timeoutMs: 3_000, retries: 0, signal, ...plan };
    return new Requests(client, await target({ podId: "pod" }, service.address), whole);
  };

  test("is reached at its http port through the proxy, which may be left out where it has one", async () => {
    pod(["22/tcp", "8000/http"]);
    expect(await target({ podId: "pod" })).toMatchObject({ base: "https://pod-8000.proxy.example.com", port: 8000 });
    pod(["8000/http", "8888/http"]);
    expect(await target({ podId: "pod", port: 8888 })).toMatchObject({ name: "port 8888 of pod pod" });
    await expect(target({ podId: "pod" })).rejects.toThrow("exposes 8000, 8888: set port, such as 8000");
    pod(["22/tcp"]);
    await expect(target({ podId: "pod" })).rejects.toThrow("exposes no http port");
    const pod1 = { podId: "pod", port: 1 };
    await expect(targetOf(service.client(), pod1, undefined, signal)).rejects.toThrow("Set proxyDomain");
  });

  test.each([
    ["RUNNING", /nothing in the pod listens on this port.*\n {2}The answer begins: closed\n {2}Pod: RUNNING, ports 80/],
    ["EXITED", /the pod does not run: its status is EXITED/],
  ])("whose proxy finds no server is waited for, and its status tells the cause: %s", async (status, message) => {
    pod(["80/http"], status);
    const closed = text("closed", 502);
    service.on("/pod-80/", closed, closed, text("up")).on("/pod-80/x", text("hello"));
    const plan = { path: "/x", method: "POST" } as const;
    expect(await (await requests(plan)).attempt(signal)).toMatchObject({ text: "hello", waitedMs: expect.any(Number) });
    const toPod = service.received.filter(({ url }) => url.startsWith("/pod-80/"));
    expect(toPod.map(({ method }) => method)).toEqual(["GET", "GET", "GET", "POST"]);
    expect(JSON.stringify(toPod)).not.toContain(KEY);
    service.on("/pod-80/", closed);
    // No whole number of milliseconds is left for the cause.
    await expect((await requests({ ...plan, timeoutMs: 3_001 })).attempt(signal)).rejects.toThrow(message);
  });

  test("that still boots is waited for, and a server of its own may answer 404 without a body", async () => {
    const none = text("", 404);
    pod(["80/http"], "STARTING").on("/pod-80/", none, (request, response) => {
      pod(["80/http"]);
      none(request, response);
    });
    service.on("/pod-80/x", text("hello"));
    const answer = await (await requests({ path: "/x", timeoutMs: 20_000 })).attempt(signal);
    expect(answer).toMatchObject({ text: "hello", waitedMs: expect.any(Number) });
  });

  test("whose connection breaks while an answer is awaited has perhaps taken the request", async () => {
    const broken = Object.assign(new Error("read EHOSTUNREACH"), { code: "EHOSTUNREACH", syscall: "read" });
    let posts = 0;
    const agent = new Agent().compose((dispatch) => (options, handler) => {
      if (options.method !== "POST") return dispatch(options, handler);
      posts += 1;
      return dispatch(options, {
        onRequestStart: (...start) => handler.onRequestStart?.(...start),
        onResponseStart: (controller) => handler.onResponseError?.(controller, broken),
        onResponseData: () => {},
        onResponseEnd: () => {},
        onResponseError: () => {},
      });
    });
    pod(["80/http"]).on("/pod-80/", text("up"));
    const client = service.client({ dispatcher: agent });
    await expect((await requests({ method: "POST" }, client)).attempt(signal)).rejects.toThrow(/got EHOSTUNREACH/);
    expect(posts).toBe(1);
  });
});

describe("a chat", () => {
  beforeEach(() => {
    service
      .on("/v1/models", text("loading", 503), models)
      .on("/v1/chat/completions", chat(["Hel", "lo"], { tokens: 31 }));
  });

  test("goes to the served model as a stream, and tells its time to the first token and its rate", async () => {
    const { reply, measured } = await send({ chat: "Say hello", body: { seed: 0 } }, { requests: 3, concurrency: 2 });
    expect(reply).toMatchObject({ text: "Hello.", model: "tiny", firstTokenMs: expect.any(Number) });
    // 30 tokens within about 20 ms.
    expect(reply.perSecond).toBeGreaterThan(100);
    const time = expect.any(Number);
    expect(measured).toMatchObject({ requests: 3, firstToken: { p50: time }, coldStart: time });
    expect(measured.rate?.min).toBeLessThanOrEqual(measured.rate?.p50 ?? 0);
    expect(service.sent().filter((path) => path.endsWith("/chat/completions"))).toHaveLength(3);
  });

  test("names the models that are served when the wanted one is not", async () => {
    expect((await failure({ chat: "Say hello", model: "big" })).message).toMatch(
      /the model "big" is not served; served are: tiny, other/,
    );
    service.on("/v1/models", json({ data: [] }));
    expect((await failure({ chat: "Say hello" })).reason).toBe("it serves no model");
    service.on("/v1/models", json({}, 404));
    expect((await failure({ chat: "Say hello" })).reason).toMatch(/no OpenAI API at this path/);
    expect((await send({ chat: "Say hello", model: "big" })).reply.model).toBe("big");
  });

  test.each([
    ["breaks off", chat(["Hel"], { ends: "" }), /Chat should end with \[DONE\]: the stream broke off/],
    ["has no tokens", chat([]), /Chat should have tokens/],
    ["ends badly", chat(["Hel"], { ends: '{"error":{"message":"CUDA"}}' }), /ended with an error, found .*CUDA/],
    ["is not streamed", json({ choices: [] }), /Chat should be a stream of events, found "application\/json"/],
    ["is refused", json({ error: "no template" }, 400), /Status should be 2xx, found 400/],
  ])("that %s fails", async (_, answer, message) => {
    service.on("/v1/chat/completions", answer);
    expect((await failure({ chat: "Say hello" })).message).toMatch(message);
  });

  test("that asks for a tool has answered", async () => {
    const call = { index: 0, id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };
    const chunk = { choices: [{ delta: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }] };
    service.on("/v1/chat/completions", (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(chunk)}\n\n`);
    });
    const body = { tools: [], tool_choice: "required" };
    const { reply } = await send({ chat: "Say hello", body });
    expect(reply).toMatchObject({ text: "", firstTokenMs: expect.any(Number) });
  });

  test("must say what is expected", async () => {
    await send({ chat: "Say hello", expect: { text: "Hello" } });
    expect((await failure({ chat: "Say hello", expect: { text: "Bye" } })).message).toMatch(/should contain "Bye"/);
  });
});

test("bounds of requests fail with a table of all that was measured, and what was not measured is not kept", async () => {
  service.on("/", text("hello"));
  const bounds: RequestBounds = {
    requests: 4,
    coldStart: { max: "1h" },
    firstByte: { p95: "1h" },
    firstToken: { p50: "1h" },
    total: { max: "1h" },
    rate: { min: 1 },
  };
  const error = await errorOf(send({}, bounds), GateError);
  expect(error.message).toMatch(/its 4 requests succeeded, but 3 of 5 bounds are not kept/);
  const missed = error.judged.filter(({ holds }) => !holds).map(({ measure }) => measure);
  expect(missed).toEqual(["cold start", "first token p50", "rate min"]);
});

test("bounds of requests compare with a live endpoint in turns, and with the run before", async () => {
  service
    .balancer()
    .on("/", text("hello"))
    .on("/lb/", (request, response) => {
      // biome-ignore lint/plugin: a slower server, whose times are measured
      setTimeout(() => text("hello")(request, response), 100);
    });
  const { measured } = await send({}, { requests: 2, notSlowerThan: { live: 1000 }, liveEndpointId: "lb" });
  expect(measured.live?.p50).toBeGreaterThanOrEqual(90);
  const sent = service.sent().filter((path) => path === "GET /" || path === "GET /lb/");
  expect(sent).toEqual(["GET /", "GET /lb/", "GET /", "GET /lb/"]);
  await send({}, { notSlowerThan: { last: 1000 } }, measured);
  const slower = send({ address: { endpointId: "lb" } }, { notSlowerThan: { last: 0.001 } }, measured);
  await expect(slower).rejects.toThrow(/total p50/);
});
