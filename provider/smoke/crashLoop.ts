import type { QueueHealth } from "../../client";

/** Longer than the first pause after a crash, so at least one restart has failed too. */
const RESTART_MS = 12_000;

/** The workers crash in a loop, so a wait for them is pointless. */
export class CrashLoopError extends Error {
  override readonly name = "CrashLoopError";
  constructor() {
    super("the workers crash again and again");
  }
}

/** Workers by state, as the service counts them. Only a queue's health counts those that are ready. */
export type WorkerCounts = { readonly [State in keyof QueueHealth["workers"]]?: number | undefined };

/** Whether all workers have crashed: there are some, and none runs, is ready, starts or waits for a host. */
export function haveAllCrashed(workers: WorkerCounts): boolean {
  const { running = 0, idle = 0, ready = 0, initializing = 0, throttled = 0, unhealthy = 0 } = workers;
  return unhealthy > 0 && running + idle + ready + initializing + throttled === 0;
}

/**
 * Tells a crash loop from a single crash. The service restarts a crashed worker with growing pauses for up to seven days.
 * So workers count as looping when every read within a period found that all have crashed. A worker that starts between
 * two reads is missed.
 */
export class CrashLoopWatch {
  #since: number | undefined;

  /** @param now milliseconds of a monotonic clock */
  isLoop(workers: WorkerCounts, now: number): boolean {
    this.#since = haveAllCrashed(workers) ? (this.#since ?? now) : undefined;
    return this.#since !== undefined && now - this.#since >= RESTART_MS;
  }
}
