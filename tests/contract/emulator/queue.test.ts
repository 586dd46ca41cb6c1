import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { JobContext } from "../../emulator";
import { openAccount } from "./account";
import { begin, type JobPlane, openEndpoint, stopTime, until } from "./jobPlane";

const MINUTE = 60_000;

describe("a job", () => {
  it("waits for a cold worker, runs, and shows its times in ms", async () => {
    await using cloud = await openAccount({ settings: { workerColdStartMs: 8000 } });
    await stopTime(cloud);
    const { run, status } = await openEndpoint(cloud, { env: { EMULATOR_DELAY_MS: "2000" } });
    const id = await run({ prompt: "hi" });
    expect(await status(id)).toEqual({ id, status: "IN_QUEUE" });
    await cloud.advance(8000);
    expect(await status(id)).toEqual({ id, status: "IN_PROGRESS", delayTime: 8000, workerId: expect.any(String) });
    await cloud.advance(2000);
    expect(await status(id)).toEqual({
      id,
      status: "COMPLETED",
      delayTime: 8000,
      executionTime: 2000,
      workerId: expect.any(String),
      output: { prompt: "hi" },
    });
  });

  it("fails with the handler's words when it throws or returns an error", async () => {
    await using cloud = await openAccount({ handlers: { "repo/sour:1": () => ({ error: "too sour" }) } });
    const thrown = await openEndpoint(cloud, { image: "emulator/fail", env: { EMULATOR_ERROR: "no model" } });
    const returned = await openEndpoint(cloud, { image: "repo/sour:1" });
    for (const [plane, words] of [
      [thrown, "Error: no model"],
      [returned, "too sour"],
    ] as const) {
      const { body } = await plane.post("runsync", { input: { n: 1 } });
      expect(body).toMatchObject({ status: "FAILED", error: words, retries: 0 });
      expect(body).not.toHaveProperty("output");
    }
  });

  it("hands its handler the environment, the attempt and the bucket, shows progress and logs to the worker", async () => {
    const seen: unknown[] = [];
    const handler = async (input: { n: number }, job: JobContext) => {
      seen.push([job.env.MODE, job.attempt, job.s3Config]);
      job.progress("half way");
      job.log(`n is ${input.n}`);
      await job.sleep(1000);
      return { double: 2 * input.n, refresh_worker: true };
    };
    await using cloud = await openAccount({ handlers: { "repo/double:1": handler } });
    await stopTime(cloud);
    const { run, status, workers, ...plane } = await openEndpoint(cloud, {
      image: "repo/double:1",
      env: { MODE: "fast" },
    });
    const id = await run({ n: 21 }, { s3Config: { bucketName: "b" } });
    await cloud.advance(0);
    expect(await status(id)).toMatchObject({ status: "IN_PROGRESS", output: "half way" });
    expect(seen).toEqual([["fast", 0, { bucketName: "b" }]]);
    const [worker] = (await workers()).workers;
    const log = `${cloud.baseUrl}/v2/serverless/${plane.id}/workers/${worker.id}/logs?source=container`;
    const reader = (await fetch(log, { headers: { authorization: `Bearer ${cloud.apiKey}` } })).body?.getReader();
    let text = "";
    await until(async () => {
      text += Buffer.from((await reader?.read())?.value ?? []).toString();
      return text.includes("n is 21");
    });
    await reader?.cancel();
    await cloud.advance(1000);
    expect(await status(id)).toMatchObject({ status: "COMPLETED", output: { double: 42 } });
    expect((await workers()).workers).toEqual([]);
  });

  it("is dispatched once more when its worker is lost, and fails the second time", async () => {
    const attempts: number[] = [];
    const dies = (_input: unknown, job: JobContext) => {
      attempts.push(job.attempt);
      return job.crash();
    };
    await using cloud = await openAccount({ handlers: { "repo/dies:1": dies } });
    await stopTime(cloud);
    const once = await openEndpoint(cloud, { image: "emulator/lost" });
    const always = await openEndpoint(cloud, { image: "repo/dies:1" });
    const [survivor, victim] = [await once.run({ n: 1 }), await always.run({ n: 1 })];
    await cloud.advance(MINUTE);
    expect(await once.status(survivor)).toMatchObject({ status: "COMPLETED", output: { n: 1 }, retries: 1 });
    expect(await always.status(victim)).toMatchObject({ status: "FAILED", retries: 1, error: expect.any(String) });
    expect(attempts).toEqual([0, 1]);
    expect((await once.health()).jobs).toMatchObject({ completed: 1, retried: 1 });
  });

  it("with an empty input is never taken up: dispatched again after 20 s, failed after 40", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const { run, status } = await openEndpoint(cloud);
    const id = await run({});
    await cloud.advance(39_000);
    expect(await status(id)).toMatchObject({ status: "IN_PROGRESS", retries: 1 });
    await cloud.advance(2000);
    expect(await status(id)).toMatchObject({ status: "FAILED", error: "job timed out after 1 retries" });
  });

  it("is forgotten 30 minutes after a run and 1 minute after a runsync", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const { run, get, post } = await openEndpoint(cloud);
    const async = await run(1);
    await cloud.advance(0);
    const sync = (await post("runsync?wait=1000", { input: 1 })).body.id;
    expect(sync).toMatch(/^sync-/);
    await cloud.advance(MINUTE - 1);
    expect((await get(`status/${sync}`)).status).toBe(200);
    await cloud.advance(1);
    expect(await get(`status/${sync}`)).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    await cloud.advance(28 * MINUTE);
    expect((await get(`status/${async}`)).status).toBe(200);
    await cloud.advance(MINUTE);
    expect((await get(`status/${async}`)).status).toBe(404);
  });

  it("lives as long as a status call with ttl says", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const { run, get } = await openEndpoint(cloud);
    const id = await run(1);
    await cloud.advance(0);
    expect((await get(`status/${id}?ttl=soon`)).status).toBe(400);
    expect((await get(`status/${id}?ttl=6000`)).body).toMatchObject({ status: "COMPLETED" });
    await cloud.advance(5999);
    expect((await get(`status/${id}`)).status).toBe(200);
    await cloud.advance(1);
    expect((await get(`status/${id}`)).status).toBe(404);
  });
});

describe("a job's policy", () => {
  it("ends a job that runs too long, together with its worker", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const plane = await openEndpoint(cloud, { image: "emulator/delay", env: { EMULATOR_DELAY_MS: "60000" } });
    const id = await plane.run(1, { policy: { executionTimeout: 5000 } });
    await cloud.advance(5000);
    expect(await plane.status(id)).toMatchObject({ status: "FAILED", executionTime: 5000, error: expect.any(String) });
    expect((await plane.workers()).workers).toEqual([]);
    const byEndpoint = await openEndpoint(cloud, {
      image: "emulator/delay",
      env: { EMULATOR_DELAY_MS: "60000" },
      timeout: 7000,
    });
    const other = await byEndpoint.run(1);
    await cloud.advance(7000);
    expect(await byEndpoint.status(other)).toMatchObject({ status: "FAILED", executionTime: 7000 });
  });

  it("times out what nobody took up within its ttl, and deletes what still runs", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const none = await openEndpoint(cloud, { workers: { min: 0, max: 0 } });
    const slow = await openEndpoint(cloud, { image: "emulator/delay", env: { EMULATOR_DELAY_MS: "60000" } });
    const [waiting, running] = [
      await none.run(1, { policy: { ttl: 10_000 } }),
      await slow.run(1, { policy: { ttl: 10_000 } }),
    ];
    await cloud.advance(10_000);
    expect(await none.status(waiting)).toEqual({ id: waiting, status: "TIMED_OUT" });
    expect((await slow.get(`status/${running}`)).status).toBe(404);
    expect((await slow.health()).workers).toMatchObject({ running: 0, idle: 1 });
  });

  it("lets low priority wait for workers that others started", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const { run, status, workers } = await openEndpoint(cloud);
    const low = await run("low", { policy: { lowPriority: true } });
    await cloud.advance(MINUTE);
    expect(await status(low)).toMatchObject({ status: "IN_QUEUE" });
    expect((await workers()).workers).toEqual([]);
    await run("high");
    await cloud.advance(0);
    expect(await status(low)).toMatchObject({ status: "COMPLETED", output: "low" });
  });

  it.each([
    [{ input: 1, policy: { executionTimeout: 4999 } }],
    [{ input: 1, policy: { ttl: 9999 } }],
    [{ input: 1, policy: { ttl: 604_800_001 } }],
    [{ input: 1, policy: { lowPriority: "yes" } }],
    [{ input: 1, webhook: "not a url" }],
    [{ prompt: "no input" }],
    [[]],
  ])("is refused with a 400 when it is out of range: %j", async (body) => {
    await using cloud = await openAccount();
    const { post, health } = await openEndpoint(cloud, { workers: { min: 0, max: 0 } });
    expect(await post("run", body)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    expect((await post("runsync?wait=999", { input: 1 })).status).toBe(400);
    expect((await health()).jobs.inQueue).toBe(0);
  });
});

describe("runsync", () => {
  it("answers with the result, or after its wait with the state that the job is in", async () => {
    await using cloud = await openAccount({ settings: { workerColdStartMs: 5000 } });
    await stopTime(cloud);
    const { post, get } = await openEndpoint(cloud, { image: "emulator/delay", env: { EMULATOR_DELAY_MS: "1000" } });
    const held = await begin(cloud, () => post("runsync?wait=2000", { input: { n: 1 } }));
    await cloud.advance(2000);
    const { body } = await held.answer;
    expect(body).toEqual({ id: expect.stringMatching(/^sync-/), status: "IN_QUEUE" });

    const joined = await begin(cloud, () => get(`status-sync/${body.id}?wait=90000`));
    await cloud.advance(4000);
    expect((await joined.answer).body).toMatchObject({ id: body.id, status: "COMPLETED", output: { n: 1 } });

    const warm = await begin(cloud, () => post("runsync", { input: { n: 2 } }));
    await cloud.advance(1000);
    expect((await warm.answer).body).toMatchObject({ status: "COMPLETED", delayTime: 0, executionTime: 1000 });
  });
});

describe("a stream", () => {
  it("gives every chunk once, the last ones together with the final status, then an empty list", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const { run, get } = await openEndpoint(cloud, {
      image: "emulator/stream",
      env: { EMULATOR_CHUNKS: "3", EMULATOR_DELAY_MS: "1000" },
    });
    const id = await run({ prompt: "count" });
    await cloud.advance(1000);
    const stream = async () => (await get(`stream/${id}`)).body;
    expect(await stream()).toEqual({ status: "IN_PROGRESS", stream: [{ output: 0 }] });
    await cloud.advance(2000);
    expect(await stream()).toEqual({ status: "COMPLETED", stream: [{ output: 1 }, { output: 2 }] });
    expect(await stream()).toEqual({ status: "COMPLETED", stream: [] });
    expect((await get(`status/${id}`)).body).not.toHaveProperty("output");
  });

  it("is held while there is nothing new: until the next chunk, or about 10 s", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const { run, get } = await openEndpoint(cloud, {
      image: "emulator/stream",
      env: { EMULATOR_CHUNKS: "1", EMULATOR_DELAY_MS: "15000", EMULATOR_AGGREGATE: "true" },
    });
    const id = await run({ prompt: "slowly" });
    const stream = () => begin(cloud, () => get(`stream/${id}`));
    await cloud.advance(0);
    const early = await stream();
    await cloud.advance(10_000);
    expect((await early.answer).body).toEqual({ status: "IN_PROGRESS", stream: [] });
    const late = await stream();
    await cloud.advance(5000);
    expect((await late.answer).body.stream).toEqual([{ output: 0 }]);
    expect((await get(`status/${id}`)).body).toMatchObject({ status: "COMPLETED", output: [0] });
  });

  it("never holds more than 1 MB in a chunk", async () => {
    const text = "ä".repeat(1_500_000);
    await using cloud = await openAccount({
      handlers: {
        "repo/large:1": function* () {
          yield text;
          yield { text };
        },
      },
    });
    const { run, get, status } = await openEndpoint(cloud, { image: "repo/large:1" });
    const id = await run({ n: 1 });
    await until(async () => (await status(id)).status === "COMPLETED");
    const { body } = await get(`stream/${id}`);
    const pieces: string[] = body.stream.map(({ output }: { output: string }) => output);
    expect(pieces.every((piece) => Buffer.byteLength(JSON.stringify(piece)) <= 1024 * 1024)).toBe(true);
    expect(pieces.join("")).toBe(text + JSON.stringify({ text }));
  });
});

describe("the queue", () => {
  it("counts its jobs and workers", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const { run, health } = await openEndpoint(cloud, { image: "emulator/delay", env: { EMULATOR_DELAY_MS: "1000" } });
    for (const n of [1, 2, 3]) await run(n);
    await cloud.advance(1000);
    expect(await health()).toEqual({
      jobs: { completed: 1, failed: 0, inProgress: 1, inQueue: 1, retried: 0 },
      workers: { idle: 0, initializing: 0, ready: 0, running: 1, throttled: 0, unhealthy: 0 },
    });
  });

  it("cancels what waits and what runs, and nothing that is over", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const { run, post, status, health } = await openEndpoint(cloud, {
      image: "emulator/delay",
      env: { EMULATOR_DELAY_MS: "1000" },
    });
    const [running, waiting, last] = [await run(1), await run(2), await run(3)];
    await cloud.advance(0);
    for (const id of [waiting, running]) expect((await post(`cancel/${id}`)).body).toEqual({ id, status: "CANCELLED" });
    expect(await status(running)).toMatchObject({ status: "CANCELLED", executionTime: 0 });
    expect(await status(waiting)).toEqual({ id: waiting, status: "CANCELLED" });
    expect((await health()).jobs).toMatchObject({ inProgress: 1, inQueue: 0 });
    await cloud.advance(1000);
    expect(await status(last)).toMatchObject({ status: "COMPLETED", output: 3 });
    expect((await post(`cancel/${last}`)).status).toBe(400);
    expect(await status(last)).toMatchObject({ status: "COMPLETED" });
  });

  it("takes up a failed job again under the same id, and no other", async () => {
    let broken = true;
    const handler = (input: unknown) => {
      if (broken) throw new Error("not today");
      return input;
    };
    await using cloud = await openAccount({ handlers: { "repo/moody:1": handler } });
    await stopTime(cloud);
    const { run, post, status } = await openEndpoint(cloud, { image: "repo/moody:1" });
    const id = await run("again");
    await cloud.advance(0);
    expect(await status(id)).toMatchObject({ status: "FAILED" });
    broken = false;
    expect((await post(`retry/${id}`, {})).body).toEqual({ id, status: "IN_QUEUE" });
    await cloud.advance(0);
    const done = await status(id);
    expect(done).toMatchObject({ status: "COMPLETED", output: "again" });
    expect(done).not.toHaveProperty("error");
    expect((await post(`retry/${id}`)).status).toBe(400);
    expect((await post("retry/nobody")).status).toBe(404);
  });

  it("purges what waits and leaves what runs", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const { run, post, status } = await openEndpoint(cloud, {
      image: "emulator/delay",
      env: { EMULATOR_DELAY_MS: "1000" },
    });
    const [first, second] = [await run(1), await run(2), await run(3)];
    await cloud.advance(0);
    expect((await post("purge-queue")).body).toEqual({ removed: 2, status: "completed" });
    expect([(await status(first)).status, (await status(second)).status]).toEqual(["IN_PROGRESS", "CANCELLED"]);
  });

  it("forgets everything with its endpoint", async () => {
    await using cloud = await openAccount();
    const { id, run, get } = await openEndpoint(cloud, { image: "emulator/delay" });
    const job = await run(1);
    expect((await cloud.rest("DELETE", `/v2/serverless/${id}`)).status).toBe(204);
    expect((await get(`status/${job}`)).status).toBe(404);
    const { jobs, workers } = (await cloud.control("GET", "/state")).body;
    expect([jobs, workers]).toEqual([[], []]);
  });

  it("takes bodies of 10 MB, and of 20 MB in runsync", async () => {
    await using cloud = await openAccount();
    const { post } = await openEndpoint(cloud, { workers: { min: 0, max: 0 } });
    const text = (mb: number) => "x".repeat(mb * 1024 * 1024 - 100);
    expect((await post("run", { input: text(10) })).status).toBe(200);
    expect(await post("run", { input: text(11) })).toMatchObject({ status: 413, body: { error: expect.any(String) } });
    expect((await post("runsync", { input: text(21) })).status).toBe(413);
  });

  it("accepts the raw key and a bearer, and refuses the rest in its own format", async () => {
    await using cloud = await openAccount({
      settings: { keys: [{ key: "other", kind: "restricted", areas: {}, endpoints: {} }] },
    });
    const { id, get } = await openEndpoint(cloud);
    const health = async (authorization: string, endpointId = id) =>
      (await fetch(`${cloud.serverlessUrl}/v2/${endpointId}/health`, { headers: { authorization } })).status;
    expect(await health(cloud.apiKey)).toBe(200);
    expect(await health(`Bearer ${cloud.apiKey}`)).toBe(200);
    expect(await health("")).toBe(401);
    expect(await health("wrong")).toBe(401);
    expect(await health("other")).toBe(403);
    expect(await health(cloud.apiKey, "nobody")).toBe(404);
    expect(await get("status/nobody")).toMatchObject({ status: 404, body: { error: "job not found" } });
    await cloud.control("PUT", "/settings", {
      keys: [{ key: "other", kind: "restricted", endpoints: { [id]: "read-only" } }],
    });
    expect(await health("other")).toBe(200);
  });

  it("is no part of a load-balancing endpoint, whose health it shows all the same", async () => {
    await using cloud = await openAccount();
    const { post, get } = await openEndpoint(cloud, {
      type: "LOAD_BALANCER",
      scaling: { type: "REQUEST_COUNT", requestCount: 1 },
    });
    expect(await post("run", { input: 1 })).toMatchObject({ status: 400, body: { error: "not allowed for QB API" } });
    expect((await get("health")).status).toBe(200);
  });

  it("limits calls per endpoint and 10 s, unless the caller is exempt", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const [one, other] = [await openEndpoint(cloud), await openEndpoint(cloud)];
    const purge = async (plane: typeof one) => (await plane.post("purge-queue")).status;
    expect([await purge(one), await purge(one), await purge(one)]).toEqual([200, 200, 429]);
    expect(await purge(other)).toBe(200);
    await cloud.advance(10_000);
    expect([await purge(one), await purge(one), await purge(one)]).toEqual([200, 200, 429]);
    await cloud.control("PUT", "/settings", { rateLimitExempt: true });
    expect(await purge(one)).toBe(200);
  });
});

describe("a webhook", () => {
  it("is told once how the job ended, twice more when it refuses, 10 s apart", async () => {
    const bodies: unknown[] = [];
    let refusals = 2;
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const part of request) text += part;
      bodies.push(JSON.parse(text));
      response.writeHead(refusals-- > 0 ? 503 : 200).end();
    }).listen(0, "127.0.0.1");
    await until(() => server.listening);
    const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/done`;
    try {
      await using cloud = await openAccount();
      await stopTime(cloud);
      const { run, status } = await openEndpoint(cloud);
      const id = await run({ n: 1 }, { webhook });
      await cloud.advance(0);
      await until(() => bodies.length === 1);
      for (const attempt of [2, 3])
        await until(async () => {
          await cloud.advance(5000);
          return bodies.length === attempt;
        });
      expect(bodies[0]).toEqual({ ...(await status(id)), input: { n: 1 }, webhook });
      expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
      await cloud.advance(MINUTE);
      expect(bodies).toHaveLength(3);
    } finally {
      server.close();
    }
  });
});

describe("a restart", () => {
  it("brings jobs, chunks and workers back, and begins what was running anew", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emulator-"));
    const options = { dataFile: join(folder, "data.jsonl"), settings: { workerColdStartMs: 1000 } };
    let plane: JobPlane;
    const ids: string[] = [];
    try {
      {
        await using cloud = await openAccount(options);
        await stopTime(cloud);
        plane = await openEndpoint(cloud, {
          image: "emulator/stream",
          env: { EMULATOR_CHUNKS: "2", EMULATOR_DELAY_MS: "1000" },
        });
        for (const n of [1, 2, 3]) ids.push(await plane.run(n));
        await cloud.advance(4000);
        expect((await plane.health()).jobs).toMatchObject({ completed: 1, inProgress: 1, inQueue: 1 });
      }
      await using cloud = await openAccount(options);
      await stopTime(cloud);
      const [done, cut, waiting] = ids;
      const get = async (path: string) => (await cloud.queue("GET", `${plane.id}/${path}`)).body;
      expect(await get(`status/${done}`)).toMatchObject({ status: "COMPLETED" });
      expect(await get(`stream/${done}`)).toEqual({ status: "COMPLETED", stream: [{ output: 0 }, { output: 1 }] });
      await cloud.advance(4000);
      for (const id of [cut, waiting]) expect(await get(`status/${id}`)).toMatchObject({ status: "COMPLETED" });
      await cloud.advance(30 * MINUTE);
      expect((await get("health")).jobs).toMatchObject({ completed: 0, inQueue: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
