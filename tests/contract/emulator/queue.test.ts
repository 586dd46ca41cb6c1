import { expect, it } from "@jest/globals";
import { accountForEach, openAccount } from "../../harness/account";
import { folderForEach } from "../../harness/folder";
import { type JobPlane, openEndpoint, slow } from "./jobPlane";

const cloud = accountForEach();
const folder = folderForEach();

const MINUTE = 60_000;

it("the queue counts its jobs and workers", async () => {
  const { run, health } = await openEndpoint(cloud, slow(1000));
  for (const n of [1, 2, 3]) await run(n);
  await cloud.advance(1000);
  expect(await health()).toEqual({
    jobs: { completed: 1, failed: 0, inProgress: 1, inQueue: 1, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 1, throttled: 0, unhealthy: 0 },
  });
});

it("the queue cancels what waits and what runs, and nothing that is over", async () => {
  const { run, post, status, health } = await openEndpoint(cloud, slow(1000));
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

it("the queue takes up a failed job again under the same id, and no other", async () => {
  let broken = true;
  const handler = (input: unknown) => {
    if (broken) throw new Error("not today");
    return input;
  };
  await using cloud = await openAccount({ handlers: { "repo/moody:1": handler } });
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

it("the queue purges what waits and leaves what runs", async () => {
  const { run, post, status } = await openEndpoint(cloud, slow(1000));
  const [first, second] = [await run(1), await run(2), await run(3)];
  await cloud.advance(0);
  expect((await post("purge-queue")).body).toEqual({ removed: 2, status: "completed" });
  expect([(await status(first)).status, (await status(second)).status]).toEqual(["IN_PROGRESS", "CANCELLED"]);
});

it("the queue forgets everything with its endpoint", async () => {
  const { id, run, get } = await openEndpoint(cloud, { image: "emulator/delay" });
  const job = await run(1);
  expect((await cloud.rest("DELETE", `/v2/serverless/${id}`)).status).toBe(204);
  expect((await get(`status/${job}`)).status).toBe(404);
  const { jobs, workers } = (await cloud.control("GET", "/state")).body;
  expect([jobs, workers]).toEqual([[], []]);
});

it("the queue takes bodies of 10 MB, and of 20 MB in runsync", async () => {
  const { post } = await openEndpoint(cloud, { workers: { min: 0, max: 0 } });
  const text = (mb: number) => "x".repeat(mb * 1024 * 1024 - 100);
  expect((await post("run", { input: text(10) })).status).toBe(200);
  expect(await post("run", { input: text(11) })).toMatchObject({ status: 413, body: { error: expect.any(String) } });
  expect((await post("runsync", { input: text(21) })).status).toBe(413);
});

it("the queue accepts the raw key and a bearer, and refuses the rest in its own format", async () => {
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
  await cloud.service.settings({ keys: [{ key: "other", kind: "restricted", endpoints: { [id]: "read-only" } }] });
  expect(await health("other")).toBe(200);
});

it("the queue is not a part of a load-balancing endpoint, whose health it shows all the same", async () => {
  const { post, get } = await openEndpoint(cloud, {
    type: "LOAD_BALANCER",
    scaling: { type: "REQUEST_COUNT", requestCount: 1 },
  });
  expect(await post("run", { input: 1 })).toMatchObject({ status: 400, body: { error: "not allowed for QB API" } });
  expect((await get("health")).status).toBe(200);
});

it("the queue limits calls per endpoint and 10 s, unless the caller is exempt", async () => {
  const [one, other] = [await openEndpoint(cloud), await openEndpoint(cloud)];
  const purge = async (plane: typeof one) => (await plane.post("purge-queue")).status;
  expect([await purge(one), await purge(one), await purge(one)]).toEqual([200, 200, 429]);
  expect(await purge(other)).toBe(200);
  await cloud.advance(10_000);
  expect([await purge(one), await purge(one), await purge(one)]).toEqual([200, 200, 429]);
  await cloud.service.settings({ rateLimitExempt: true });
  expect(await purge(one)).toBe(200);
});

it("a restart brings jobs, chunks and workers back, and begins what was running anew", async () => {
  const options = { dataFile: folder.at("data.jsonl"), settings: { workerColdStartMs: 1000 } };
  let plane: JobPlane;
  const ids: string[] = [];
  {
    await using cloud = await openAccount(options);
    plane = await openEndpoint(cloud, {
      image: "emulator/stream",
      env: { EMULATOR_CHUNKS: "2", EMULATOR_DELAY_MS: "1000" },
    });
    for (const n of [1, 2, 3]) ids.push(await plane.run(n));
    await cloud.advance(4000);
    expect((await plane.health()).jobs).toMatchObject({ completed: 1, inProgress: 1, inQueue: 1 });
  }
  await using cloud = await openAccount(options);
  const [done, cut, waiting] = ids;
  const get = async (path: string) => (await cloud.queue("GET", `${plane.id}/${path}`)).body;
  expect(await get(`status/${done}`)).toMatchObject({ status: "COMPLETED" });
  expect(await get(`stream/${done}`)).toEqual({ status: "COMPLETED", stream: [{ output: 0 }, { output: 1 }] });
  await cloud.advance(4000);
  for (const id of [cut, waiting]) expect(await get(`status/${id}`)).toMatchObject({ status: "COMPLETED" });
  await cloud.advance(30 * MINUTE);
  expect((await get("health")).jobs).toMatchObject({ completed: 0, inQueue: 0 });
});
