import DataLoader from "dataloader";
import { awaitShared } from "./calls/deadline";
import type { CallOptions, Clock } from "./options";

/** Milliseconds in which reads that arrive together are gathered; the engine asks for a whole fleet at once. */
const GATHER_MS = 5;

/**
 * For so many windows a list may answer an id that it has not answered yet: an engine that refreshes hundreds of
 * resources reads each of them once, and takes longer than a window.
 */
const WINDOWS_FOR_FIRST_READS = 15;

/** What a write to one kind also changes. */
const alsoChanged: Readonly<Record<string, readonly string[]>> = {
  Cluster: ["Pod"],
  Endpoint: ["Template"],
  Registry: ["Template"],
};

export interface ReadSource<T> {
  kind: string;
  /** Everything of that kind; what is missing from it is not yet known to be gone. */
  list(): Promise<readonly T[]>;
  /** Reads by id: the thing, undefined when it is gone, or what went wrong. In the order of the ids. */
  confirm(ids: readonly string[]): Promise<readonly (T | undefined | Error)[]>;
}

/** Read windows of one client: a write closes those of the kinds it changes. */
export class ReadWindows {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #byKind = new Map<string, { close(): void }[]>();

  constructor(clock: Clock, windowMs: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  share<T extends { id: string }>(source: ReadSource<T>): SharedReads<T> {
    const reads = new SharedReads<T>(source, this.#clock, this.#windowMs);
    this.#byKind.set(source.kind, [...(this.#byKind.get(source.kind) ?? []), reads]);
    return reads;
  }

  close(kind: string): void {
    for (const changed of [kind, ...(alsoChanged[kind] ?? [])]) {
      for (const reads of this.#byKind.get(changed) ?? []) reads.close();
    }
  }

  closeAll(): void {
    for (const kind of this.#byKind.keys()) this.close(kind);
  }

  /** Runs a write. The window closes before and after it: a list made meanwhile may show either state. */
  async during<T>(kind: string, write: () => Promise<T>): Promise<T> {
    this.close(kind);
    try {
      return await write();
    } finally {
      this.close(kind);
    }
  }
}

/**
 * Reads by id that share one list. The first read alone is a read by id; from the second within the window on, and
 * for reads asked together, one list answers all: an id for a window from its first answer on, so that who asks again and
 * again sees what changes. An id that the list does not show is read by itself: only that read can say that it is gone.
 */
export class SharedReads<T extends { id: string }> {
  readonly #source: ReadSource<T>;
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #loader: DataLoader<string, T | undefined>;
  #shared: SharedList<T> | undefined;
  #singleUntil = 0;

  constructor(source: ReadSource<T>, clock: Clock, windowMs: number) {
    this.#source = source;
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#loader = new DataLoader((ids) => this.#readTogether(ids), {
      cache: false,
      batchScheduleFn: (dispatch) => setTimeout(dispatch, GATHER_MS),
    });
  }

  /** The thing, or undefined when the service says that it does not exist. */
  async read(id: string, options: CallOptions = {}): Promise<T | undefined> {
    options.signal?.throwIfAborted();
    return awaitShared(this.#loader.load(id), options, { kind: this.#source.kind, id });
  }

  close(): void {
    this.#shared = undefined;
    this.#singleUntil = 0;
  }

  async #readTogether(ids: readonly string[]): Promise<(T | undefined | Error)[]> {
    const unique = [...new Set(ids)];
    const found = new Map<string, T | undefined | Error>(this.#isSingle(unique) ? [] : await this.#list(unique));
    const missing = unique.filter((id) => !found.has(id));
    const confirmed = missing.length > 0 ? await this.#source.confirm(missing) : [];
    missing.forEach((id, index) => {
      found.set(id, confirmed[index]);
    });
    return ids.map((id) => found.get(id));
  }

  #isSingle(ids: readonly string[]): boolean {
    const now = this.#clock.now();
    if (ids.length > 1 || now < this.#singleUntil || this.#answering(ids) !== undefined) return false;
    this.#singleUntil = now + this.#windowMs;
    return true;
  }

  #list(ids: readonly string[]): Promise<ReadonlyMap<string, T>> {
    const now = this.#clock.now();
    const shared = this.#answering(ids) ?? this.#newList(now);
    for (const id of ids) if (!shared.answered.has(id)) shared.answered.set(id, now);
    return shared.byId;
  }

  /** The list that was made before, if it may answer all of these. */
  #answering(ids: readonly string[]): SharedList<T> | undefined {
    const shared = this.#shared;
    if (shared === undefined) return undefined;
    const now = this.#clock.now();
    const mayAnswer = (id: string) => now < (shared.answered.get(id) ?? now) + this.#windowMs;
    return now < shared.made + WINDOWS_FOR_FIRST_READS * this.#windowMs && ids.every(mayAnswer) ? shared : undefined;
  }

  #newList(now: number): SharedList<T> {
    const byId = this.#source.list().then((items) => new Map(items.map((item) => [item.id, item])));
    const shared: SharedList<T> = { made: now, answered: new Map(), byId };
    this.#shared = shared;
    byId.catch(() => {
      if (this.#shared === shared) this.#shared = undefined;
    });
    return shared;
  }
}

interface SharedList<T> {
  readonly made: number;
  readonly byId: Promise<ReadonlyMap<string, T>>;
  /** When each id was first answered. */
  readonly answered: Map<string, number>;
}
