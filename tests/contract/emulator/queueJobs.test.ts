import { expect, it } from "@jest/globals";
import type { JobContext } from "../../../emulator";
import { accountForEach, openAccount } from "../../harness/account";
import { serve } from "../../harness/serve";
import { until } from "../../harness/until";
import { begin, openEndpoint, slow, streaming } from "./jobPlane";

const cloud = accountForEach();

const MINUTE = 60_000;

it("a job waits for a cold worker, runs, and shows its times in ms", async () => {
  await using cloud = await openAccount({ settings: { workerColdStartMs: 8000 } });
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

it("a job fails with the handler's words when it throws or returns an error", async () => {
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

it.each([
  ["an empty error, which is none", () => ({ error: "", n: 1 }), { output: { n: 1 } }],
  ["an instruction alone, which is no output", () => ({ refresh_worker: true }), { output: undefined }],
  ["an empty object, which is an output", () => ({}), { output: {} }],
  [
    "an error that it yields, which ends it",
    function* () {
      yield { n: 1 };
      yield { error: { message: "out of memory" } };
      throw new Error("it ran on");
    },
    { status: "FAILED", error: '{"message":"out of memory"}', output: undefined },
  ],
])("a job's handler gives back %s", async (_case, handler, expected) => {
  await using cloud = await openAccount({ handlers: { "repo/odd:1": handler } });
  const { body } = await (await openEndpoint(cloud, { image: "repo/odd:1" })).post("runsync", { input: { n: 1 } });
  expect({ ...body, output: body.output }).toMatchObject({ status: "COMPLETED", ...expected });
});

it("a job hands its handler the environment, the attempt and the bucket, and shows progress", async () => {
  const seen: unknown[] = [];
  const handler = async (input: { n: number }, job: JobContext) => {
    seen.push([job.env.MODE, job.attempt, job.s3Config]);
    job.progress("half way");
    await job.sleep(1000);
    return { double: 2 * input.n, refresh_worker: true };
  };
  await using cloud = await openAccount({ handlers: { "repo/double:1": handler } });
  const { run, status, workers } = await openEndpoint(cloud, { image: "repo/double:1", env: { MODE: "fast" } });
  const id = await run({ n: 21 }, { s3Config: { bucketName: "b" } });
  await cloud.advance(0);
  expect(await status(id)).toMatchObject({ status: "IN_PROGRESS", output: "half way" });
  expect(seen).toEqual([["fast", 0, { bucketName: "b" }]]);
  await cloud.advance(1000);
  expect(await status(id)).toMatchObject({ status: "COMPLETED", output: { double: 42 } });
  expect((await workers()).workers).toEqual([]);
});

it("a job is dispatched once more when its worker is lost, and fails the second time", async () => {
  const attempts: number[] = [];
  const dies = (_input: unknown, job: JobContext) => {
    attempts.push(job.attempt);
    return job.crash();
  };
  await using cloud = await openAccount({ handlers: { "repo/dies:1": dies } });
  const once = await openEndpoint(cloud, { image: "emulator/lost" });
  const always = await openEndpoint(cloud, { image: "repo/dies:1" });
  const [survivor, victim] = [await once.run({ n: 1 }), await always.run({ n: 1 })];
  await cloud.advance(MINUTE);
  expect(await once.status(survivor)).toMatchObject({ status: "COMPLETED", output: { n: 1 }, retries: 1 });
  expect(await always.status(victim)).toMatchObject({ status: "FAILED", retries: 1, error: expect.any(String) });
  expect(attempts).toEqual([0, 1]);
  expect((await once.health()).jobs).toMatchObject({ completed: 1, retried: 1 });
});

it("a job with an empty input is never taken up: dispatched again after 20 s, failed after 40", async () => {
  const { run, status } = await openEndpoint(cloud);
  const id = await run({});
  await cloud.advance(39_000);
  expect(await status(id)).toMatchObject({ status: "IN_PROGRESS", retries: 1 });
  await cloud.advance(2000);
  expect(await status(id)).toMatchObject({ status: "FAILED", error: "job timed out after 1 retries" });
});

it("a job is forgotten 30 minutes after a run and 1 minute after a runsync", async () => {
  const { run, get, post } = await openEndpoint(cloud);
  const async = await run(1);
  await cloud.advance(0);
  const sync = (await post("runsync", { input: 1 })).body.id;
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

it("a job lives as long as a status call with ttl says", async () => {
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

it("a job's policy ends a job that runs too long, together with its worker", async () => {
  const plane = await openEndpoint(cloud, slow(60_000));
  const id = await plane.run(1, { policy: { executionTimeout: 5000 } });
  await cloud.advance(5000);
  expect(await plane.status(id)).toMatchObject({ status: "FAILED", executionTime: 5000, error: expect.any(String) });
  expect((await plane.workers()).workers).toEqual([]);
  const byEndpoint = await openEndpoint(cloud, { ...slow(60_000), timeout: 7000 });
  const other = await byEndpoint.run(1);
  await cloud.advance(7000);
  expect(await byEndpoint.status(other)).toMatchObject({ status: "FAILED", executionTime: 7000 });
});

it("a job's policy times out what nobody took up within its ttl, and deletes what still runs", async () => {
  const none = await openEndpoint(cloud, { workers: { min: 0, max: 0 } });
  const busy = await openEndpoint(cloud, slow(60_000));
  const policy = { ttl: 10_000 };
  const [waiting, running] = [await none.run(1, { policy }), await busy.run(1, { policy })];
  await cloud.advance(10_000);
  expect(await none.status(waiting)).toEqual({ id: waiting, status: "TIMED_OUT" });
  expect((await busy.get(`status/${running}`)).status).toBe(404);
  expect((await busy.health()).workers).toMatchObject({ running: 0, idle: 1 });
});

it("a job's policy lets low priority wait for workers that others started", async () => {
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
])("a job's policy is refused with a 400 when it is out of range: %j", async (body) => {
  const { post, health } = await openEndpoint(cloud, { workers: { min: 0, max: 0 } });
  expect(await post("run", body)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  expect((await post("runsync?wait=999", { input: 1 })).status).toBe(400);
  expect((await health()).jobs.inQueue).toBe(0);
});

it("runsync answers with the result, or after its wait with the state that the job is in", async () => {
  await using cloud = await openAccount({ settings: { workerColdStartMs: 5000 } });
  const { post, get } = await openEndpoint(cloud, slow(1000));
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

it("a stream is a bare list with metrics when the settings say so", async () => {
  await using cloud = await openAccount({ settings: { streamForm: "array", streamMetrics: true } });
  const { run, get, status } = await openEndpoint(cloud, streaming(2));
  const id = await run({ prompt: "count" });
  await until(async () => (await status(id)).status === "COMPLETED");
  const piece = (index: number) => ({ output: index, metrics: expect.objectContaining({ stream_index: index }) });
  expect((await get(`stream/${id}`)).body).toEqual([piece(0), piece(1)]);
  expect((await get(`stream/${id}`)).body).toEqual([]);
});

it("a stream gives every chunk once, the last ones together with the final status, then an empty list", async () => {
  const { run, get } = await openEndpoint(cloud, streaming(3, 1000));
  const id = await run({ prompt: "count" });
  await cloud.advance(1000);
  const stream = async () => (await get(`stream/${id}`)).body;
  expect(await stream()).toEqual({ status: "IN_PROGRESS", stream: [{ output: 0 }] });
  await cloud.advance(2000);
  expect(await stream()).toEqual({ status: "COMPLETED", stream: [{ output: 1 }, { output: 2 }] });
  expect(await stream()).toEqual({ status: "COMPLETED", stream: [] });
  expect((await get(`status/${id}`)).body).not.toHaveProperty("output");
});

it("a stream is held while there is nothing new: until the next chunk, or about 10 s", async () => {
  const { run, get } = await openEndpoint(cloud, streaming(1, 15_000, { EMULATOR_AGGREGATE: "true" }));
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

it("a stream never holds more than 1 MB in a chunk", async () => {
  const text = "ä".repeat(1_500_000);
  const handler = function* () {
    yield text;
    yield { text };
  };
  await using cloud = await openAccount({ handlers: { "repo/large:1": handler } });
  const { run, get, status } = await openEndpoint(cloud, { image: "repo/large:1" });
  const id = await run({ n: 1 });
  await until(async () => (await status(id)).status === "COMPLETED");
  const { body } = await get(`stream/${id}`);
  const pieces: string[] = body.stream.map(({ output }: { output: string }) => output);
  expect(pieces.every((piece) => Buffer.byteLength(JSON.stringify(piece)) <= 1024 * 1024)).toBe(true);
  expect(pieces.join("")).toBe(text + JSON.stringify({ text }));
});

it("a webhook is told once how the job ended, twice more when it refuses, 10 s apart", async () => {
  const bodies: unknown[] = [];
  let refusals = 2;
  await using server = await serve(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    bodies.push(JSON.parse(text));
    response.writeHead(refusals-- > 0 ? 503 : 200).end();
  });
  const webhook = `${server.address}/done`;
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
});
