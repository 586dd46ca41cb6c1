import { awaitShared, checkTime } from "../calls/cancellation";
import { gathered } from "../calls/gathered";
import type { CallOptions, Clock } from "../options";

/**
 * A list answers first reads of an id for this many windows. An engine that refreshes hundreds of resources reads each of
 * them once, and takes longer than one window.
 */
const WINDOWS_FOR_FIRST_READS = 15;

/**
 * After so many reads of ids that the list does not show, the rest is read at once: an engine has some eight reads under way, of
 * which two or three share a call.
 */
const MOST_MISSING = 100;

/** What a write to one resource changes besides it: all resources of these kinds. */
const alsoChanged: Readonly<Record<string, readonly string[]>> = {
  Cluster: ["Pod"],
  CostCenter: ["CostCenter"],
  Endpoint: ["Template"],
  Registry: ["Template"],
};

export interface ReadSource<T> {
  kind: string;
  /** All resources of the kind. One that is missing from the list is not known to be deleted: lists lag. */
  list(): Promise<readonly T[]>;
  /** All that a list of limited length does not show, as reads. */
  beyond?(listed: ReadonlyMap<string, T>): Promise<readonly (T | undefined | Error)[]>;
  /** Reads by id, in the order of the ids: the resource, undefined when it is deleted, or the error. */
  confirm(ids: readonly string[]): Promise<readonly (T | undefined | Error)[]>;
}

/** The read windows of one client. A write closes the windows of what it changes. */
export class ReadWindows {
  readonly #byKind = new Map<string, { close(id?: string): void }[]>();

  constructor(
    private readonly clock: Clock,
    private readonly windowMs: number,
  ) {}

  share<T extends { id: string }>(source: ReadSource<T>): SharedReads<T> {
    const reads = new SharedReads<T>(source, this.clock, this.windowMs);
    this.#byKind.set(source.kind, [...(this.#byKind.get(source.kind) ?? []), reads]);
    return reads;
  }

  /** @param id closes the window for this resource alone. Default: for all of the kind */
  close(kind: string, id?: string): void {
    for (const reads of this.#byKind.get(kind) ?? []) reads.close(id);
    for (const changed of alsoChanged[kind] ?? []) {
      for (const reads of this.#byKind.get(changed) ?? []) reads.close();
    }
  }

  closeAll(): void {
    for (const kind of this.#byKind.keys()) this.close(kind);
  }

  /** Runs a write, to one resource or a new one. The window closes before and after it: a list made meanwhile may show either state. */
  async during<T>(kind: string, id: string | undefined, write: () => Promise<T>): Promise<T> {
    this.close(kind, id);
    try {
      return await write();
    } finally {
      this.close(kind, id);
    }
  }
}

/**
 * Reads by id that share one list. A single first read is sent by id. Reads that arrive together, and every further read
 * within the window, are answered by one list. The list answers an id for one window from its first answer on, so a caller
 * that polls sees changes. An id that the list does not show is read by itself: only that read can say that it is deleted.
 */
export class SharedReads<T extends { id: string }> {
  readonly #readGathered = gathered<string, T | undefined>(Infinity, (ids) => this.#readTogether(ids));
  #shared: SharedList<T> | undefined;
  #singleUntil = 0;
  /** Ids that were written to, and not read since. The next read of one is sent by id. */
  readonly #written = new Set<string>();

  constructor(
    private readonly source: ReadSource<T>,
    private readonly clock: Clock,
    private readonly windowMs: number,
  ) {}

  /** The resource, or undefined when the service says that it does not exist. */
  async read(id: string, options: CallOptions = {}): Promise<T | undefined> {
    const subject = { kind: this.source.kind, id };
    options.signal?.throwIfAborted();
    if (options.timeoutMs !== undefined) checkTime(options.timeoutMs, subject);
    return awaitShared(this.#readGathered(id), options, subject);
  }

  close(id?: string): void {
    if (id !== undefined) {
      this.#shared?.answered.set(id, Number.NEGATIVE_INFINITY);
      this.#written.add(id);
      return;
    }
    this.#shared = undefined;
    this.#singleUntil = 0;
  }

  async #readTogether(ids: readonly string[]): Promise<(T | undefined | Error)[]> {
    const unique = [...new Set(ids)];
    const shared = this.#isSingle(unique) ? undefined : this.#list(unique);
    const listed = await shared?.byId;
    const unlisted = unique.filter((id) => listed?.has(id) !== true);
    const beyond = shared && (await this.#beyond(shared, unlisted.length));
    const missing = unlisted.filter((id) => beyond?.has(id) !== true);
    const confirmed = missing.length > 0 ? await this.source.confirm(missing) : [];
    const reads = new Map(missing.map((id, index) => [id, confirmed[index]]));
    return ids.map((id) => listed?.get(id) ?? beyond?.get(id) ?? reads.get(id));
  }

  /** What the list does not show, once many reads were of that. */
  #beyond(shared: SharedList<T>, missing: number): SharedList<T>["beyond"] {
    if (missing > 0 && shared.missing > MOST_MISSING) shared.beyond ??= this.#readBeyond(shared);
    shared.missing += missing;
    return shared.beyond;
  }

  async #readBeyond(shared: SharedList<T>): Promise<ReadonlyMap<string, T>> {
    const byId = new Map<string, T>();
    try {
      for (const read of (await this.source.beyond?.(await shared.byId)) ?? [])
        if (read !== undefined && !(read instanceof Error)) byId.set(read.id, read);
    } catch {
      // What is not read here is read by itself, and then fails by itself.
    }
    return byId;
  }

  #isSingle(ids: readonly string[]): boolean {
    const now = this.clock.now();
    const [id = "", ...others] = ids;
    if (others.length > 0) return false;
    const isWritten = this.#written.delete(id);
    if (!isWritten && (now < this.#singleUntil || this.#answering(ids) !== undefined)) return false;
    this.#singleUntil = now + this.windowMs;
    return true;
  }

  #list(ids: readonly string[]): SharedList<T> {
    const now = this.clock.now();
    const shared = this.#answering(ids) ?? this.#newList(now);
    for (const id of ids) if (!shared.answered.has(id)) shared.answered.set(id, now);
    return shared;
  }

  /** The existing list, if it is fresh enough for all of these ids. */
  #answering(ids: readonly string[]): SharedList<T> | undefined {
    const shared = this.#shared;
    if (shared === undefined) return undefined;
    const now = this.clock.now();
    const mayAnswer = (id: string) => now < (shared.answered.get(id) ?? now) + this.windowMs;
    return now < shared.beganAt + WINDOWS_FOR_FIRST_READS * this.windowMs && ids.every(mayAnswer) ? shared : undefined;
  }

  #newList(now: number): SharedList<T> {
    const byId = this.source.list().then((items) => new Map(items.map((item) => [item.id, item])));
    const shared: SharedList<T> = { beganAt: now, answered: new Map(), byId, missing: 0, beyond: undefined };
    this.#shared = shared;
    byId.catch(() => {
      if (this.#shared === shared) this.#shared = undefined;
    });
    return shared;
  }
}

interface SharedList<T> {
  readonly beganAt: number;
  readonly byId: Promise<ReadonlyMap<string, T>>;
  /** When each id was first answered. An id that was written to since has no answer here. */
  readonly answered: Map<string, number>;
  /** How many reads were of ids that it does not show. */
  missing: number;
  beyond: Promise<ReadonlyMap<string, T>> | undefined;
}
