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
  /** The same for calls that do not wait for the window. */
  readonly #urgent = new Set<() => void>();
  #open = 0;
  /** Ends the sleep until the oldest answer leaves the window. */
  #alarm: AbortController | undefined;

  constructor(clock: Clock, limit: Limit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Begins a call if the limit allows it now. */
  tryEnter(): boolean {
    const may = this.#waiting.size + this.#urgent.size === 0 && this.#hasRoom();
    if (may) this.#open += 1;
    return may;
  }

  /**
   * Resolves when a call may begin. Every call that began ends with `leave`.
   *
   * @param urgent once it is aborted, the call waits for a place among the concurrent calls, but not for the window
   */
  enter(signal: AbortSignal | undefined, urgent?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const over = () => {
        signal?.removeEventListener("abort", giveUp);
        urgent?.removeEventListener("abort", hurry);
      };
      const admit = () => {
        over();
        resolve();
      };
      const giveUp = () => {
        over();
        this.#urgent.delete(admit);
        this.#waiting.delete(admit);
        if (this.#waiting.size === 0) this.#alarm?.abort();
        reject(signal?.reason);
      };
      const hurry = () => {
        this.#waiting.delete(admit);
        this.#urgent.add(admit);
        this.#admit();
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      urgent?.addEventListener("abort", hurry, { once: true });
      if (urgent?.aborted) return hurry();
      this.#waiting.add(admit);
      this.#admit();
    });
  }

  /** A call is answered, or has failed. */
  leave(): void {
    this.#open -= 1;
    if (Number.isFinite(this.#limit.per10s)) this.#answered.push(this.#clock.now());
    if (this.#waiting.size + this.#urgent.size > 0) this.#admit();
  }

  get #hasPlace(): boolean {
    return this.#open < this.#limit.concurrent;
  }

  #hasRoom(): boolean {
    const { per10s } = this.#limit;
    if (!this.#hasPlace) return false;
    const windowBegan = this.#clock.now() - WINDOW_MS;
    while ((this.#answered[0] ?? Number.POSITIVE_INFINITY) <= windowBegan) this.#answered.shift();
    return this.#open + this.#answered.length < per10s;
  }

  /** Admits as many waiting calls as there is room for. */
  #admit(): void {
    for (const waiting of [this.#urgent, this.#waiting]) {
      for (const admit of waiting) {
        if (waiting === this.#urgent ? !this.#hasPlace : !this.#hasRoom()) break;
        waiting.delete(admit);
        this.#open += 1;
        admit();
      }
    }
    const [oldest] = this.#answered;
    if (this.#waiting.size > 0 && this.#hasPlace && oldest !== undefined) {
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
