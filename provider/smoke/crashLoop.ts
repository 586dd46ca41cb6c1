/** Longer than the first back-off after a crash: one restart at least has failed too. */
const RESTART_MS = 12_000;

/** Ends a wait for workers that never start. */
export class CrashLoopError extends Error {
  override readonly name = "CrashLoopError";
  constructor() {
    super("the workers crash again and again");
  }
}

/** Workers by state, as the service counts them. */
export interface WorkerCounts {
  readonly running?: number | undefined;
  readonly idle?: number | undefined;
  /** Only a queue's health counts them. */
  readonly ready?: number | undefined;
  readonly initializing?: number | undefined;
  readonly throttled?: number | undefined;
  readonly unhealthy?: number | undefined;
}

/** Whether there are workers, and none that runs, is ready, starts or waits for a host: all of them have crashed. */
export function haveAllCrashed(workers: WorkerCounts): boolean {
  const { running = 0, idle = 0, ready = 0, initializing = 0, throttled = 0, unhealthy = 0 } = workers;
  return unhealthy > 0 && running + idle + ready + initializing + throttled === 0;
}

/**
 * Tells a crash loop from a crash. The service restarts a crashed worker with growing pauses for up to seven days: the
 * workers are unhealthy for good when for long enough every look found that all have crashed.
 */
export class CrashLoopWatch {
  #since: number | undefined;

  /** @param now milliseconds of a clock that doesn't jump */
  isLoop(workers: WorkerCounts, now: number): boolean {
    this.#since = haveAllCrashed(workers) ? (this.#since ?? now) : undefined;
    return this.#since !== undefined && now - this.#since >= RESTART_MS;
  }
}
