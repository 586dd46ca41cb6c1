import { MOST_AHEAD_MS } from "../clock";
import { type ChangeListener, Collection, type Identified, type Indexes } from "./collection";
import { Journal } from "./journal";
import type {
  ChunkRecord,
  ClockRecord,
  EndpointRecord,
  JobRecord,
  NetworkVolumeRecord,
  PodRecord,
  TemplateRecord,
  UsageRecord,
  WorkerRecord,
} from "./records";

type ReferringRecord = Pick<PodRecord | EndpointRecord, "registry" | "templateId">;

const references = {
  registry: (record: ReferringRecord) => (record.registry === null ? [] : [record.registry]),
  templateId: (record: ReferringRecord) => (record.templateId === null ? [] : [record.templateId]),
};

/** Indexes of an endpoint's jobs, in the order of their submission. They avoid searching all jobs. */
const jobIndexes = {
  endpoint: (job: JobRecord) => [job.endpointId],
  status: (job: JobRecord) => [`${job.endpointId}/${job.status}`],
  queued: (job: JobRecord) => (job.status === "IN_QUEUE" && !job.lowPriority ? [job.endpointId] : []),
  queuedLow: (job: JobRecord) => (job.status === "IN_QUEUE" && job.lowPriority ? [job.endpointId] : []),
  /** Jobs that demand workers: unfinished ones, except those of low priority. */
  demand: (job: JobRecord) =>
    (job.status === "IN_QUEUE" || job.status === "IN_PROGRESS") && !job.lowPriority ? [job.endpointId] : [],
  retried: (job: JobRecord) => (job.retries > 0 ? [job.endpointId] : []),
};

/** The collections that `recordsOf` declares, and their indexes. */
const declared = new Map<string, Indexes<never, string>>();

/** Declares the collection of one noun, which every store has, and reaches it. What several nouns use is the store's own. */
export function recordsOf<R extends Identified, Index extends string = never>(
  name: string,
  indexes = {} as Indexes<R, Index>,
): (service: { readonly store: Store }) => Collection<R, Index> {
  declared.set(name, indexes);
  return ({ store }) => store.collections[name] as Collection<R, Index>;
}

/** The part of the clock that is saved. */
export const savedClock = recordsOf<ClockRecord>("clock");

/** The state of the emulator, saved in a file if one is given. */
export class Store {
  private journal: Journal | undefined;
  private readonly watchers = new Set<ChangeListener>();
  private readonly changed: ChangeListener = (collection, id, record, before) => {
    this.journal?.append(record === undefined ? { collection, id } : { collection, id, record });
    for (const watch of this.watchers) watch(collection, id, record, before);
  };

  /** The collections by their names in `GET /state` and in the data file. */
  readonly collections: Record<string, AnyCollection> = {};

  readonly networkVolumes = this.collection<NetworkVolumeRecord>("networkVolumes");
  readonly templates = this.collection("templates", {
    name: (t: TemplateRecord) => (t.owned ? [t.name] : []),
    registry: (t: TemplateRecord) => (t.registry === null ? [] : [t.registry]),
  });
  readonly pods = this.collection("pods", {
    ...references,
    volume: (p: PodRecord) => (p.mounts.network ?? []).map((mount) => mount.volumeId),
    globalVolume: (p: PodRecord) => (p.mounts.global ?? []).map((mount) => mount.volumeId),
    cluster: (p: PodRecord) => (p.cluster === null ? [] : [p.cluster.id]),
  });
  readonly endpoints = this.collection("endpoints", {
    ...references,
    volume: (e: EndpointRecord) => e.networkVolumes,
    globalVolume: (e: EndpointRecord) => e.globalVolumes ?? [],
  });
  readonly workers = this.collection("workers", { endpoint: (w: WorkerRecord) => [w.endpointId] });
  readonly jobs = this.collection("jobs", jobIndexes);
  readonly chunks = this.collection("chunks", { job: (c: ChunkRecord) => [c.jobId] });
  readonly usage = this.collection("usage", {
    resource: (u: UsageRecord) => [u.resourceId],
    underWay: (u: UsageRecord) => (u.to === null ? [u.unit] : []),
  });

  constructor() {
    for (const [name, indexes] of declared) this.collection(name, indexes);
  }

  private collection<R extends Identified, Index extends string = never>(
    name: string,
    indexes = {} as Indexes<R, Index>,
  ): Collection<R, Index> {
    const collection = new Collection<R, Index>(name, indexes, this.changed);
    this.collections[name] = collection;
    return collection;
  }

  /** Calls `watcher` for every change from now on, until the returned function is called. */
  watch(watcher: ChangeListener): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Loads the file, and saves every change to it from now on. */
  openFile(file: string): void {
    this.journal = Journal.open(
      file,
      ({ collection, id, record }) => {
        const target = this.collections[collection];
        if (record === undefined) target?.delete(id);
        else if (!isPossible(collection, record)) return false;
        else target?.put(record);
        return true;
      },
      () => this.entries(),
    );
  }

  close(): void {
    this.journal?.close();
    this.journal = undefined;
  }

  private *entries() {
    for (const [collection, records] of Object.entries(this.collections))
      for (const record of records.values()) yield { collection, id: record.id, record };
  }
}

/** Whether a record from outside is usable. A clock out of range would break everything. */
export function isPossible(collection: string, record: Identified): boolean {
  if (collection !== "clock") return true;
  const aheadMs = "aheadMs" in record ? record.aheadMs : undefined;
  return typeof aheadMs === "number" && aheadMs >= -MOST_AHEAD_MS && aheadMs <= MOST_AHEAD_MS;
}

/** A collection of any kind. Records from a file or from `PUT /state` are not validated. */
interface AnyCollection {
  readonly size: number;
  get(id: string): Identified | undefined;
  values(): IterableIterator<Identified>;
  put(record: Identified): Identified;
  delete(id: string): Identified | undefined;
  replaceAll(records: Iterable<Identified>): void;
}
