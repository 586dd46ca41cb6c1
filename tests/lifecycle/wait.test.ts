import { getEventListeners } from "node:events";
import { expect, test } from "@jest/globals";
import { createClient } from "../../client";
import { InterruptedError, waitUntil } from "../../provider/lifecycle/make/wait";
import { NOWHERE } from "../harness/context";
import { impatient } from "../harness/place";

const MINUTE = { progress: () => {}, late: () => "late", timeoutMs: 60_000 };
const waiting = (signal = new AbortController().signal) => {
  const clock = impatient();
  return { client: createClient({ ...NOWHERE, clock }), signal, clock };
};

test("a wait pauses on the client's clock, and ends with the state that it waits for", async () => {
  const states = [1, 2, 3];
  const seen: [number, number, boolean][] = [];
  const context = waiting();
  const waited = waitUntil(context, {
    ...MINUTE,
    poll: async () => states.shift() ?? 0,
    done: (state) => state === 3,
    progress: (state, elapsedMs, isLast) => seen.push([state, elapsedMs, isLast]),
  });
  expect(await waited).toBe(3);
  expect(context.clock.waits).toHaveLength(2);
  expect(seen.map(([state, , isLast]) => [state, isLast])).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ]);
  expect(seen[1]?.[1]).toBeGreaterThanOrEqual(250);
  // What listens for an interrupt goes with the wait.
  expect(getEventListeners(context.signal, "abort")).toEqual([]);
});

test("a wait looks once more after its whole time, and its error describes the last state", async () => {
  const states = ["starting", "started"];
  const context = waiting();
  const waited = waitUntil(context, {
    ...MINUTE,
    poll: async () => states.shift(),
    done: () => false,
    timeoutMs: 100,
    late: async (state) => `still ${state}`,
  });
  await expect(waited).rejects.toThrow("still started");
  expect(context.clock.waits[0]).toBeLessThanOrEqual(100);
});

test("an interrupt ends a wait while it looks", async () => {
  const interrupt = new AbortController();
  const poll = () => new Promise<never>(() => {});
  const waited = waitUntil(waiting(interrupt.signal), { ...MINUTE, poll, done: () => true });
  interrupt.abort();
  await expect(waited).rejects.toThrow(InterruptedError);
});

test("an interrupt ends a wait between two looks, and no other follows", async () => {
  const interrupt = new AbortController();
  let looks = 0;
  const waited = waitUntil(waiting(interrupt.signal), {
    ...MINUTE,
    poll: async () => {
      looks += 1;
    },
    done: () => false,
    progress: () => interrupt.abort(),
  });
  await expect(waited).rejects.toThrow(InterruptedError);
  expect(looks).toBe(1);
});

test("no wait begins once the engine was told to stop", async () => {
  const done = () => {
    throw new Error("was asked");
  };
  const waited = waitUntil(waiting(AbortSignal.abort()), { ...MINUTE, poll: async () => 1, done });
  await expect(waited).rejects.toThrow(InterruptedError);
});
