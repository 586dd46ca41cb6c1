import { AsyncLocalStorage } from "node:async_hooks";
import { UsageError } from "../errors";
import type { Cancellation } from "./cancellation";

/** The search for a lost answer belongs to its call, so `close` waits for it and lets it make calls. */
const searching = new AsyncLocalStorage<CallsUnderWay>();

/** The calls of one client that are under way, and how they end when it is closed. */
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

  /** Whether the running code is a search or cleanup inside another call. */
  get isSearching(): boolean {
    return searching.getStore() === this;
  }

  /** Runs the search for a lost answer. */
  search<T>(find: () => Promise<T>): Promise<T> {
    return searching.run(this, find);
  }

  /** Has closing the client end a stream, or a wait of several calls, until it is released. */
  endWithClient(lasting: Cancellation): void {
    this.#streams.add(lasting);
    lasting.onRelease(() => this.#streams.delete(lasting));
    // The client was closed while the stream was being opened.
    if (this.#closing !== undefined) lasting.end(closed());
  }

  /** Ends streams and refuses new calls. Resolves when the calls under way are over and `release` is done. */
  close(release: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(release);
    return this.#closing.done;
  }

  #close(release: () => Promise<void>) {
    const { promise: over, resolve: idle } = Promise.withResolvers<void>();
    for (const stream of this.#streams) stream.end(closed());
    if (this.#calls === 0) idle();
    return { idle, done: over.then(release) };
  }
}

function closed(): UsageError {
  return new UsageError("This client is closed. Make a new one.");
}
