/* Requests to what an endpoint's workers serve: a load balancer's paths, and a queue's OpenAI routes. */
import { describe, expect, test } from "@jest/globals";
import {
  AuthenticationError,
  ConnectionError,
  createClient,
  type EndpointOptions,
  NotFoundError,
  NoWorkerError,
  type RetryEvent,
  TooLargeError,
  UsageError,
} from "../../client";
import type { EmulatorOptions } from "../../emulator";
import { openAccount } from "../harness/account";
import { impatient } from "../harness/place";

/** An endpoint of an emulator of its own, asked by a client whose pauses take no time. */
async function openEndpoint(overrides: object = {}, options: EmulatorOptions = {}, more: EndpointOptions = {}) {
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
    endpoint: client.endpoint(created.id, more),
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
    const text = await web.endpoint.fetch("/raw", { body: "a,b", headers: { "Content-Type": "text/csv" } });
    expect(await text.json()).toMatchObject({ headers: { "content-type": "text/csv" }, body: "a,b" });
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

describe("OpenAI's routes", () => {
  test("have the address and the key that its clients take, of a queue and of a load balancer", async () => {
    await using queue = await openEndpoint({ type: "QUEUE", workers: { min: 0, max: 1 } });
    expect(await queue.client.openAiOptions(queue.id)).toEqual({
      baseURL: `${queue.cloud.serverlessUrl}/v2/${queue.id}/openai/v1`,
      apiKey: queue.cloud.apiKey,
    });
    const models = await queue.endpoint.fetch("/openai/v1/models");
    expect(await models.json()).toMatchObject({ data: [{ id: "facebook/opt-125m" }] });
    await expect(queue.endpoint.fetch("/openai/v1/nothing")).rejects.toThrow(NotFoundError);

    await using web = await openEndpoint({ image: "repo/vllm:1" });
    const { baseURL } = await web.client.openAiOptions(web.id);
    expect(baseURL).toBe(`${web.requestUrls.base}/v1`);
    expect((await web.endpoint.fetch("/v1/models")).status).toBe(200);
  });
});
