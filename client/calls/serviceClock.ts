import type { Clock } from "../options";

/** `Date` has whole seconds and arrives late, so a smaller difference counts as none. */
const DATE_RESOLUTION_MS = 2_000;

/** Estimates the service's clock from the `Date` of its answers. */
export class ServiceClock {
  readonly #clock: Clock;
  /** How far the service's clock is ahead of ours. */
  #aheadMs = 0;
  #lastDate: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param date the `Date` header of an answer that has just begun */
  learn(date: string | undefined): void {
    if (date === this.#lastDate) return;
    this.#lastDate = date;
    const aheadMs = Date.parse(date ?? "") - this.#clock.now();
    if (Number.isNaN(aheadMs)) return;
    this.#aheadMs = Math.abs(aheadMs) < DATE_RESOLUTION_MS ? 0 : aheadMs;
  }

  /** Converts a time of our clock to the service's clock. Milliseconds since 1970. */
  timeOf(ms: number): number {
    return ms + this.#aheadMs;
  }
}
