import type { Clock } from "../options";
import type { BatchProgress } from "./options";

/** The progress of a batch, and its estimated remaining time. */
export class Pace {
  readonly #clock: Clock;
  readonly #total: number | undefined;
  readonly #before: number;
  readonly #beganAt: number;
  #firstAt: number | undefined;
  #results = 0;
  #failed = 0;

  /** @param before results of earlier runs, which say nothing about the pace of this one */
  constructor(clock: Clock, total: number | undefined, before: number) {
    this.#clock = clock;
    this.#total = total;
    this.#before = before;
    this.#beganAt = clock.now();
  }

  /** Counts another result. */
  next(failed: boolean, running: number): BatchProgress {
    const now = this.#clock.now();
    // The first result includes the start of workers, so it is left out of the estimate.
    this.#firstAt ??= now;
    this.#results += 1;
    if (failed) this.#failed += 1;
    const done = this.#before + this.#results;
    const awaited = this.#total === undefined ? Number.NaN : Math.max(0, this.#total - done);
    const remainingMs = (awaited * (now - this.#firstAt)) / (this.#results - 1);
    return {
      done,
      failed: this.#failed,
      running,
      total: this.#total,
      elapsedMs: now - this.#beganAt,
      remainingMs: Number.isFinite(remainingMs) ? Math.round(remainingMs) : undefined,
    };
  }
}
