import { getEventListeners } from "node:events";
import { expect, test } from "@jest/globals";
import { InterruptedError, waitUntil } from "../../provider/lifecycle/make/wait";

const never = new AbortController().signal;
const untold = { progress: () => {}, late: () => "late" };

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
    late: () => "late",
  });
  expect(await waited).toBe(3);
  expect(seen).toEqual([1, 2]);
  // What listens for an interrupt goes with the wait.
  expect(getEventListeners(waiting.signal, "abort")).toEqual([]);
});

test("a wait whose time is over tells what was seen last, after one look at least", async () => {
  const late = async (state: string) => `still ${state}`;
  const poll = async () => "starting";
  const waited = waitUntil({ ...untold, poll, done: () => false, timeoutMs: 0, late, signal: never });
  await expect(waited).rejects.toThrow("still starting");
});

test("an interrupt ends a wait while it looks", async () => {
  const interrupt = new AbortController();
  const waited = waitUntil({
    ...untold,
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
    late: () => "late",
  });
  await expect(waited).rejects.toThrow(InterruptedError);
  expect(looks).toBe(1);
});

test("no wait begins once the engine was told to stop", async () => {
  const done = () => {
    throw new Error("was asked");
  };
  const waited = waitUntil({ ...untold, poll: async () => 1, done, timeoutMs: 60_000, signal: AbortSignal.abort() });
  await expect(waited).rejects.toThrow(InterruptedError);
});
