import type { Clock } from "../options";
import type { Limit } from "./limits";

/** A little longer than the service's window, because clocks have whole milliseconds and timers may fire early. */
const WINDOW_MS = 10_050;

/**
 * Admits calls of one operation in the order they came, as fast as its limit allows (a sliding window). We do not know when
 * the service counts a call, only that it does so before its answer. So a call counts here until one window after its
 * answer. Other processes' calls are not counted.
 */
export class Limiter {
  readonly #clock: Clock;
  readonly #limit: Limit;
  /** Times of the answers within the last window, oldest first. */
  readonly #answered: number[] = [];
  /** Callbacks that admit one waiting call each, in order. */
  readonly #waiting = new Set<() => void>();
  #open = 0;
  /** Ends the sleep until the oldest answer leaves the window. */
  #alarm: AbortController | undefined;

  constructor(clock: Clock, limit: Limit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Begins a call if the limit allows it now. */
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
