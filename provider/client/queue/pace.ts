import { abortable } from "../clock";
import type { Clock } from "../options";
import type { Limit } from "./limits";

/** A little longer than the service's: clocks are read in whole milliseconds, and timers fire early. */
const windowMs = 10_050;

/**
 * Lets calls of one operation begin, in the order they came, as fast as its limit allows. The service counts a call when
 * it arrives, some time before its answer is here: until then, and for one window more, it counts here too.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #limit: Limit;
  /** When the calls that were answered within the last window were answered, oldest first. */
  readonly #answered: number[] = [];
  #open = 0;
  #turn: Promise<void> = Promise.resolve();
  #freed: () => void = () => {};

  constructor(clock: Clock, limit: Limit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  async run<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const turn = this.#turn.then(() => this.#enter(signal));
    this.#turn = turn.catch(() => {});
    await turn;
    try {
      return await call();
    } finally {
      this.#open -= 1;
      this.#answered.push(this.#clock.now());
      this.#freed();
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    const { concurrent, per10s } = this.#limit;
    for (;;) {
      signal?.throwIfAborted();
      const now = this.#clock.now();
      while ((this.#answered[0] ?? now) <= now - windowMs) this.#answered.shift();
      const [oldest] = this.#answered;
      if (this.#open < concurrent && this.#open + this.#answered.length < per10s) break;
      if (this.#open >= concurrent || oldest === undefined) await abortable(this.#nextFreed(), signal);
      else await this.#clock.sleep(oldest + windowMs - now, signal);
    }
    this.#open += 1;
  }

  #nextFreed(): Promise<void> {
    return new Promise((resolve) => {
      this.#freed = resolve;
    });
  }
}
