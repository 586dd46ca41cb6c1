import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { AuthenticationError, type Queue, StreamGapError } from "../../../provider/client";
import { json, Script } from "../client/script";
import { Place } from "./place";

let place: Place;
beforeAll(async () => {
  place = await Place.start();
});
afterEach(() => place.reset());
afterAll(() => place.close());

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

async function outputs(queue: Queue, id: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { output } of queue.stream(id)) all.push(output);
  return all;
}

/** A queue whose jobs yield this many chunks at once, and put them out as a list at the end. */
const aggregating = (chunks: number) =>
  place.queue("stream", { EMULATOR_CHUNKS: String(chunks), EMULATOR_AGGREGATE: "true" });

describe("a job's stream", () => {
  test("gives every chunk once, in order, and ends with the job", async () => {
    const queue = await place.queue("stream", { EMULATOR_CHUNKS: "20" });
    const { id } = await queue.run({ input: 1 });
    expect(await outputs(queue, id)).toEqual(numbers(20));
  });

  test("is empty for a handler that yields nothing", async () => {
    const queue = await place.queue("echo");
    const { id } = await queue.run({ input: 1 });
    expect(await outputs(queue, id)).toEqual([]);
  });

  test.each(["fail", "delay"])("ends for a job that ends otherwise (%s)", async (handler) => {
    const queue = await place.queue(handler, { EMULATOR_DELAY_MS: handler === "delay" ? "3600000" : "0" });
    const { id } = await queue.run({ input: 1 });
    if (handler === "delay") await queue.cancel(id);
    expect(await outputs(queue, id)).toEqual([]);
  });

  test("is typed by a schema, chunk by chunk", async () => {
    const queue = await place.queue("stream", { EMULATOR_OUTPUT: '{"token":"a"}', EMULATOR_CHUNKS: "2" });
    const { id } = await queue.run({ input: 1 });
    const tokens: string[] = [];
    for await (const { output } of queue.stream(id, { schema: z.object({ token: z.string() }) })) {
      tokens.push(output.token);
    }
    expect(tokens).toEqual(["a", "a"]);
  });

  test.each([
    { name: "a connection that broke before the work", act: { drop: "before" } },
    { name: "a connection that broke after the work", act: { drop: "after" } },
    { name: "an answer cut off in the middle", act: { truncate: true } },
    { name: "an error of the service", act: { status: 502 } },
    { name: "a quota that was used up", act: { status: 429 } },
  ] as const)("loses and repeats nothing over $name", async ({ act }) => {
    const queue = await aggregating(12);
    const { id } = await queue.run({ input: 1 });
    await place.fault({ operation: "stream" }, act);
    expect(await outputs(queue, id)).toEqual(numbers(12));
  });

  test("goes on in order when an answer in the middle is lost", async () => {
    const env = { EMULATOR_CHUNKS: "12", EMULATOR_AGGREGATE: "true", EMULATOR_DELAY_MS: "20" };
    const queue = await place.queue("stream", env);
    const { id } = await queue.run({ input: 1 });
    await place.fault({ operation: "stream", nth: 3 }, { drop: "after" });
    expect(await outputs(queue, id)).toEqual(numbers(12));
    expect(await place.count("stream")).toBeGreaterThan(3);
  });

  test("says so when chunks may be lost for good", async () => {
    const queue = await place.queue("stream", { EMULATOR_CHUNKS: "4" });
    const { id } = await queue.run({ input: 1 });
    await queue.wait(id);
    await place.fault({ operation: "stream" }, { drop: "after" });
    const error = await outputs(queue, id).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(StreamGapError);
    expect(error).toMatchObject({ id, received: 0 });
  });

  test("does not come back for a refused key", async () => {
    const queue = await aggregating(1);
    const { id } = await queue.run({ input: 1 });
    await place.fault({ operation: "stream" }, { status: 401 });
    await expect(outputs(queue, id)).rejects.toBeInstanceOf(AuthenticationError);
    expect(await place.count("stream")).toBe(1);
  });
});

describe("a stream that is a bare list", () => {
  test("ends when the job's status says so and nothing is left", async () => {
    const script = new Script();
    await script.listen();
    try {
      const status = (status: string) => json({ id: "job", status });
      script.play(
        json([{ output: "a" }, { output: "b" }]),
        json([]),
        status("IN_PROGRESS"),
        json([{ output: "c" }]),
        json([]),
        status("COMPLETED"),
        json([{ output: "d" }]),
        json([]),
      );
      expect(await outputs(script.client().queue("endpoint"), "job")).toEqual(["a", "b", "c", "d"]);
    } finally {
      await script.close();
    }
  });
});
