import type { Clock } from "../options";
import type { BatchProgress } from "./options";

/** How far a batch is, and when it will be over at this pace. */
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

  /** Another result is there. */
  next(failed: boolean, running: number): BatchProgress {
    const now = this.#clock.now();
    // Until the first result, workers start: that is not the pace of what follows.
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
