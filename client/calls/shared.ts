import { AsyncLocalStorage } from "node:async_hooks";
import { inTime } from "../../common/duration";
import { isRecord, parseJson } from "../../common/json";
import { UsageError } from "../errors";
import type { Clock } from "../options";
import { APPEARS_WITHIN_MS, type Failure } from "../outcomes/retry";
import type { WireCall } from "./call";
import { type Cancellation, EARLY_TIMER_MS } from "./cancellation";

// What all calls of a client share: which are under way or may come late, which addresses have answered, and the service's clock.

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
    if (this.#closing !== undefined) return this.#closing.done;
    const { promise: over, resolve: idle } = Promise.withResolvers<void>();
    this.#closing = { idle, done: over.then(release) };
    for (const stream of this.#streams) stream.end(closed());
    if (this.#calls === 0) idle();
    return this.#closing.done;
  }
}

const closed = (): UsageError => new UsageError("This client is closed. Make a new one.");

/** A change of one field without an answer, whose request may still arrive. */
export interface LateChange {
  /** Path of the resource in REST, and its name for the field, whichever interface the change takes. */
  readonly of: string;
  readonly to: unknown;
  readonly until: number;
  /** The last change of the same field since then. */
  last?: WireCall;
}

/** Changes without an answer. One that arrives after a later change of the same field undoes that one. */
export class LateChanges {
  /** Read directly: nearly always there is none. */
  all: readonly LateChange[] = [];

  constructor(private readonly clock: Clock) {}

  lost(call: WireCall): void {
    const until = this.clock.now() + APPEARS_WITHIN_MS;
    this.all = [...this.all, ...[...changesOf(call)].map(([of, to]) => ({ of, to, until }))];
  }

  /** Those that may undo this change, which was made just now. */
  undoing(call: WireCall): readonly LateChange[] {
    const now = this.clock.now() + EARLY_TIMER_MS;
    this.all = this.all.filter(({ until }) => until > now);
    const changes = changesOf(call);
    return this.all.filter((each) => {
      if (!changes.has(each.of)) return false;
      each.last = call;
      return !sets(each.to, changes.get(each.of));
    });
  }
}

/** Whether a change to `late` leaves all of `to`. What it lacks may be reset: a value with members may be sent in part. */
function sets(late: unknown, to: unknown): boolean {
  if (!isRecord(late) || !isRecord(to)) return JSON.stringify(late) === JSON.stringify(to);
  return Object.entries(to).every(([name, value]) => JSON.stringify(late[name]) === JSON.stringify(value));
}

function changesOf({ method, label, body, changes }: WireCall): ReadonlyMap<string, unknown> {
  const isPart = method === "PUT" || method === "PATCH";
  const resources = changes?.() ?? (isPart ? { [label.slice(method.length + 1)]: parseJson(String(body)) } : {});
  const fields = Object.entries(resources).flatMap(([path, all]) =>
    Object.entries(Object(all)).map(([name, to]) => [`${path} ${name}`, to] as const),
  );
  return new Map(fields);
}

/** The name server did not answer, which says nothing about the address. */
const NO_NAME_SERVER = "EAI_AGAIN";

/** An address that has never answered is tried for this share of the time for retries, and at least for `leastMs`. */
const FIRST_CONTACT = { share: 1 / 8, leastMs: 3_000 };

/** Whether an address has ever answered. One that never has is more likely to be wrong than down. */
export class Reachability {
  hasAnswered = false;
  #refusingSince: number | undefined;

  /** @param budgetMs how long a call is retried */
  constructor(private readonly budgetMs: number) {}

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
    const triedMs = Math.max(this.budgetMs * FIRST_CONTACT.share, FIRST_CONTACT.leastMs);
    return triedMs - (now - this.#refusingSince);
  }
}

/** `Date` has whole seconds and arrives late, so a smaller difference counts as none. */
const DATE_RESOLUTION_MS = 2_000;

/** So far apart one of two clocks is wrong, or another server's, and no age can be trusted. */
const CLOCKS_APART_MS = 120_000;

/**
 * Says how far a time by our clock is from the same by the service's. Undefined while they agree well enough to tell what is
 * older than a create.
 */
export function clocksApart(ours: number, service: number): string | undefined {
  const apartMs = Math.abs(service - ours);
  // mutant clocks-believed: undefined
  return apartMs < CLOCKS_APART_MS
    ? undefined
    : `the service's clock and this machine's are ${inTime(apartMs)} apart, so no age can be trusted`;
}

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
