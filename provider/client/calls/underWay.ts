import { AsyncLocalStorage } from "node:async_hooks";
import { UsageError } from "../errors";
import type { Cancellation } from "./cancellation";

/** The search for what became of a call is part of that call: a client that is closed lets it come to its end. */
const searching = new AsyncLocalStorage<CallsUnderWay>();

/** The calls of one client that are under way, and how they end with it. */
export class CallsUnderWay {
  readonly #streams = new Set<Cancellation>();
  #calls = 0;
  #closing: { readonly done: Promise<void>; readonly idle: () => void } | undefined;

  /** @throws UsageError when the client is closed */
  enter(): void {
    if (this.#closing !== undefined && !this.isSearching) throw closed();
    this.#calls += 1;
  }

  leave(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.#closing?.idle();
  }

  /** Whether what runs is part of another call: the search for what became of it, or its end. */
  get isSearching(): boolean {
    return searching.getStore() === this;
  }

  /** Runs the search for what became of a call. */
  search<T>(find: () => Promise<T>): Promise<T> {
    return searching.run(this, find);
  }

  /** A stream that is read from now on: the end of the client ends it. */
  streamBegan(stream: Cancellation): void {
    this.#streams.add(stream);
    // Closed while it was opened.
    if (this.#closing !== undefined) stream.end(closed());
  }

  streamEnded(stream: Cancellation): void {
    this.#streams.delete(stream);
  }

  /** Ends streams and admits no other call. Resolves when the calls under way are over and `release` is done. */
  close(release: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(release);
    return this.#closing.done;
  }

  #close(release: () => Promise<void>) {
    let idle = () => {};
    const over = new Promise<void>((resolve) => {
      idle = resolve;
    });
    for (const stream of this.#streams) stream.end(closed());
    if (this.#calls === 0) idle();
    return { idle, done: over.then(release) };
  }
}

function closed(): UsageError {
  return new UsageError("This client is closed. Make a new one.");
}
