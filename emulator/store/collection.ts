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
  /** The records by id, under the name of each index and a value. */
  private readonly entries = new Map<string, Map<string, R>>();

  constructor(
    readonly name: string,
    private readonly indexes: Indexes<R, Index>,
    private readonly changed: ChangeListener,
  ) {}

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
    return [...(this.entries.get(`${index} ${value}`)?.values() ?? [])];
  }

  /** How many records `by` would find. */
  count(index: Index, value: string): number {
    return this.entries.get(`${index} ${value}`)?.size ?? 0;
  }

  /** The oldest record of those that `by` would find. */
  first(index: Index, value: string): R | undefined {
    return this.entries.get(`${index} ${value}`)?.values().next().value;
  }

  put(record: R): R {
    const before = this.records.get(record.id);
    if (before !== undefined) this.unindex(before);
    this.records.set(record.id, record);
    for (const key of this.keysOf(record)) {
      const entry = this.entries.get(key) ?? new Map();
      this.entries.set(key, entry.set(record.id, record));
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

  private keysOf(record: R): string[] {
    return Object.entries<Indexes<R, Index>[Index]>(this.indexes).flatMap(([index, valuesOf]) =>
      valuesOf(record).map((value) => `${index} ${value}`),
    );
  }

  private unindex(record: R): void {
    for (const key of this.keysOf(record)) {
      this.entries.get(key)?.delete(record.id);
      if (this.entries.get(key)?.size === 0) this.entries.delete(key);
    }
  }
}
