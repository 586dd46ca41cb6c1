import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import type { EmulatorOptions, Server } from "../../../emulator";
import { type Account, openAccount } from "../../harness/account";
import { serve } from "../../harness/serve";
import { until } from "../../harness/until";
import { begin, openEndpoint, streaming } from "./jobPlane";

const MINUTE = 60_000;
const MB = 1024 * 1024;
const VLLM = "vllm/vllm-openai:v0.11.0";

const accounts: Account[] = [];
afterEach(async () => {
  for (const account of accounts.splice(0)) await account[Symbol.asyncDispose]();
});

/** A load balancer of at most one worker whose clock stands still, and its address. */
async function openBalancer(overrides: Record<string, unknown> = {}, options: EmulatorOptions = {}) {
  const cloud = await openAccount(options);
  accounts.push(cloud);
  const { id, requestUrls } = await cloud.create("/v2/serverless", {
    name: "web",
    type: "LOAD_BALANCER",
    image: "repo/web:1",
    cpu: [{ id: "cpu5c", vcpuCount: 4 }],
    workers: { min: 0, max: 1, idleTimeout: 5 },
    scaling: { type: "REQUEST_COUNT", requestCount: 1 },
    ...overrides,
  });
  const ask = (path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetch(requestUrls.base + path, { headers: { authorization: `Bearer ${cloud.apiKey}`, ...headers }, ...init });
  /** Sends a request that waits for the clock. */
  const held = (path: string, init?: Parameters<typeof ask>[1]) => begin(cloud, () => ask(path, init));
  const workers = async () => (await cloud.rest("GET", `/v2/serverless/${id}/workers`)).body.summary;
  const health = async () => (await ask(requestUrls.health.slice(requestUrls.base.length))).status;
  return { cloud, id, ask, held, workers, health };
}

/** Moves the clock until something is true: what a moment causes may take real time. */
const advanceUntil = (cloud: Account, isTrue: () => Promise<boolean> | boolean) =>
  until(async () => {
    await cloud.advance(1000);
    return isTrue();
  });

describe("a load balancer", () => {
  it("hands any path and method to a worker that the first request starts, and scales back after the idle timeout", async () => {
    const settings = { workerColdStartMs: 30_000 };
    const { cloud, ask, held, workers, health, id } = await openBalancer({}, { settings });
    expect(await health()).toBe(204);
    await cloud.advance(29_000);
    expect(await health()).toBe(204);
    const { answer: first } = await held("/generate?n=1", {
      method: "PUT",
      headers: { "content-type": "application/json", "x-own": "1" },
      body: JSON.stringify({ prompt: "hi" }),
    });
    await advanceUntil(cloud, async () => (await workers()).running === 0 && (await workers()).idle === 1);
    const answer = await first;
    expect([answer.status, answer.headers.get("x-runpod-worker-id")]).toEqual([200, expect.stringMatching(/^\w{14}$/)]);
    const request = { method: "PUT", path: "/generate?n=1" };
    expect(await answer.json()).toMatchObject({ ...request, headers: { "x-own": "1" }, body: { prompt: "hi" } });
    expect((await ask("")).status).toBe(200);
    const logged = { interface: "endpoint", operation: "request", path: `/load-balancer/${id}/generate?n=1` };
    expect(await cloud.service.log()).toContainEqual(expect.objectContaining({ ...logged, status: 200 }));
    await cloud.advance(5000);
    expect(await workers()).toMatchObject({ total: 0 });
  });

  it("wants the key as bearer, and is not the way to a queue", async () => {
    const { cloud, ask, id } = await openBalancer();
    for (const authorization of ["", cloud.apiKey, "Bearer wrong"])
      expect((await ask("/", { headers: { authorization } })).status).toBe(401);
    const queue = await openEndpoint(cloud);
    const at = (endpointId: string) =>
      ask(`/../${endpointId}/`).then(async (answer) => [answer.status, await answer.json()]);
    expect(await at(queue.id)).toEqual([400, { error: "not allowed for LB API" }]);
    expect(await at("nobody")).toEqual([404, { error: "endpoint not found" }]);
    await cloud.rest("DELETE", `/v2/serverless/${id}`);
    expect((await ask("/")).status).toBe(404);
  });

  it.each([
    ["no host has capacity", {}, { capacity: {} }],
    ["no worker may start", { workers: { min: 0, max: 0, idleTimeout: 5 } }, undefined],
    ["the image is broken", { image: "emulator/crash" }, undefined],
    ["its health check is answered with 404", { image: "repo/sick:1" }, undefined],
  ])("answers 400 after two minutes when %s", async (_case, overrides, act) => {
    const servers = { "repo/sick:1": () => new Response(null, { status: 404 }) };
    const { cloud, held } = await openBalancer(overrides, { servers });
    if (act !== undefined) await cloud.service.fault({ act, match: { times: 1000 } });
    let status = 0;
    const { answer: response } = await held("/");
    const answer = response.then((refusal) => {
      status = refusal.status;
      return refusal.json();
    });
    await cloud.advance(2 * MINUTE - 1);
    await turn();
    expect(status).toBe(0);
    await cloud.advance(1);
    expect(await answer).toEqual({ error: "timed out waiting for worker: no workers available" });
    expect(status).toBe(400);
  });

  it("answers 524 after five and a half minutes, and cuts off a stream that lasts longer", async () => {
    const { cloud, held } = await openBalancer({ env: { EMULATOR_DELAY_MS: String(6 * MINUTE) } });
    const { answer: slow } = await held("/");
    await cloud.advance(1000);
    await cloud.advance(5.5 * MINUTE);
    expect((await slow).status).toBe(524);

    const streams = await openBalancer(streaming(9, MINUTE));
    const { answer: stream } = await streams.held("/");
    await advanceUntil(streams.cloud, async () => (await streams.workers()).running === 1);
    const reader = (await stream).body?.getReader();
    await streams.cloud.advance(MINUTE);
    expect(Buffer.from((await reader?.read())?.value ?? "").toString()).toBe("data: 0\n\n");
    await streams.cloud.advance(5 * MINUTE);
    await expect(
      (async () => {
        while ((await reader?.read())?.done === false);
      })(),
    ).rejects.toThrow();
  });

  it.each([
    ["PORT is not exposed", { env: { PORT: "8000" } }, 502],
    ["the image listens elsewhere", { env: { PORT: "8000", EMULATOR_PORT: "5000" }, ports: ["8000/http"] }, 502],
    ["PORT_HEALTH is not served", { env: { PORT_HEALTH: "8001" }, ports: ["8001/http"] }, 502],
    ["vLLM's own image is asked at port 80", { image: VLLM }, 502],
    ["both fit", { env: { PORT: "8000" }, ports: ["8000/http"] }, 200],
    ["vLLM's own image has its port", { image: VLLM, env: { PORT: "8000" }, ports: ["8000/http"] }, 200],
  ])("answers by its ports when %s", async (_case, overrides, status) => {
    const { cloud, held, ask, workers } = await openBalancer(overrides);
    const { answer: first } = await held("/v1/models");
    let answered = 0;
    void first.then((response) => {
      answered = response.status;
    });
    await advanceUntil(cloud, () => answered !== 0);
    expect(answered).toBe(status);
    if (status === 200) return;
    expect(await workers()).toMatchObject({ initializing: 1 });
    await cloud.advance(7 * MINUTE);
    expect((await ask("/")).status).toBe(502);
    await cloud.advance(MINUTE);
    expect(await workers()).toMatchObject({ initializing: 0 });
  });

  it("takes and gives 30 MB, announced or not", async () => {
    const sizes = (request: Request) =>
      request.method === "GET"
        ? new Response(Buffer.alloc(Number(new URL(request.url).searchParams.get("bytes"))))
        : request.arrayBuffer().then((body) => new Response(String(body.byteLength)));
    const { cloud, ask } = await openBalancer({}, { servers: { "repo/web:1": sizes } });
    await cloud.service.speedUp(1);
    const post = async (bytes: number, isChunked: boolean) => {
      const body = Buffer.alloc(bytes);
      const chunked = { body: new Blob([body]).stream(), duplex: "half" } as const;
      const answer = await ask("/", { method: "POST", ...(isChunked ? chunked : { body }) });
      return [answer.status, await answer.text()];
    };
    expect(await post(30 * MB, true)).toEqual([200, String(30 * MB)]);
    for (const isChunked of [false, true]) expect((await post(30 * MB + 1, isChunked))[0]).toBe(413);
    expect((await (await ask(`/?bytes=${30 * MB}`)).arrayBuffer()).byteLength).toBe(30 * MB);
    await expect(ask(`/?bytes=${30 * MB + 1}`).then((answer) => answer.arrayBuffer())).rejects.toThrow();
  });

  it("starts a worker for every so many open requests, and shares them out", async () => {
    const { cloud, held, workers } = await openBalancer({
      image: "emulator/delay",
      env: { EMULATOR_DELAY_MS: "60000" },
      workers: { min: 0, max: 3, idleTimeout: 5 },
      scaling: { type: "REQUEST_COUNT", requestCount: 2 },
    });
    const grown: number[] = [];
    const answers: Promise<Response>[] = [];
    for (let count = 1; count <= 8; count++) {
      answers.push((await held("/")).answer);
      grown.push((await workers()).total);
    }
    expect(grown).toEqual([1, 1, 2, 2, 3, 3, 3, 3]);
    await advanceUntil(cloud, async () => (await workers()).running === 3);
    await cloud.advance(MINUTE);
    const served = await Promise.all(answers);
    expect(served.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(served.map(({ headers }) => headers.get("x-runpod-worker-id"))).size).toBe(3);
  });

  it("runs a function as its workers' server, which says when it is healthy and may crash", async () => {
    let isLoaded = false;
    const server: Server = (request, worker) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/health") return new Response(null, { status: isLoaded ? 200 : 204 });
      if (pathname === "/crash") return worker.crash();
      if (pathname === "/throw") throw new Error("no such thing");
      return Response.json({ model: worker.env.MODEL, endpoint: worker.endpointId }, { status: 418 });
    };
    const env = { HEALTH_CHECK_PATH: "/health", MODEL: "small" };
    const { cloud, ask, held, health, workers, id } = await openBalancer(
      { env },
      { servers: { "repo/web:1": server } },
    );
    const { answer: waiting } = await held("/model");
    await until(async () => (await workers()).initializing === 1);
    await cloud.advance(MINUTE);
    expect(await health()).toBe(204);
    isLoaded = true;
    await cloud.advance(1000);
    const answer = await waiting;
    expect([answer.status, await answer.json()]).toEqual([418, { model: "small", endpoint: id }]);
    expect((await ask("/throw")).status).toBe(500);
    expect((await ask("/crash")).status).toBe(502);
    expect(await workers()).toMatchObject({ unhealthy: 1 });
  });

  it("forwards to a server of the user's, as bytes and part by part, once it listens", async () => {
    const seen: unknown[] = [];
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const { cloud, ask, workers } = await openBalancer();
    await cloud.service.speedUp(1);
    const closed = await serve(() => {});
    await closed[Symbol.asyncDispose]();
    await cloud.service.settings({ forward: { "repo/web:1": closed.address } });
    expect((await ask("/")).status).toBe(502);
    await using server = await serve(async (request, response) => {
      if (request.url === "/base/ping") return void response.end();
      seen.push([request.method, request.url, request.headers["content-type"]]);
      response.writeHead(201, { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] });
      for await (const part of request) response.write(part);
      await isReleased;
      response.end("last");
    });
    await cloud.service.settings({ forward: { "repo/web:1": `${server.address}/base/` } });
    await until(async () => (await workers()).idle === 1);
    const answer = await ask("/a%20b?c=d", { method: "POST", headers: { "content-type": "x/y" }, body: "first" });
    const reader = answer.body?.getReader();
    const read = async () => Buffer.from((await reader?.read())?.value ?? "").toString();
    expect([answer.status, answer.headers.getSetCookie(), await read()]).toEqual([201, ["a=1", "b=2"], "first"]);
    release();
    expect(await read()).toBe("last");
    expect(seen).toEqual([["POST", "/base/a%20b?c=d", "x/y"]]);
  });

  it("breaks a stream off when a fault says so", async () => {
    const { cloud, ask } = await openBalancer({ image: "emulator/stream" });
    await cloud.service.speedUp(1);
    await cloud.service.fault({ match: { interface: "endpoint" }, act: { truncate: true } });
    const answer = await ask("/");
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it("lives on when a caller leaves a stream, and frees its worker", async () => {
    const { cloud, held, workers } = await openBalancer(streaming(100_000, 1000));
    const { answer: stream } = await held("/");
    await advanceUntil(cloud, async () => (await workers()).running === 1);
    const reader = (await stream).body?.getReader();
    await cloud.advance(1000);
    await reader?.read();
    await reader?.cancel();
    await until(async () => (await workers()).running === 0);
  });
});

describe("a pod's http port", () => {
  const POD = { name: "web", image: "repo/web:1", cpu: { id: "cpu5c", vcpuCount: 2 }, ports: ["8000/http", "22/tcp"] };

  /** A running pod whose clock stands still, and requests to its ports. */
  async function openPod(overrides: Record<string, unknown> = {}, options: EmulatorOptions = {}) {
    const cloud = await openAccount(options);
    accounts.push(cloud);
    const { id } = await cloud.create("/v2/pods", { ...POD, ...overrides });
    // Its boot takes no time, and two steps.
    await cloud.advance(0);
    const ask = (path = "/", { port = 8000, ...init }: RequestInit & { port?: number } = {}) =>
      fetch(`${cloud.serverlessUrl}/pod-proxy/${id}-${port}${path}`, init);
    return { cloud, id, ask };
  }
  const seen = async (answer: Response) => [answer.status, await answer.text()];

  it("is served without a key by a function, by a forwarded address, and by the built-in images", async () => {
    await using server = await serve((request, response) => response.writeHead(201).end(`own ${request.url}`));
    const servers = {
      "repo/web:1": (request: Request) => Response.json([request.method, new URL(request.url).search]),
    };
    const { cloud, id, ask } = await openPod({}, { servers });
    expect(await seen(await ask("/x?n=1", { method: "PUT", body: "hi" }))).toEqual([200, '["PUT","?n=1"]']);
    await cloud.control("PUT", "/settings", { forward: { "repo/web:1": server.address } });
    expect(await seen(await ask("?n=1"))).toEqual([201, "own /?n=1"]);
    const language = await openPod({ image: "vllm/vllm-openai:1", env: { MODEL_NAME: "org/small" } });
    expect(await (await language.ask("/v1/models")).json()).toMatchObject({ data: [{ id: "org/small" }] });
    const chat = (model: string) => {
      const body = { model, messages: [{ role: "user", content: "hello" }], stream: true };
      return language.ask("/v1/chat/completions", { method: "POST", body: JSON.stringify(body) });
    };
    expect(await (await chat("org/small")).text()).toMatch(/"content":" hello"[\s\S]*data: \[DONE\]\n\n$/);
    expect((await chat("other")).status).toBe(404);
    expect(await cloud.service.log()).toContainEqual(
      expect.objectContaining({ interface: "pod", path: `/pod-proxy/${id}-8000/x?n=1`, status: 200 }),
    );
  });

  it.each([
    ["it is not exposed", {}, { port: 9000 }, [404, ""]],
    ["it is exposed for tcp", {}, { port: 22 }, [404, ""]],
    ["the image listens on another", { env: { EMULATOR_PORT: "5000" } }, {}, [502, "Bad Gateway"]],
    ["its container crashes", { image: "emulator/lost:1" }, {}, [502, "Bad Gateway"]],
  ])("refuses as the proxy does where %s", async (_, overrides, init, refusal) => {
    const { ask } = await openPod(overrides);
    expect(await seen(await ask("/", init))).toEqual(refusal);
  });

  it("answers 404 while the pod does not run, and 502 while its server does not listen", async () => {
    const { cloud, id, ask } = await openPod({}, { settings: { podBootMs: 1000 } });
    expect(await seen(await ask())).toEqual([404, ""]);
    await cloud.advance(1000);
    expect((await ask()).status).toBe(200);
    await cloud.control("PUT", "/settings", { forward: { "repo/web:1": "http://127.0.0.1:1" } });
    expect((await ask()).status).toBe(502);
    await cloud.rest("POST", `/v2/pods/${id}/action`, { action: "stop" });
    expect(await seen(await ask())).toEqual([404, ""]);
    expect((await fetch(`${cloud.serverlessUrl}/pod-proxy/nobody-8000`)).status).toBe(404);
  });

  it("answers 524 when the server has not begun to answer after 100 s, and lets a stream take longer", async () => {
    const env = { EMULATOR_HANDLER: "stream", EMULATOR_DELAY_MS: "60000" };
    const { cloud, ask } = await openPod({ env });
    const stream = await ask();
    const text = stream.text();
    await advanceUntil(cloud, () => Promise.race([text.then(() => true), turn(false)]));
    expect(await text).toBe("data: 0\n\ndata: 1\n\ndata: 2\n\n");
    const slow = await openPod({ env: { EMULATOR_HANDLER: "delay", EMULATOR_DELAY_MS: "101000" } });
    const { answer } = await begin(slow.cloud, slow.ask);
    await slow.cloud.advance(100_000);
    expect((await answer).status).toBe(524);
  });
});
