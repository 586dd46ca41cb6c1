import { expect, test } from "@jest/globals";
import { CrashLoopWatch, type WorkerCounts } from "../../provider/smoke/crashLoop";

const second = 1000;
const crashed: WorkerCounts = { unhealthy: 2 };

/** What each look finds, one every 2 s. */
const looks = (...seen: WorkerCounts[]) => {
  const watch = new CrashLoopWatch();
  return seen.map((workers, index) => watch.isLoop(workers, index * 2 * second));
};

test("workers are unhealthy for good when a restart must have failed too", () => {
  expect(looks(...Array<WorkerCounts>(8).fill(crashed))).toEqual([...Array(6).fill(false), true, true]);
});

test.each([
  ["one runs", { unhealthy: 1, running: 1 }],
  ["one is ready", { unhealthy: 1, idle: 1 }],
  ["one could take a job at once", { unhealthy: 1, ready: 1 }],
  ["one starts", { unhealthy: 1, initializing: 1 }],
  ["one waits for a host", { unhealthy: 1, throttled: 1 }],
  ["there are none", {}],
])("workers are unhealthy for good not while %s, and then the time begins anew", (_, between) => {
  const crashes = (times: number) => Array<WorkerCounts>(times).fill(crashed);
  const loops = looks(...crashes(5), between, ...crashes(6));
  expect(loops).not.toContain(true);
});
