import { Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import { createQueue, type QueueOptions, UsageError } from "../../client";
import { environmentForEach } from "../harness/environment";
import { folderForEach } from "../harness/folder";
import { collect, countTo, JobServer } from "../harness/jobServer";
import { inTurn, json, serverForEach } from "../harness/script";
import { errorOf } from "../harness/until";

const folder = folderForEach();
const setEnvironment = environmentForEach();
const server = serverForEach(new JobServer());
const queueOf = () => server.client().queue("e");
const submittedAsA = server.takes(() => json({ id: "a", status: "IN_QUEUE" }));
const circle: { self?: unknown } = {};
circle.self = circle;

describe("a job's input that JSON would lose", () => {
  // finds mutant lossy-input
  test.each<[string, unknown, string]>([
    ["a promise", { file: Promise.resolve(1) }, "input.file is a promise, which JSON can't hold: await it."],
    ["a Map", [new Map()], "input[0] is a Map"],
    ["a Set", new Set([1]), "input is a Set"],
    ["a buffer", { image: Buffer.from("a") }, "input.image is a buffer, which JSON can't hold: pass it as base64"],
    ["an array of bytes", { image: new Uint8Array(2) }, "input.image is a buffer"],
    ["a file", { image: new Blob(["a"]) }, "input.image is a file"],
    ["a stream", { a: [{ b: Readable.from(["a"]) }] }, "input.a[0].b is a stream"],
    ["NaN", { size: Number.NaN }, "input.size is NaN"],
    ["Infinity", { size: Number.POSITIVE_INFINITY }, "input.size is Infinity"],
    ["a function", { run: () => 1 }, "input.run is a function"],
    ["a symbol", Symbol("input"), "input is missing, or a function"],
    ["a bigint", 1n, "BigInt"],
    ["a circle", circle, "circular"],
    ["a regular expression", { match: /a/ }, "input.match is a regular expression"],
    ["an error", { error: new Error("a") }, "input.error is an error"],
    ["an empty object", {}, "input is empty, and workers take no job without input"],
    ["an empty list", [], "input is empty"],
    ["null", null, "input is empty"],
  ])("is refused, and nothing sent: %s", async (_, input, message) => {
    // One after another: a second rejection that nobody awaits would end the process.
    for (const call of [() => queueOf().run({ input }), () => queueOf().runSync({ input })]) {
      const refused = await errorOf(call(), UsageError);
      expect(refused.message).toContain(message);
    }
    const { all } = await collect(queueOf().runMany([input], { request: () => ({ input }) }));
    expect(String(all[0]?.error)).toContain(message);
    expect(server.received).toEqual([]);
  });

  test("is not an empty one where workers take it", async () => {
    server.steps.run = submittedAsA;
    server.jobs.set("a", "COMPLETED");
    await collect(queueOf().runMany([{}, []], { emptyInput: true, concurrency: 1 }));
    await queueOf().run({ input: null }, { emptyInput: true });
    expect(server.requests).toEqual([{ input: {} }, { input: [] }, { input: null }]);
  });

  test("is everything else: dates, classes with fields, missing members", async () => {
    class Prompt {
      constructor(readonly text: string) {}
    }
    const input = { at: new Date(0), prompt: new Prompt("hi"), seed: undefined, list: [1, null] };
    server.steps.run = submittedAsA;
    await queueOf().run({ input });
    expect(server.requests).toEqual([
      { input: { at: "1970-01-01T00:00:00.000Z", prompt: { text: "hi" }, list: [1, null] } },
    ]);
  });
});

describe("a batch of promises", () => {
  test("awaits each of them before its job", async () => {
    server.finishAtOnce();
    const inputs = countTo(3).map(async (n) => n);
    const request = (input: number) => ({ input: input + 0 });
    const { all, error } = await collect(queueOf().runMany(inputs, { request }));
    expect(error).toBeUndefined();
    expect(all).toHaveLength(3);
    expect(server.submitted.toSorted()).toEqual([0, 1, 2]);
  });

  test("ends with the error of one that is rejected, even before its turn", async () => {
    server.finishAtOnce();
    const inputs = [0, 1].map(async (n) => {
      if (n === 1) throw new Error("no such file");
      return n;
    });
    const { all, error } = await collect(queueOf().runMany(inputs, { concurrency: 1 }));
    expect(all.map(({ index }) => index)).toEqual([0]);
    expect(error).toMatchObject({ message: "no such file" });
  });
});

test("inputs that can't be opened leave the journal free", async () => {
  server.finishAtOnce();
  const journal = folder.at("batch.jsonl");
  const stream = new ReadableStream<number>();
  stream.getReader();
  expect((await collect(queueOf().runMany(stream, { journal }))).error).toMatchObject({ name: "TypeError" });
  expect((await collect(queueOf().runMany([0], { journal }))).all).toHaveLength(1);
});

const nothing = { apiKey: undefined, serverlessUrl: undefined };
test.each<[Partial<QueueOptions>, string]>([
  [{ retryBudgetMs: Number.NaN }, "retryBudgetMs"],
  [{ readWindowMs: -1 }, "readWindowMs"],
  [{ maxAttempts: 0 }, "maxAttempts"],
  [{ timeouts: { callMs: -1 } }, "timeouts"],
  [{ queueLimits: { run: { per10s: 0, concurrent: 1 } } }, "queueLimits"],
  [{ queueLimits: { run: { per10s: Number.NaN, concurrent: 1 } } }, "queueLimits"],
  [{ ...nothing, cloud: "runpod" }, "no API key. Set COMPUTECLOUD_API_KEY"],
  [{ ...nothing, apiKey: "key" }, "no address. Set COMPUTECLOUD_CLOUD"],
  [{ ...nothing, apiKey: "key", cloud: "elsewhere" }, "is not a known cloud"],
  [{ serverlessUrl: "http://example.com" }, "not https"],
])("a queue of its own refuses an option that no call could work with: %j", (options, says) => {
  setEnvironment({ COMPUTECLOUD_API_KEY: "", COMPUTECLOUD_CLOUD: "", COMPUTECLOUD_SERVERLESS_URL: "" });
  const make = () => createQueue({ endpointId: "e", apiKey: "key", serverlessUrl: server.address, ...options });
  expect(make).toThrow(UsageError);
  expect(make).toThrow(says);
});

// finds mutant another-jobs-answer
test.each(["status", "cancel"] as const)("an answer to a %s about another job is not believed", async (call) => {
  server.steps[call] = json({ id: "b", status: "COMPLETED", output: "of b" });
  if (call === "cancel") server.steps.status = json({ id: "b", status: "CANCELLED" });
  await expect(queueOf()[call]("a")).rejects.toThrow("Job a: the answer is about job b");
});

test("a queue whose only word on it is a 429 to wait an hour is asked again after a minute", async () => {
  const queue = queueOf();
  const refusal = json({ error: "slow down" }, 429, { "retry-after": "3600" });
  server.steps.status = inTurn(refusal, json({ status: "COMPLETED" }));
  await expect(queue.status("a")).rejects.toMatchObject({ retryAfter: 3600 });
  expect(await queue.status("a")).toMatchObject({ status: "COMPLETED" });
});
