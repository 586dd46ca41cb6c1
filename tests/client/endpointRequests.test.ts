/* Requests to what an endpoint's workers serve: a load balancer's paths, and a queue's OpenAI routes. */
import { getEventListeners } from "node:events";
import { Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import {
  AuthenticationError,
  type ClientOptions,
  ConnectionError,
  createClient,
  GraphqlError,
  NotFoundError,
  NoWorkerError,
  type RetryEvent,
  TimeoutError,
  TooLargeError,
  UsageError,
  ValidationError,
} from "../../client";
import type { EmulatorOptions } from "../../emulator";
import { openAccount } from "../harness/account";
import { impatient } from "../harness/place";
import { json, Script, type Step, serverForEach, stream, text } from "../harness/script";
import { errorOf, soon, until } from "../harness/until";

/** An endpoint of an emulator of its own, asked by a client whose pauses take no time. */
async function openEndpoint(overrides: object = {}, options: EmulatorOptions = {}) {
  const cloud = await openAccount(options, "running");
  const created = await cloud.create("/v2/serverless", {
    name: "web",
    type: "LOAD_BALANCER",
    image: "repo/web:1",
    gpu: { pools: ["AMPERE_16"] },
    workers: { min: 0, max: 1, idleTimeout: 5 },
    scaling: { type: "REQUEST_COUNT", requestCount: 1 },
    ...overrides,
  });
  const retries: RetryEvent[] = [];
  const client = createClient({ ...cloud, clock: impatient(), onRetry: (event) => void retries.push(event) });
  return {
    ...created,
    cloud,
    client,
    retries,
    log: () => cloud.service.log(),
    endpoint: client.endpoint(created.id),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await cloud[Symbol.asyncDispose]();
    },
  };
}

describe("a request to a load balancer", () => {
  test("goes to the address that REST shows, read once, with its body, query and headers", async () => {
    await using web = await openEndpoint();
    const request = { body: { prompt: "ping" }, query: { n: 1 }, headers: { "X-Own": "1" } };
    const answer = await web.endpoint.fetch("/generate", request);
    expect(await answer.json()).toMatchObject({
      method: "POST",
      path: "/generate?n=1",
      headers: { "content-type": "application/json", "x-own": "1" },
      body: { prompt: "ping" },
    });
    const table = await web.endpoint.fetch("/raw", { body: "a,b", headers: { "Content-Type": "text/csv" } });
    expect(await table.json()).toMatchObject({ headers: { "content-type": "text/csv" }, body: "a,b" });
    expect(await web.endpoint.url()).toBe(web.requestUrls.base);
    const calls = (await web.log()).map(({ operation }: { operation: string }) => operation);
    expect(calls).toEqual(["createEndpoint", "getEndpoint", "request", "request"]);
  });

  test("asks nobody for an address that it is told, and none is guessed for an unknown cloud", async () => {
    await using web = await openEndpoint();
    const withUrl = web.client.endpoint(web.id, { url: web.requestUrls.base });
    expect((await withUrl.fetch("/")).status).toBe(200);
    expect((await web.log()).length).toBe(2);
    await web.cloud.service.settings({
      keys: [{ key: "narrow", kind: "restricted", endpoints: { [web.id]: "read-write" } }],
    });
    await using narrow = createClient({ ...web.cloud, apiKey: "narrow" });
    await expect(narrow.endpoint(web.id).fetch("/")).rejects.toThrow(UsageError);
    expect((await narrow.endpoint(web.id, { url: web.requestUrls.base }).fetch("/")).status).toBe(200);
    await expect(web.client.endpoint("a/../b").fetch("/")).rejects.toThrow(UsageError);
    await expect(web.endpoint.fetch("generate")).rejects.toThrow("such as /v1/models");
  });

  test("hands every answer of a worker on, whatever its status, and refuses the load balancer's own by class", async () => {
    const server = (request: Request) => {
      const status = Number(new URL(request.url).pathname.slice(1));
      return new Response(status === 204 ? null : "own", { status: status || 200 });
    };
    await using web = await openEndpoint({}, { servers: { "repo/web:1": server } });
    for (const status of [201, 204, 400, 404, 502, 500]) {
      const answer = await web.endpoint.fetch(`/${status}`, { method: "POST" });
      expect([answer.status, await answer.text()]).toEqual([status, status === 204 ? "" : "own"]);
    }
    expect(web.retries).toEqual([]);
    await using wrongKeyClient = createClient({ ...web.cloud, apiKey: "wrong" });
    const refused = wrongKeyClient.endpoint(web.id, { url: web.requestUrls.base }).fetch("/");
    await expect(refused).rejects.toThrow(AuthenticationError);
    await expect(web.client.endpoint("nobody").fetch("/")).rejects.toThrow(NotFoundError);
  });

  test("waits for a worker again and again, a POST too, because nothing has begun it", async () => {
    await using web = await openEndpoint({ workers: { min: 0, max: 0, idleTimeout: 5 } });
    // biome-ignore lint/plugin: it is refused, sooner or later
    await web.cloud.service.speedUp(10_000);
    const body = { prompt: "ping" };
    const refused = web.endpoint.fetch("/?token=mine", { body, attempts: 3 });
    await expect(refused).rejects.toThrow(NoWorkerError);
    await expect(refused).rejects.toMatchObject({ kind: "Load balancer", id: web.id, status: 400, attempts: 3 });
    expect(web.retries).toMatchObject(Array(2).fill({ call: "POST /", reason: "no worker" }));
    await web.cloud.service.speedUp(1);
    const answered = web.endpoint.fetch("/", { body });
    await web.cloud.rest("PATCH", `/v2/serverless/${web.id}`, { workers: { min: 0, max: 1, idleTimeout: 5 } });
    expect((await answered).status).toBe(200);
  });

  test("is repeated after a lost answer only where that does no harm", async () => {
    await using web = await openEndpoint();
    const drop = () => web.cloud.service.fault({ match: { interface: "endpoint" }, act: { drop: "after" } });
    await drop();
    expect(await (await web.endpoint.fetch("/")).json()).toMatchObject({ path: "/" });
    await web.cloud.service.clearFaults();
    await drop();
    await expect(web.endpoint.fetch("/", { body: "x" })).rejects.toMatchObject({ outcomeUnknown: true });
    await web.cloud.service.clearFaults();
    await drop();
    expect((await web.endpoint.fetch("/", { body: "x", repeatable: true })).status).toBe(200);
  });

  test.each<[string, () => unknown, string, unknown]>([
    [
      "a form",
      () => form(),
      "multipart/form-data; boundary=",
      expect.stringContaining('name="file"; filename="a.bin"'),
    ],
    ["a query", () => new URLSearchParams({ a: "1 2" }), "application/x-www-form-urlencoded", "a=1+2"],
    ["a blob", () => new Blob(["a,b"], { type: "text/csv" }), "text/csv", "a,b"],
    ["a buffer", () => Uint8Array.from(Buffer.from("raw")).buffer, "application/octet-stream", "raw"],
    ["a view", () => new Uint16Array(Uint8Array.from(Buffer.from("raws")).buffer), "application/octet-stream", "raws"],
    ["a web stream", () => new Blob(["raw"]).stream(), "application/octet-stream", "raw"],
    ["a stream", () => Readable.from(["r", Buffer.from("aw")]), "application/octet-stream", "raw"],
    ["a text", () => "raw", "application/json", "raw"],
  ])("sends %s as it is, also a second time", async (_, body, type, sent) => {
    await using web = await openEndpoint();
    await web.cloud.service.fault({ match: { interface: "endpoint" }, act: { drop: "before" } });
    const answer = await web.endpoint.fetch("/", { body: body(), repeatable: true });
    const { headers, body: received } = await answer.json();
    expect(headers["content-type"].startsWith(type)).toBe(true);
    expect(received).toEqual(sent);
  });

  test("above 30 MB is refused before it is sent", async () => {
    await using web = await openEndpoint();
    const body = Buffer.alloc(30 * 1024 ** 2 + 1);
    await expect(web.endpoint.fetch("/", { body })).rejects.toThrow(TooLargeError);
    expect((await web.log()).length).toBe(1);
  });

  test("streams, and tells a whole stream from one that broke off and from one that the program left", async () => {
    await using web = await openEndpoint({ image: "emulator/stream", env: { EMULATOR_CHUNKS: "3" } });
    const read = async () => {
      const data: string[] = [];
      for await (const event of web.endpoint.events("/?token=mine")) data.push(event.data);
      return data;
    };
    expect(await read()).toEqual(["0", "1", "2"]);
    for await (const { data } of web.endpoint.events("/")) if (data === "0") break;
    await web.cloud.service.fault({ match: { interface: "endpoint" }, act: { truncate: true } });
    const broken = read();
    await expect(broken).rejects.toThrow(ConnectionError);
    await expect(broken).rejects.toThrow(/GET \/ broke off after 9 bytes/);
    const fails = web.client.endpoint(web.id);
    await web.cloud.rest("PATCH", `/v2/serverless/${web.id}`, { image: "emulator/fail" });
    await expect(fails.events("/?token=mine").next()).rejects.toThrow("its worker answered 500 to /: ");
  });
});

function form(): FormData {
  const data = new FormData();
  data.set("file", new Blob(["raw"]), "a.bin");
  return data;
}

describe("an answer of any server", () => {
  const script = serverForEach(new Script());
  const worker = { "x-some-worker-id": "w1" };
  const lb = (options: Partial<ClientOptions> = {}) =>
    script.client(options).endpoint("e", { url: `${script.address}/lb` });
  const queue = () => script.client().endpoint("e", { url: `${script.address}/v2/e` });

  test.each<[number, object]>([
    [400, { error: { message: "too long", type: "BadRequestError" } }],
    [404, { object: "error", message: "no such model" }],
    [422, { detail: [{ loc: ["body"] }] }],
    [429, { error: { message: "busy" } }],
    [500, { error: { message: "CUDA" } }],
  ])("%i of a queue's worker is an answer, sent for once, and stops no other request", async (status, body) => {
    script.play(json(body, status), json({ data: [] }));
    const answer = await queue().fetch("/openai/v1/chat/completions", { body: {} });
    expect([answer.status, await answer.json()]).toEqual([status, body]);
    expect((await queue().fetch("/openai/v1/models")).status).toBe(200);
    expect(script.received).toHaveLength(2);
  });

  test.each<[string, Step]>([
    ["the queue's own words", json({ error: "no such endpoint" }, 404)],
    ["a gateway's", json({ message: "Not Found" }, 404)],
    ["a page", text("<p>none</p>", 404, "text/html")],
  ])("404 in %s is the queue's", async (_, step) => {
    script.play(step);
    await expect(queue().fetch("/openai/v1/models", { attempts: 1 })).rejects.toMatchObject({ status: 404 });
  });

  test("may have a status of its own, and an encoding that nobody reads", async () => {
    script.play((_, response) => void response.writeHead(600, { ...worker, "content-encoding": "zstd" }).end("bytes"));
    const answer = await lb().fetch("/");
    const { status, ok, headers } = answer;
    expect([status, ok, headers.get("content-encoding"), await answer.text()]).toEqual([600, false, "zstd", "bytes"]);
    script.play((_, response) => void response.writeHead(200, { "content-encoding": "" }).end("bytes"));
    expect(await (await lb().fetch("/")).text()).toBe("bytes");
  });

  const drips =
    (status: number, headers: Record<string, string>): Step =>
    (_, response) => {
      response.writeHead(status, headers).write("it begins");
    };

  test.each([
    [500, { ...worker, "content-type": "text/plain" }, "its worker answered 500 to /x: it begins"],
    [200, { "content-type": "text/html" }, "the answer to /x is text/html, and not a stream of events: it begins"],
  ])("%i that is no stream, and has no end, is an error with its beginning", async (status, headers, message) => {
    script.play(drips(status, headers));
    await expect(soon(lb({ clock: undefined }).events("/x").next())).rejects.toThrow(message);
    await until(() => [...script.sockets].every((socket) => socket.destroyed));
  });

  test("whose last event ends in lone CRs is read to its end", async () => {
    script.play(stream("data: one\r\rdata: two\r\r", (response) => response.end()));
    const events = await Array.fromAsync(lb().events("/"), ({ data }) => data);
    expect(events).toEqual(["one", "two"]);
  });

  test("that refuses in a flood of words is an error of some length", async () => {
    const errors = Array.from({ length: 5_000 }, (_, index) => `${index} ${"x".repeat(5_000)}`);
    script.play(json({ title: "Unprocessable", status: 422, detail: "y".repeat(100_000), errors }, 422));
    const error = await errorOf(script.client().sshKeys.get(), ValidationError);
    expect([error.errors.length, error.errors.at(-1)]).toEqual([51, "and 4950 more"]);
    expect(error.message.length).toBeLessThan(110_000);
    script.play(...Array(2).fill(json({ data: null, errors: Array(9).fill({ message: "y".repeat(100_000) }) })));
    expect((await errorOf(script.client().endpoints.list(), GraphqlError)).message.length).toBeLessThan(2_200);
  });

  test("that its time cuts off says that it may have been done", async () => {
    script.play(drips(200, worker));
    const answer = await lb({ clock: undefined }).fetch("/", { body: {}, timeoutMs: 300 });
    const error = await errorOf(answer.text(), TimeoutError);
    expect(error.outcomeUnknown).toBe(true);
  });

  test("that is not read frees its socket and its signal when it is cancelled, or the client ends", async () => {
    script.play((_, response) => void response.writeHead(200, worker).write(Buffer.alloc(100_000)));
    const { signal } = new AbortController();
    const client = script.client();
    const endpoint = client.endpoint("e", { url: `${script.address}/lb` });
    const answers = await Promise.all(Array.from({ length: 20 }, () => endpoint.fetch("/big", { signal })));
    const listeners = () => getEventListeners(signal, "abort").length;
    expect(listeners()).toBe(20);
    await Promise.all(answers.slice(1).map(({ body }) => body?.cancel()));
    await until(() => listeners() === 1);
    await client.close();
    await until(() => listeners() === 0 && [...script.sockets].every((socket) => socket.destroyed));
  });
});

describe("OpenAI's routes", () => {
  test("have the address and the key that its clients take, of a queue and of a load balancer", async () => {
    await using queue = await openEndpoint({ type: "QUEUE", workers: { min: 0, max: 1 } });
    expect(await queue.client.openAiOptions(queue.id)).toEqual({
      baseURL: `${queue.cloud.serverlessUrl}/v2/${queue.id}/openai/v1`,
      apiKey: queue.cloud.apiKey,
    });
    const models = await queue.endpoint.fetch("/openai/v1/models");
    expect(await models.json()).toMatchObject({ data: [{ id: "facebook/opt-125m" }] });
    const refused = await queue.endpoint.fetch("/openai/v1/nothing");
    expect([refused.status, (await refused.json()).error]).toMatchObject([404, { code: 404 }]);
    await expect(queue.client.endpoint("nobody").fetch("/openai/v1/models")).rejects.toThrow(NotFoundError);
    await using wrongKeyClient = createClient({ ...queue.cloud, apiKey: "wrong" });
    const queueUrl = `${queue.cloud.serverlessUrl}/v2/${queue.id}`;
    const unknown = wrongKeyClient.endpoint(queue.id, { url: queueUrl }).fetch("/openai/v1/models");
    await expect(unknown).rejects.toThrow(AuthenticationError);

    await using web = await openEndpoint({ image: "repo/vllm:1" });
    const { baseURL } = await web.client.openAiOptions(web.id);
    expect(baseURL).toBe(`${web.requestUrls.base}/v1`);
    expect((await web.endpoint.fetch("/v1/models")).status).toBe(200);
  });
});
