import { describe, expect, test } from "@jest/globals";
import { Limiter } from "../../client/queue/limiter";

/** A clock that stands still unless somebody sleeps. */
function clock() {
  let now = 0;
  return {
    now: () => now,
    async sleep(ms: number) {
      // What can go on without waiting comes first.
      await new Promise(setImmediate);
      now += ms;
    },
  };
}

async function run<T>(limiter: Limiter, call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!limiter.tryEnter()) await limiter.enter(signal);
  try {
    return await call();
  } finally {
    limiter.leave();
  }
}

describe("a limiter", () => {
  test("lets no more begin within ten seconds than may", async () => {
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

  test("lets an urgent call begin although the window has no room, once there is a place", async () => {
    const limiter = new Limiter(clock(), { per10s: 1, concurrent: 2 });
    const urgent = new AbortController();
    const begun: string[] = [];
    const enter = async (name: string, hurry?: AbortSignal) => {
      await limiter.enter(new AbortController().signal, hurry);
      begun.push(name);
    };
    await enter("first");
    const waiting = [enter("patient"), enter("urgent", urgent.signal), enter("urgent too", urgent.signal)];
    urgent.abort();
    await waiting[1];
    expect(begun).toEqual(["first", "urgent"]);
    limiter.leave();
    await waiting[2];
    expect(begun).toEqual(["first", "urgent", "urgent too"]);
    limiter.leave();
    limiter.leave();
    await waiting[0];
  });

  test("counts a call that is slow to arrive until it is answered", async () => {
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

  test("has no more calls under way than may, in the order they came", async () => {
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

  test("gives up the place of a call that is aborted while it waits", async () => {
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

  test("hears the abort of each call that waits, at once, and stops its own clock with the last", async () => {
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
});
