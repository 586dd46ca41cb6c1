import { expect, test } from "@jest/globals";
import type { Clock } from "../../client/options";
import { Limiter } from "../../client/queue/limiter";
import { documentedLimits, limitsOf } from "../../client/queue/limits";

/** A clock that stands still until nothing goes on without it, and then goes to the next waking of those who sleep. */
function clock() {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  async function goOn(): Promise<void> {
    while (sleepers.length > 0) {
      await new Promise(setImmediate);
      sleepers.sort((a, b) => a.at - b.at);
      const next = sleepers.shift();
      now = Math.max(now, next?.at ?? 0);
      next?.wake();
    }
  }
  return {
    now: () => now,
    sleep(ms: number) {
      return new Promise<void>((wake) => {
        sleepers.push({ at: now + ms, wake });
        if (sleepers.length === 1) void goOn();
      });
    },
  };
}

async function run<T>(limiter: Limiter, call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const permit = await limiter.enter(signal);
  try {
    return await call();
  } finally {
    permit.done();
  }
}

test("a limiter lets no more begin within ten seconds than may", async () => {
  const time = clock();
  const limiter = new Limiter(time, { per10s: 10, concurrent: 100 });
  const begun: number[] = [];
  await Promise.all(Array.from({ length: 35 }, () => run(limiter, async () => begun.push(time.now()), undefined)));
  expect(begun).toHaveLength(35);
  for (const start of begun) {
    expect(begun.filter((at) => at >= start && at < start + 10_000).length).toBeLessThanOrEqual(10);
  }
  expect(Math.max(...begun)).toBe(3 * 10_050);
});

test("a limiter lets an urgent call begin although the window has no room, once there is a place", async () => {
  const limiter = new Limiter(clock(), { per10s: 1, concurrent: 2 });
  const urgent = new AbortController();
  const begun: string[] = [];
  const enter = async (name: string, hurry?: AbortSignal) => {
    const permit = await limiter.enter(new AbortController().signal, hurry);
    begun.push(name);
    return permit;
  };
  const first = await enter("first");
  const waiting = [enter("patient"), enter("urgent", urgent.signal), enter("urgent too", urgent.signal)];
  urgent.abort();
  const second = await waiting[1];
  expect(begun).toEqual(["first", "urgent"]);
  first.done();
  const third = await waiting[2];
  expect(begun).toEqual(["first", "urgent", "urgent too"]);
  second?.done();
  third?.done();
  await waiting[0];
});

test("a limiter counts a call that is slow to arrive until it is answered", async () => {
  const time = clock();
  const limiter = new Limiter(time, { per10s: 1, concurrent: 10 });
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const slow = run(limiter, () => promise, undefined);
  const second = run(limiter, async () => time.now(), undefined);
  await new Promise(setImmediate);
  await time.sleep(60_000);
  answer();
  await slow;
  expect(await second).toBe(60_000 + 10_050);
});

test("a limiter has no more calls under way than may, in the order they came", async () => {
  const limiter = new Limiter(clock(), { per10s: 1000, concurrent: 3 });
  let open = 0;
  let most = 0;
  const order: number[] = [];
  const call = async (index: number) => {
    order.push(index);
    open += 1;
    most = Math.max(most, open);
    await new Promise(setImmediate);
    open -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => run(limiter, () => call(index), undefined)));
  expect(most).toBe(3);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test("a limiter gives up the place of a call that is aborted while it waits", async () => {
  const limiter = new Limiter(clock(), { per10s: 1000, concurrent: 1 });
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const first = run(limiter, () => promise, undefined);
  const abort = new AbortController();
  const aborted = run(limiter, async () => {}, abort.signal);
  const third = run(limiter, async () => "ran", undefined);
  abort.abort(new Error("left"));
  await expect(aborted).rejects.toThrow("left");
  await new Promise(setImmediate);
  answer();
  await first;
  expect(await third).toBe("ran");
});

test("a limiter hears the abort of each call that waits, at once, and stops its own clock with the last", async () => {
  let sleeping: AbortSignal | undefined;
  const limiter = new Limiter(
    {
      now: () => 0,
      sleep: (_, signal) =>
        new Promise((_, reject) => {
          sleeping = signal;
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    },
    { per10s: 1, concurrent: 1 },
  );
  await run(limiter, async () => {}, undefined);
  const [one, other] = [new AbortController(), new AbortController()];
  const waiting = [one, other].map(({ signal }) => run(limiter, async () => {}, signal));
  other.abort(new Error("other left"));
  await expect(waiting[1]).rejects.toThrow("other left");
  expect(sleeping?.aborted).toBe(false);
  one.abort(new Error("one left"));
  await expect(waiting[0]).rejects.toThrow("one left");
  expect(sleeping?.aborted).toBe(true);
});

/** Sends a call until the service takes it. */
async function taken(limiter: Limiter, time: Clock, takes: () => boolean): Promise<void> {
  for (let isTaken = false; !isTaken; ) {
    const permit = await limiter.enter();
    await time.sleep(50);
    isTaken = takes();
    permit.answered(isTaken ? 200 : 429, {});
    permit.done();
  }
}

/** A service's fixed window. */
function service(time: Clock, per10s: number) {
  const counts = { taken: 0, refused: 0 };
  const windows = new Map<number, number>();
  const takes = () => {
    const window = Math.floor(time.now() / 10_000);
    const calls = windows.get(window) ?? 0;
    if (calls < per10s) windows.set(window, calls + 1);
    counts[calls < per10s ? "taken" : "refused"] += 1;
    return calls < per10s;
  };
  return { counts, takes };
}

test("a limiter finds its share of a limit that others use, without knowing of them", async () => {
  const time = clock();
  const { counts, takes } = service(time, 400);
  const crowd = Array.from({ length: 8 }, () => new Limiter(time, { per10s: 400, concurrent: 80 }));
  await Promise.all(crowd.flatMap((limiter) => Array.from({ length: 200 }, () => taken(limiter, time, takes))));
  expect(counts.taken).toBe(8 * 200);
  expect(counts.refused).toBeLessThan(0.1 * counts.taken);
});

test("a limiter goes on at a twentieth of the limit after a refusal that says nothing of others, and speeds up", async () => {
  const time = clock();
  const limiter = new Limiter(time, { per10s: 400, concurrent: 80 });
  let calls = 0;
  const takenAt: number[] = [];
  const takes = () => {
    calls += 1;
    if (calls > 1) takenAt.push(time.now());
    return calls > 1;
  };
  await Promise.all(Array.from({ length: 100 }, () => taken(limiter, time, takes)));
  const within = (from: number) => takenAt.filter((at) => at >= from && at < from + 10_000).length;
  const [first = 0] = takenAt;
  expect(within(first)).toBeLessThan(40);
  expect(takenAt.at(-1)).toBeLessThan(35_000);
});

test("the limits of a process are its share of the documented and of the given ones", () => {
  const limits = limitsOf({ share: 1 / 20, status: { per10s: 4_000, concurrent: 800 } });
  expect(limits).toMatchObject({ run: { per10s: 50, concurrent: 10 }, status: { per10s: 200, concurrent: 40 } });
  expect(limitsOf()).toEqual(documentedLimits);
});

test.each([0, -1, 1.5, Number.NaN])("the limits of a process refuse a share of %d", (share) => {
  expect(() => limitsOf({ share })).toThrow("queueLimits.share is");
});

test("the limits of a process of less than a call let one through at a time", async () => {
  const limiter = new Limiter(clock(), { per10s: 0.1, concurrent: 0.1 });
  (await limiter.enter()).done();
  (await limiter.enter()).done();
});
