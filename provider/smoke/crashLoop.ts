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
  readonly initializing?: number | undefined;
  readonly throttled?: number | undefined;
  readonly unhealthy?: number | undefined;
}

/**
 * Tells a crash loop from a crash. The service restarts a crashed worker with growing pauses for up to seven days: the
 * workers are unhealthy for good when for long enough every look found them unhealthy, and none that runs, is ready,
 * starts or waits for a host.
 */
export class CrashLoopWatch {
  #since: number | undefined;

  /** @param now milliseconds of a clock that doesn't jump */
  isLoop(workers: WorkerCounts, now: number): boolean {
    const { running = 0, idle = 0, initializing = 0, throttled = 0, unhealthy = 0 } = workers;
    const stuck = unhealthy > 0 && running + idle + initializing + throttled === 0;
    this.#since = stuck ? (this.#since ?? now) : undefined;
    return this.#since !== undefined && now - this.#since >= RESTART_MS;
  }
}
