import { LONGEST_TIMER_MS } from "./clock";

/** The reason that a call was ended by its own time limit. */
export class TimeLimit extends Error {
  override readonly name = "TimeLimit";
}

/**
 * Ends one call early: by a signal of the caller's or the client's, by its time limit, or because the client is closed.
 * It listens only while the call lasts: signals of programs live for as long as these, and what a call leaves on them is
 * never freed.
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

  /** Real time: what is waited for is a network. */
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

  /** Goes on although the time was over, to find out what became of the call. */
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

  /** Told, with the reason, when the call is ended while something is under way. One thing at a time. */
  whileUnderWay(stop: ((reason: unknown) => void) | undefined): void {
    this.#underWay = stop;
  }

  /** For waits. Made when first needed: most calls never wait. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined) this.#controller.abort(this.#ended.reason);
    return this.#controller.signal;
  }
}
