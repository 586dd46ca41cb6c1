import type { Clock } from "../options";

/** `Date` tells whole seconds, a while after they began: less than this apart, both clocks are taken to agree. */
const DATE_RESOLUTION_MS = 2_000;

/** The service's clock, as its answers tell it. */
export class ServiceClock {
  readonly #clock: Clock;
  /** How far it is ahead of ours. */
  #aheadMs = 0;
  #lastDate: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param date the header of an answer that has just begun */
  learn(date: string | undefined): void {
    if (date === this.#lastDate) return;
    this.#lastDate = date;
    const aheadMs = Date.parse(date ?? "") - this.#clock.now();
    if (Number.isNaN(aheadMs)) return;
    this.#aheadMs = Math.abs(aheadMs) < DATE_RESOLUTION_MS ? 0 : aheadMs;
  }

  /** A time of ours as the service has it. Milliseconds since 1970. */
  timeOf(ms: number): number {
    return ms + this.#aheadMs;
  }
}
