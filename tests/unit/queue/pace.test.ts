import { describe, expect, test } from "@jest/globals";
import { Pace } from "../../../provider/client/queue/pace";

/** A clock that stands still unless somebody sleeps. */
function clock() {
  let now = 0;
  return {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
}

describe("the pace of calls", () => {
  test("lets no more begin within ten seconds than may", async () => {
    const time = clock();
    const pace = new Pace(time, { per10s: 10, concurrent: 100 });
    const begun: number[] = [];
    await Promise.all(Array.from({ length: 35 }, () => pace.run(async () => begun.push(time.now()), undefined)));
    expect(begun).toHaveLength(35);
    for (const start of begun) {
      expect(begun.filter((at) => at >= start && at < start + 10_000).length).toBeLessThanOrEqual(10);
    }
    expect(Math.max(...begun)).toBe(3 * 10_050);
  });

  test("counts a call that is slow to arrive until it is answered", async () => {
    const time = clock();
    const pace = new Pace(time, { per10s: 1, concurrent: 10 });
    let answer = () => {};
    const slow = pace.run(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
      undefined,
    );
    let next = -1;
    const second = pace.run(async () => {
      next = time.now();
    }, undefined);
    await new Promise(setImmediate);
    await time.sleep(60_000);
    answer();
    await Promise.all([slow, second]);
    expect(next).toBe(60_000 + 10_050);
  });

  test("has no more calls under way than may, in the order they came", async () => {
    const pace = new Pace(clock(), { per10s: 1000, concurrent: 3 });
    let open = 0;
    let most = 0;
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        pace.run(async () => {
          order.push(index);
          open += 1;
          most = Math.max(most, open);
          await new Promise(setImmediate);
          open -= 1;
        }, undefined),
      ),
    );
    expect(most).toBe(3);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test("gives up the place of a call that is aborted while it waits", async () => {
    const pace = new Pace(clock(), { per10s: 1000, concurrent: 1 });
    let answer = () => {};
    const first = pace.run(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
      undefined,
    );
    const abort = new AbortController();
    const aborted = pace.run(async () => {}, abort.signal);
    const third = pace.run(async () => "ran", undefined);
    abort.abort(new Error("left"));
    await expect(aborted).rejects.toThrow("left");
    await new Promise(setImmediate);
    answer();
    await first;
    expect(await third).toBe("ran");
  });
});
