import { afterEach, describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { AuthenticationError, JobFailedError, type Queue, StreamGapError, UsageError } from "../../client";
import { countTo } from "../harness/jobServer";
import { placeForAll } from "../harness/place";
import { json, reset, Script, type Step, serverForEach } from "../harness/script";
import { errorOf, until } from "../harness/until";

/** What a job of the handler `told` yields, and what it waits for after each. */
let yields: unknown[];
let afterChunk: (yielded: number) => Promise<void> | undefined;
const place = placeForAll({
  handlers: {
    "emulator/told:1": async function* () {
      for (const [index, chunk] of yields.entries()) {
        yield chunk;
        await afterChunk(index + 1);
      }
      return yields;
    },
  },
});
const script = serverForEach(new Script());
afterEach(() => place.reset());

const outputs = (queue: Queue, id: string): Promise<unknown[]> =>
  Array.fromAsync(queue.stream(id), ({ output }) => output);

/** A queue with a job. */
async function jobOf(handler: string, env: Record<string, string> = {}) {
  const queue = await place.queue(handler, env);
  return { queue, ...(await queue.run({ input: 1 })) };
}

/** The job yields this many chunks at once, and puts them out as a list at the end. */
const aggregating = (chunks: number, more: Record<string, string> = {}) =>
  jobOf("stream", { EMULATOR_CHUNKS: String(chunks), EMULATOR_AGGREGATE: "true", ...more });

describe("a job's stream", () => {
  test("gives every chunk once, in order, and ends with the job", async () => {
    const { queue, id } = await jobOf("stream", { EMULATOR_CHUNKS: "20" });
    expect(await outputs(queue, id)).toEqual(countTo(20));
  });

  test("ends with an answer that has the job's end and nothing else", async () => {
    script.play(json({ status: "IN_PROGRESS", stream: [{ output: 1 }] }), json({ status: "COMPLETED" }));
    expect(await outputs(script.client().queue("e"), "a")).toEqual([1]);
  });

  test("is empty for a handler that yields nothing", async () => {
    const { queue, id } = await jobOf("echo");
    expect(await outputs(queue, id)).toEqual([]);
  });

  test.each([
    { handler: "fail", ends: "FAILED" },
    { handler: "delay", ends: "CANCELLED" },
    { handler: "delay", ends: "TIMED_OUT" },
  ])("of a job that ends as $ends is an error, after its last chunk", async ({ handler, ends }) => {
    const queue = await place.queue(handler, { EMULATOR_DELAY_MS: handler === "delay" ? "3600000" : "0" });
    const { id } = await queue.run({ input: 1, ...(ends === "TIMED_OUT" && { policy: { executionTimeout: 5000 } }) });
    if (ends === "CANCELLED") await queue.cancel(id);
    if (ends === "TIMED_OUT") await place.service.advance(5000);
    const error = await errorOf(outputs(queue, id), JobFailedError);
    expect(error).toMatchObject({
      job: { id, status: expect.stringMatching(ends === "TIMED_OUT" ? /TIMED_OUT|FAILED/ : ends) },
    });
  });

  test("is typed by a schema, chunk by chunk", async () => {
    const { queue, id } = await jobOf("stream", { EMULATOR_OUTPUT: '{"token":"a"}', EMULATOR_CHUNKS: "2" });
    const stream = queue.stream(id, { schema: z.object({ token: z.string() }) });
    expect(await Array.fromAsync(stream, ({ output }) => output.token)).toEqual(["a", "a"]);
  });

  test.each([
    { name: "a connection that broke before the work", act: { drop: "before" } },
    { name: "a connection that broke after the work", act: { drop: "after" } },
    { name: "an answer cut off in the middle", act: { truncate: true } },
    { name: "an error of the service", act: { status: 502 } },
    { name: "a quota that was used up", act: { status: 429 } },
  ] as const)("loses and repeats nothing over $name", async ({ act }) => {
    const { queue, id } = await aggregating(12);
    await place.fault({ operation: "stream" }, act);
    expect(await outputs(queue, id)).toEqual(countTo(12));
  });

  test("goes on in order when an answer in the middle is lost", async () => {
    const { queue, id } = await aggregating(12, { EMULATOR_DELAY_MS: "20" });
    await place.fault({ operation: "stream", nth: 3 }, { drop: "after" });
    expect(await outputs(queue, id)).toEqual(countTo(12));
    expect(await place.count("stream")).toBeGreaterThan(3);
  });

  test("stays live after an answer that is an error", async () => {
    const { promise: hasMore, resolve: more } = Promise.withResolvers<void>();
    yields = ["first", "second", "third"];
    afterChunk = (yielded) => (yielded === 2 ? hasMore : undefined);
    const { queue, id } = await jobOf("told");
    await place.fault({ operation: "stream" }, { status: 502 });
    const stream = queue.stream(id);
    expect((await stream.next()).value).toEqual({ output: "first" });
    expect((await stream.next()).value).toEqual({ output: "second" });
    more();
    expect((await stream.next()).value).toEqual({ output: "third" });
    expect((await stream.next()).done).toBe(true);
  });

  test.each([1, 2])("loses nothing of chunks above 1 MB, whose answer number %i is lost", async (nth) => {
    yields = ["a".repeat(3_000_000), { text: "b".repeat(1_500_000) }, "c"];
    let yielded = 0;
    let next = () => {};
    afterChunk = (count) => {
      yielded = count;
      return new Promise((resolve) => {
        next = resolve;
      });
    };
    const { queue, id } = await jobOf("told");
    await place.fault({ operation: "stream", nth }, { drop: "after" });
    const textOf = (chunk: unknown) => (typeof chunk === "string" ? chunk : JSON.stringify(chunk));
    const reading = outputs(queue, id);
    for (const count of [1, 2, 3]) {
      await until(async () => yielded === count && (await place.count("stream")) >= count);
      next();
    }
    expect((await reading).map(textOf).join("") === yields.map(textOf).join("")).toBe(true);
  });

  test("gives what it held back when the job's output can't be read in the end", async () => {
    const { queue, id } = await aggregating(3);
    await queue.wait(id);
    await place.fault({ operation: "stream" }, { drop: "before" });
    await place.fault({ operation: "status", times: 99 }, { status: 400 });
    const all: unknown[] = [];
    const read = Array.fromAsync(queue.stream(id), ({ output }) => all.push(output));
    const error = await errorOf(read, StreamGapError);
    expect(all).toEqual(countTo(3));
    expect(error).toMatchObject({ received: 3, message: expect.stringContaining("could not be read") });
  });

  test("fills a gap with integers as exact as the chunks", async () => {
    const text =
      (body: string): Step =>
      (_, response) =>
        void response.end(body);
    const exact = "9007199254740995";
    const output = text(`{"status":"COMPLETED","output":[${exact}]}`);
    script.play(reset, text('{"status":"COMPLETED","stream":[]}'), output);
    const stream = script.client().queue("e").stream("a", { exactIntegers: true });
    expect(await Array.fromAsync(stream)).toEqual([{ output: exact }]);
  });

  test("looks twice before a job that was submitted is missing", async () => {
    const { queue, id } = await aggregating(3);
    const stream = queue.stream(id);
    const first = await stream.next();
    await place.fault({ operation: "stream" }, { status: 404 });
    expect([first.value, ...(await Array.fromAsync(stream))].map((chunk) => chunk?.output)).toEqual(countTo(3));
  });

  test("says so when chunks may be lost for good", async () => {
    const { queue, id } = await jobOf("stream", { EMULATOR_CHUNKS: "4" });
    await queue.wait(id);
    await place.fault({ operation: "stream" }, { drop: "after" });
    const error = await errorOf(outputs(queue, id), StreamGapError);
    expect(error).toMatchObject({ id, received: 0 });
  });

  test("does not come back for a refused key", async () => {
    const { queue, id } = await aggregating(1);
    await place.fault({ operation: "stream" }, { status: 401 });
    await expect(outputs(queue, id)).rejects.toBeInstanceOf(AuthenticationError);
    expect(await place.count("stream")).toBe(1);
  });

  const enough = new RangeError("enough");
  test.each(["call", "client"])("ends a pause at once with the signal of its %s", async (whose) => {
    const abort = new AbortController();
    script.play(json({}, 502));
    let pauses = 0;
    const sleep = async (_: number, signal?: AbortSignal) => {
      pauses += 1;
      abort.abort(enough);
      signal?.throwIfAborted();
    };
    const of = (each: string) => (whose === each ? { signal: abort.signal } : {});
    const queue = script.client({ clock: { now: Date.now, sleep }, ...of("client") }).queue("e");
    expect(await errorOf(queue.stream("a", of("call")).next())).toBe(enough);
    expect([script.received.length, pauses]).toEqual([1, 1]);
  });

  test("ends at once with its client, and with what its hook throws", async () => {
    const client = script.client();
    const ended = errorOf(client.queue("e").stream("a").next(), UsageError);
    await until(() => script.received.length === 1);
    await client.close();
    await ended;
    script.play(json({ status: "COMPLETED" }));
    const onResponse = () => {
      throw enough;
    };
    expect(await errorOf(script.client({ onResponse }).queue("e").stream("a").next())).toBe(enough);
    expect(script.received).toHaveLength(2);
  });

  test("may have chunks whose metrics are null, and a status that is new", async () => {
    script.play(
      json({ status: "WARMING_UP", stream: [{ output: "a", metrics: null }] }),
      json({ status: "COMPLETED", stream: [{ output: "b", metrics: { tokens: 1 } }] }),
      json({ status: "COMPLETED", stream: [] }),
    );
    const chunks = await Array.fromAsync(script.client().queue("endpoint").stream("job"));
    expect(chunks).toEqual([{ output: "a" }, { output: "b", metrics: { tokens: 1 } }]);
    expect(script.received).toHaveLength(3);
  });

  test("that is a bare list ends when the job's status says so and nothing is left", async () => {
    const status = (status: string) => json({ id: "job", status });
    const chunks = (...outputs: string[]) => json(outputs.map((output) => ({ output })));
    script.play(
      ...[chunks("a", "b"), chunks(), status("IN_PROGRESS")],
      ...[chunks("c"), chunks(), status("COMPLETED")],
      ...[chunks("d"), chunks()],
    );
    expect(await outputs(script.client().queue("endpoint"), "job")).toEqual(["a", "b", "c", "d"]);
  });
});
