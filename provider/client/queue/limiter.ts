import type { Clock } from "../options";
import type { Limit } from "./limits";

/** A little longer than the service's: clocks are read in whole milliseconds, and timers fire early. */
const WINDOW_MS = 10_050;

/**
 * Lets calls of one operation begin, in the order they came, as fast as its limit allows. The service counts a call when
 * it arrives, some time before its answer is here: until then, and for one window more, it counts here too.
 */
export class Limiter {
  readonly #clock: Clock;
  readonly #limit: Limit;
  /** When the calls that were answered within the last window were answered, oldest first. */
  readonly #answered: number[] = [];
  /** Admits one waiting call each, in order. */
  readonly #waiting = new Set<() => void>();
  #open = 0;
  /** Ends the sleep until the oldest answer leaves the window. */
  #alarm: AbortController | undefined;

  constructor(clock: Clock, limit: Limit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Begins a call if it may begin now. */
  tryEnter(): boolean {
    const may = this.#waiting.size === 0 && this.#hasRoom();
    if (may) this.#open += 1;
    return may;
  }

  /** Resolves when a call may begin. Every call that began ends with `leave`. */
  enter(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const admit = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(admit);
        if (this.#waiting.size === 0) this.#alarm?.abort();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(admit);
      this.#admit();
    });
  }

  /** A call is answered, or has failed. */
  leave(): void {
    this.#open -= 1;
    if (Number.isFinite(this.#limit.per10s)) this.#answered.push(this.#clock.now());
    if (this.#waiting.size > 0) this.#admit();
  }

  #hasRoom(): boolean {
    const { concurrent, per10s } = this.#limit;
    if (this.#open >= concurrent) return false;
    const windowBegan = this.#clock.now() - WINDOW_MS;
    while ((this.#answered[0] ?? Number.POSITIVE_INFINITY) <= windowBegan) this.#answered.shift();
    return this.#open + this.#answered.length < per10s;
  }

  /** Admits as many waiting calls as there is room for. */
  #admit(): void {
    for (const admit of this.#waiting) {
      if (!this.#hasRoom()) break;
      this.#waiting.delete(admit);
      this.#open += 1;
      admit();
    }
    const [oldest] = this.#answered;
    if (this.#waiting.size > 0 && this.#open < this.#limit.concurrent && oldest !== undefined) {
      void this.#admitAt(oldest + WINDOW_MS);
    }
  }

  async #admitAt(time: number): Promise<void> {
    if (this.#alarm !== undefined) return;
    const alarm = new AbortController();
    this.#alarm = alarm;
    await this.#clock.sleep(Math.max(0, time - this.#clock.now()), alarm.signal).catch(() => {});
    this.#alarm = undefined;
    if (this.#waiting.size > 0) this.#admit();
  }
}
