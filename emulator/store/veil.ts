import type { Clock } from "../clock";
import type { Settings } from "../settings";
import type { Collection, Identified } from "./collection";

interface Change {
  readonly at: number;
  readonly collection: string;
  /** The record before it; undefined before a create. */
  readonly before: Identified | undefined;
}

/** Simulates eventual consistency: what reads and lists do not show yet. Writes act on what there is. */
export class Veil {
  /** Ids that nothing finds yet, although the records exist. */
  private readonly until = new Map<string, number>();
  /** Recent changes by id, the least recently changed id first. */
  private readonly changes = new Map<string, readonly Change[]>();

  constructor(
    private readonly clock: Clock,
    private readonly lags: () => Pick<Settings, "readLagMs" | "listLagMs">,
  ) {}

  cover(id: string, ms: number): void {
    this.until.set(id, this.clock.now() + ms);
  }

  hides(id: string): boolean {
    if (this.until.size === 0) return false;
    const until = this.until.get(id);
    if (until === undefined) return false;
    if (this.clock.now() < until) return true;
    this.until.delete(id);
    return false;
  }

  /** Called with every change of a record. */
  changed(collection: string, id: string, before: Identified | undefined): void {
    const { readLagMs, listLagMs } = this.lags();
    const at = this.clock.now();
    const isOver = (change: Change | undefined) =>
      change !== undefined && change.at <= at - Math.max(readLagMs, listLagMs);
    for (const [each, its] of this.changes) {
      if (!isOver(its.at(-1))) break;
      this.changes.delete(each);
    }
    if (readLagMs === 0 && listLagMs === 0) return;
    const recent = (this.changes.get(id) ?? []).filter((change) => !isOver(change));
    this.changes.delete(id);
    this.changes.set(id, [...recent, { at, collection, before }]);
  }

  read<R extends Identified>(id: string, record: R | undefined): R | undefined {
    return this.lagging(id, record, this.lags().readLagMs);
  }

  /** The records as a list shows them: what was just deleted comes last. */
  list<R extends Identified>(records: Pick<Collection<R>, "name" | "values">): R[] {
    if (this.changes.size === 0) return Array.from(records.values());
    const { listLagMs } = this.lags();
    const present = new Map(Array.from(records.values(), (record) => [record.id, record]));
    const deleted = [...this.changes].filter(([id, [first]]) => first?.collection === records.name && !present.has(id));
    return [...present.keys(), ...deleted.map(([id]) => id)]
      .map((id) => this.lagging(id, present.get(id), listLagMs))
      .filter((record) => record !== undefined);
  }

  private lagging<R extends Identified>(id: string, record: R | undefined, lagMs: number): R | undefined {
    const since = this.clock.now() - lagMs;
    const unseen = this.changes.get(id)?.find(({ at }) => at > since);
    return unseen === undefined ? record : (unseen.before as R | undefined);
  }
}
