import { getEventListeners } from "node:events";
import { expect, test } from "@jest/globals";
import { InterruptedError, WaitTimeoutError, waitUntil } from "../../provider/lifecycle/wait";

const never = new AbortController().signal;

test("a wait ends with the state that it waits for", async () => {
  const states = [1, 2, 3];
  const seen: number[] = [];
  const waiting = new AbortController();
  const waited = waitUntil({
    poll: async () => states.shift() ?? 0,
    done: (state) => state === 3,
    progress: (state, elapsedMs) => {
      seen.push(state);
      expect(elapsedMs).toBeLessThan(performance.now());
    },
    timeoutMs: 60_000,
    signal: waiting.signal,
    firstPauseMs: 1,
  });
  expect(await waited).toBe(3);
  expect(seen).toEqual([1, 2]);
  // What listens for an interrupt goes with the wait.
  expect(getEventListeners(waiting.signal, "abort")).toEqual([]);
});

test("a wait needs nobody who is told of its progress", async () => {
  const states = [1, 2];
  const poll = async () => states.shift();
  await waitUntil({ poll, done: (state) => state === 2, timeoutMs: 60_000, signal: never, firstPauseMs: 1 });
  expect(states).toEqual([]);
});

test("a wait whose time is over tells what was seen last, after one look at least", async () => {
  const waited = waitUntil({ poll: async () => "starting", done: () => false, timeoutMs: 0, signal: never });
  await expect(waited).rejects.toMatchObject({ name: "WaitTimeoutError", state: "starting", timeoutMs: 0 });
  await expect(waited).rejects.toThrow(WaitTimeoutError);
});

test("an interrupt ends a wait while it looks", async () => {
  const interrupt = new AbortController();
  const waited = waitUntil({
    poll: () => new Promise<never>(() => {}),
    done: () => true,
    timeoutMs: 60_000,
    signal: interrupt.signal,
  });
  interrupt.abort();
  await expect(waited).rejects.toThrow(InterruptedError);
});

test("an interrupt ends a wait between two looks, and no other follows", async () => {
  const interrupt = new AbortController();
  let looks = 0;
  const waited = waitUntil({
    poll: async () => {
      looks += 1;
    },
    done: () => false,
    progress: () => interrupt.abort(),
    timeoutMs: 60_000,
    signal: interrupt.signal,
    firstPauseMs: 30_000,
  });
  await expect(waited).rejects.toThrow(InterruptedError);
  expect(looks).toBe(1);
});

test("no wait begins once the engine was told to stop", async () => {
  const done = () => {
    throw new Error("was asked");
  };
  const waited = waitUntil({ poll: async () => 1, done, timeoutMs: 60_000, signal: AbortSignal.abort() });
  await expect(waited).rejects.toThrow(InterruptedError);
});
