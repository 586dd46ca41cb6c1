import { afterEach, expect, it } from "@jest/globals";
import fc from "fast-check";
import { Clock } from "../../../emulator/clock";

const START = Date.parse("2026-01-01T00:00:00Z");
let clock: Clock;
afterEach(() => clock.stop());

it("the emulator's clock runs the timers of a stretch in the order of their time, and shows each its own", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(10_000), { maxLength: 50 }), async (delays) => {
      clock = new Clock(START);
      const base = clock.now();
      const ran: number[] = [];
      for (const delay of delays)
        clock.at(base + delay, () => {
          expect(clock.now()).toBeGreaterThanOrEqual(base + delay);
          ran.push(delay);
        });
      await clock.advance(10_001);
      expect(ran).toEqual(delays.toSorted((a, b) => a - b));
    }),
    { numRuns: 30 },
  );
});

it("the emulator's clock runs timers that timers set inside the stretch", async () => {
  clock = new Clock(START);
  const seen: number[] = [];
  const base = clock.now();
  const tick = () => {
    seen.push(Math.round((clock.now() - base) / 1000));
    clock.after(1000, tick);
  };
  clock.after(1000, tick);
  await clock.advance(3500);
  expect(seen).toEqual([1, 2, 3]);
});

it("the emulator's clock never goes back, and two advances follow each other", async () => {
  clock = new Clock(START);
  const before = clock.now();
  await Promise.all([clock.advance(5000), clock.advance(7000)]);
  expect(clock.now()).toBeGreaterThanOrEqual(before + 12_000);
});
