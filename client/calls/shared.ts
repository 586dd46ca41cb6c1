import { AsyncLocalStorage } from "node:async_hooks";
import { UsageError } from "../errors";
import type { Clock } from "../options";
import type { Failure } from "../outcomes/retry";
import type { Cancellation } from "./cancellation";

// What all calls of a client share: which are under way, which addresses have answered, and the service's clock.

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
    lasting.onRelease = () => this.#streams.delete(lasting);
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

/** The name server did not answer, which says nothing about the address. */
const NO_NAME_SERVER = "EAI_AGAIN";

/** Whether an address has ever answered. One that never has is more likely to be wrong than down. */
export class Reachability {
  hasAnswered = false;
  #refusingSince: number | undefined;

  /** @param firstContactMs how long to try an address that refuses every connection and has never answered */
  constructor(private readonly firstContactMs: number) {}

  /**
   * How long to go on trying an unreachable address. Undefined: for as long as the call is retried.
   *
   * @param beganAt when the failed attempt began
   */
  patienceMs({ unreachable, reason }: Failure, beganAt: number, now: number): number | undefined {
    if (this.hasAnswered || unreachable === undefined || reason === NO_NAME_SERVER) return undefined;
    // It had the whole connect time-out.
    if (unreachable === "silent") return 0;
    this.#refusingSince ??= beganAt;
    return this.firstContactMs - (now - this.#refusingSince);
  }
}

/** `Date` has whole seconds and arrives late, so a smaller difference counts as none. */
const DATE_RESOLUTION_MS = 2_000;

/** Estimates the service's clock from the `Date` of its answers. */
export class ServiceClock {
  /** How far the service's clock is ahead of ours. */
  #aheadMs = 0;
  #lastDate: string | undefined;

  constructor(private readonly clock: Clock) {}

  /** @param date the `Date` header of an answer that has just begun */
  learn(date: string | undefined): void {
    if (date === this.#lastDate) return;
    this.#lastDate = date;
    const aheadMs = Date.parse(date ?? "") - this.clock.now();
    if (Number.isNaN(aheadMs)) return;
    this.#aheadMs = Math.abs(aheadMs) < DATE_RESOLUTION_MS ? 0 : aheadMs;
  }

  /** Converts a time of our clock to the service's clock. Milliseconds since 1970. */
  timeOf(ms: number): number {
    return ms + this.#aheadMs;
  }
}
