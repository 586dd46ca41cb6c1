import { MOST_AHEAD_MS } from "../clock";
import { type ChangeListener, Collection, type Identified, type Indexes } from "./collection";
import { Journal } from "./journal";
import type * as records from "./records";

type ReferringRecord = Pick<records.PodRecord | records.EndpointRecord, "registry" | "templateId">;

const references = {
  registry: (record: ReferringRecord) => (record.registry === null ? [] : [record.registry]),
  templateId: (record: ReferringRecord) => (record.templateId === null ? [] : [record.templateId]),
};

/** Indexes of an endpoint's jobs, in the order of their submission. They avoid searching all jobs. */
const jobIndexes = {
  endpoint: (job: records.JobRecord) => [job.endpointId],
  status: (job: records.JobRecord) => [`${job.endpointId}/${job.status}`],
  queued: (job: records.JobRecord) => (job.status === "IN_QUEUE" && !job.lowPriority ? [job.endpointId] : []),
  queuedLow: (job: records.JobRecord) => (job.status === "IN_QUEUE" && job.lowPriority ? [job.endpointId] : []),
  /** Jobs that demand workers: unfinished ones, except those of low priority. */
  demand: (job: records.JobRecord) =>
    (job.status === "IN_QUEUE" || job.status === "IN_PROGRESS") && !job.lowPriority ? [job.endpointId] : [],
  retried: (job: records.JobRecord) => (job.retries > 0 ? [job.endpointId] : []),
};

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

  readonly builds = this.collection("builds", { endpoint: (b: records.BuildRecord) => [b.endpointId] });
  readonly chunks = this.collection("chunks", { job: (c: records.ChunkRecord) => [c.jobId] });
  /** The part of the clock that is saved. */
  readonly clock = this.collection<records.ClockRecord>("clock");
  readonly clusters = this.collection<records.ClusterRecord>("clusters");
  readonly costCenters = this.collection<records.CostCenterRecord>("costCenters");
  readonly delegations = this.collection<records.DelegationRecord>("delegations");
  readonly endpoints = this.collection("endpoints", {
    ...references,
    volume: (e: records.EndpointRecord) => e.networkVolumes,
    globalVolume: (e: records.EndpointRecord) => e.globalVolumes ?? [],
  });
  readonly globalVolumes = this.collection<records.GlobalVolumeRecord>("globalVolumes");
  readonly jobs = this.collection("jobs", jobIndexes);
  readonly networkVolumes = this.collection<records.NetworkVolumeRecord>("networkVolumes");
  readonly pods = this.collection("pods", {
    ...references,
    volume: (p: records.PodRecord) => (p.mounts.network ?? []).map((mount) => mount.volumeId),
    globalVolume: (p: records.PodRecord) => (p.mounts.global ?? []).map((mount) => mount.volumeId),
    cluster: (p: records.PodRecord) => (p.cluster === null ? [] : [p.cluster.id]),
  });
  readonly registries = this.collection("registries", { name: (r: records.RegistryRecord) => [r.name] });
  readonly releases = this.collection("releases", { endpoint: (r: records.ReleaseRecord) => [r.endpointId] });
  readonly secrets = this.collection<records.SecretRecord>("secrets");
  readonly sshKeys = this.collection<records.SshKeyRecord>("sshKeys");
  readonly tags = this.collection<records.TagRecord>("tags");
  readonly templates = this.collection("templates", {
    name: (t: records.TemplateRecord) => (t.owned ? [t.name] : []),
    registry: (t: records.TemplateRecord) => (t.registry === null ? [] : [t.registry]),
  });
  readonly templateReleases = this.collection<records.TemplateReleaseRecord>("templateReleases");
  readonly usage = this.collection("usage", {
    resource: (u: records.UsageRecord) => [u.resourceId],
    underWay: (u: records.UsageRecord) => (u.to === null ? [u.unit] : []),
  });
  readonly workers = this.collection("workers", { endpoint: (w: records.WorkerRecord) => [w.endpointId] });

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

/** The names of the collections. */
export type CollectionName = { [K in keyof Store]: Store[K] extends AnyCollection ? K : never }[keyof Store];

/** A collection of any kind. Records from a file or from `PUT /state` are not validated. */
type AnyCollection = Pick<Collection<Identified>, "get" | "values" | "put" | "delete" | "replaceAll">;
