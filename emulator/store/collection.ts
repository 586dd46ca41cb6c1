export interface Identified {
  readonly id: string;
}

/** Called for every change, in order, with the record after and before the change. */
export type ChangeListener = (
  collection: string,
  id: string,
  record: Identified | undefined,
  before: Identified | undefined,
) => void;

/** Index name -> the values under which a record is found by `by`. */
export type Indexes<R, Index extends string> = Readonly<Record<Index, (record: R) => readonly string[]>>;

/**
 * Records of one kind, in the order of their creation. Records are never changed in place: `put` replaces the whole record, so
 * the indexes and the journal stay correct.
 */
export class Collection<R extends Identified, Index extends string = never> {
  private readonly records = new Map<string, R>();
  private readonly indexes = new Map<string, Map<string, Set<string>>>();

  constructor(
    readonly name: string,
    private readonly keys: Indexes<R, Index>,
    private readonly changed: ChangeListener,
  ) {
    for (const index of Object.keys(keys)) this.indexes.set(index, new Map());
  }

  get size(): number {
    return this.records.size;
  }

  get(id: string): R | undefined {
    return this.records.get(id);
  }

  values(): IterableIterator<R> {
    return this.records.values();
  }

  /** The records whose index `index` holds `value`. */
  by(index: Index, value: string): R[] {
    const ids = this.indexes.get(index)?.get(value) ?? [];
    return Array.from(ids, (id) => this.records.get(id)).filter((record) => record !== undefined);
  }

  /** How many records `by` would find. */
  count(index: Index, value: string): number {
    return this.indexes.get(index)?.get(value)?.size ?? 0;
  }

  /** The oldest record of those that `by` would find. */
  first(index: Index, value: string): R | undefined {
    for (const id of this.indexes.get(index)?.get(value) ?? []) return this.records.get(id);
    return undefined;
  }

  put(record: R): R {
    const before = this.records.get(record.id);
    if (before !== undefined) this.unindex(before);
    this.records.set(record.id, record);
    for (const [index, keysOf] of this.keysByIndex()) {
      const entries = this.indexes.get(index);
      for (const key of keysOf(record)) {
        const ids = entries?.get(key);
        if (ids === undefined) entries?.set(key, new Set([record.id]));
        else ids.add(record.id);
      }
    }
    this.changed(this.name, record.id, record, before);
    return record;
  }

  delete(id: string): R | undefined {
    const record = this.records.get(id);
    if (record === undefined) return undefined;
    this.unindex(record);
    this.records.delete(id);
    this.changed(this.name, id, undefined, record);
    return record;
  }

  /** Replaces all records with these. */
  replaceAll(records: Iterable<R>): void {
    for (const id of [...this.records.keys()]) this.delete(id);
    for (const record of records) this.put(record);
  }

  private keysByIndex(): [string, (record: R) => readonly string[]][] {
    return Object.entries<(record: R) => readonly string[]>(this.keys);
  }

  private unindex(record: R): void {
    for (const [index, keysOf] of this.keysByIndex()) {
      const entries = this.indexes.get(index);
      for (const key of keysOf(record)) {
        const ids = entries?.get(key);
        ids?.delete(record.id);
        if (ids?.size === 0) entries?.delete(key);
      }
    }
  }
}
