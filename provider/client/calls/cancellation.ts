import { LONGEST_TIMER_MS } from "./clock";

/** The abort reason of a call whose own time limit has passed. */
export class TimeLimit extends Error {
  override readonly name = "TimeLimit";
}

/**
 * Ends one call early: on the caller's or the client's signal, at its time limit, or when the client is closed. It removes
 * its listeners when the call is over. A program's signals may live as long as the process, so forgotten listeners would
 * leak.
 */
export class Cancellation {
  readonly #sources: AbortSignal[] = [];
  #ended: { readonly reason: unknown } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #controller: AbortController | undefined;
  #underWay: ((reason: unknown) => void) | undefined;

  constructor(...sources: (AbortSignal | undefined)[]) {
    for (const source of sources) {
      if (source === undefined) continue;
      if (source.aborted) this.end(source.reason);
      else source.addEventListener("abort", this);
      this.#sources.push(source);
    }
  }

  handleEvent({ target }: Event): void {
    if (target instanceof AbortSignal) this.end(target.reason);
  }

  /** In real time, not by the client's clock: the network does not know that clock. */
  endAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(new TimeLimit()), Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
  }

  end(reason: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = { reason };
    this.#controller?.abort(reason);
    this.#underWay?.(reason);
  }

  /** Lifts the time limit, so that the search for a lost answer can run. Other reasons to end stay. */
  goOn(): void {
    if (!(this.#ended?.reason instanceof TimeLimit)) return;
    this.#ended = undefined;
    this.#controller = undefined;
  }

  /** Stops listening: the call is over. */
  release(): void {
    clearTimeout(this.#timer);
    for (const source of this.#sources) source.removeEventListener("abort", this);
    this.#sources.length = 0;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  get reason(): unknown {
    return this.#ended?.reason;
  }

  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended.reason;
  }

  /** Sets the callback for when the call is ended while a request is under way. A new one replaces the old one. */
  whileUnderWay(stop: ((reason: unknown) => void) | undefined): void {
    this.#underWay = stop;
  }

  /** For waits. Created on first use, because most calls never wait. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined) this.#controller.abort(this.#ended.reason);
    return this.#controller.signal;
  }
}
