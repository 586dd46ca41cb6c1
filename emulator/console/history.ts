import { sumOf } from "../billing/charges";
import type { Service } from "../service";
import type { Sample } from "./page/protocol";

/** How far back an endpoint's load is shown. Results of jobs are kept as long. */
const HISTORY_MS = 30 * 60_000;
const NOTHING = { workers: 0, hourly: 0, queued: 0, running: 0 };

/**
 * An endpoint's load of the last half hour, at each change. It comes from what the emulator keeps: its workers' usage, its jobs
 * and its open requests. Beyond `most` samples, every second one is left out.
 */
export function historyOf({ store, clock, traffic }: Service, endpointId: string, most: number): readonly Sample[] {
  const since = clock.now() - HISTORY_MS;
  const changes: { at: number; of: keyof typeof NOTHING; by: number }[] = [];
  const add = (of: keyof typeof NOTHING, by: number, from: number, to: number | null | undefined) => {
    changes.push({ at: Math.max(since, from), of, by });
    if (typeof to === "number") changes.push({ at: Math.max(since, to), of, by: -by });
  };
  for (const { from, to, rates } of store.usage.by("resource", endpointId)) {
    if (to !== null && to < since) continue;
    add("workers", 1, from, to);
    add("hourly", sumOf(rates), from, to);
  }
  for (const { arrivedAt, workerId } of traffic.to(endpointId))
    add(workerId === undefined ? "queued" : "running", 1, arrivedAt, null);
  for (const { queuedAt, startedAt, finishedAt } of store.jobs.by("endpoint", endpointId)) {
    add("queued", 1, queuedAt, startedAt ?? finishedAt);
    if (startedAt !== undefined) add("running", 1, startedAt, finishedAt);
  }
  let samples: Sample[] = [{ ...NOTHING, at: since }];
  for (const { at, of, by } of changes.sort((one, other) => one.at - other.at)) {
    const last = samples.at(-1) ?? { ...NOTHING, at };
    // Of several changes at the same time, the last one counts. Sums of rates are rounded, so that they end at zero.
    if (last.at === at) samples.pop();
    samples.push({ ...last, [of]: Math.round((last[of] + by) * 1e6) / 1e6, at });
  }
  while (samples.length > most)
    samples = samples.filter((_, index) => index === 0 || (samples.length - index) % 2 === 1);
  return samples;
}
