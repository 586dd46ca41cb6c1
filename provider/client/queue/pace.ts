import { abortable } from "../clock";
import type { Clock } from "../options";
import type { Limit } from "./limits";

/** The service may see calls closer together than they were sent: its window is taken as this much longer. */
const windowMs = 10_000 + 500;

/** Lets calls of one operation begin, in the order they came, as fast as its limit allows. */
export class Pace {
  readonly #clock: Clock;
  readonly #limit: Limit;
  /** When the calls of the last window began, oldest first. */
  readonly #begun: number[] = [];
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
      this.#freed();
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    while (this.#open >= this.#limit.concurrent) await abortable(this.#nextFreed(), signal);
    for (;;) {
      const now = this.#clock.now();
      while ((this.#begun[0] ?? now) <= now - windowMs) this.#begun.shift();
      const [oldest] = this.#begun;
      if (oldest === undefined || this.#begun.length < this.#limit.per10s) break;
      await this.#clock.sleep(oldest + windowMs - now, signal);
    }
    this.#begun.push(this.#clock.now());
    this.#open += 1;
  }

  #nextFreed(): Promise<void> {
    return new Promise((resolve) => {
      this.#freed = resolve;
    });
  }
}
