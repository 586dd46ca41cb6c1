import { expect, it } from "@jest/globals";
import { accountForEach, openAccount } from "../../harness/account";
import { serve } from "../../harness/serve";
import { until } from "../../harness/until";
import { begin, openEndpoint, slow } from "./jobPlane";

const cloud = accountForEach();

const MINUTE = 60_000;

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
  const { run, get, status } = await openEndpoint(cloud, { image: "emulator/stream", env: { EMULATOR_CHUNKS: "2" } });
  const id = await run({ prompt: "count" });
  await until(async () => (await status(id)).status === "COMPLETED");
  const piece = (index: number) => ({ output: index, metrics: expect.objectContaining({ stream_index: index }) });
  expect((await get(`stream/${id}`)).body).toEqual([piece(0), piece(1)]);
  expect((await get(`stream/${id}`)).body).toEqual([]);
});

it("a stream gives every chunk once, the last ones together with the final status, then an empty list", async () => {
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

it("a stream is held while there is nothing new: until the next chunk, or about 10 s", async () => {
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

it("a stream never holds more than 1 MB in a chunk", async () => {
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
