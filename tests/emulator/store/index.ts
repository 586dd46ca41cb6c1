import { MOST_AHEAD_MS } from "../clock";
import { type ChangeListener, Collection, type Identified } from "./collection";
import { Journal } from "./journal";
import type {
  BuildRecord,
  ChunkRecord,
  ClockRecord,
  ClusterRecord,
  CostCenterRecord,
  DelegationRecord,
  EndpointRecord,
  GlobalVolumeRecord,
  JobRecord,
  NetworkVolumeRecord,
  PodRecord,
  RegistryRecord,
  ReleaseRecord,
  SecretRecord,
  SshKeyRecord,
  TagRecord,
  TemplateRecord,
  TemplateReleaseRecord,
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
  /** `endpointId/STATUS` */
  status: (job: JobRecord) => [`${job.endpointId}/${job.status}`],
  queued: (job: JobRecord) => (job.status === "IN_QUEUE" && !job.lowPriority ? [job.endpointId] : []),
  queuedLow: (job: JobRecord) => (job.status === "IN_QUEUE" && job.lowPriority ? [job.endpointId] : []),
  /** Jobs that demand workers: unfinished ones, except those of low priority. */
  demand: (job: JobRecord) =>
    (job.status === "IN_QUEUE" || job.status === "IN_PROGRESS") && !job.lowPriority ? [job.endpointId] : [],
  retried: (job: JobRecord) => (job.retries > 0 ? [job.endpointId] : []),
};

/** The state of the emulator, saved in a file if one is given. */
export class Store {
  private journal: Journal | undefined;
  private readonly watchers = new Set<ChangeListener>();
  private readonly changed: ChangeListener = (collection, id, record, before) => {
    this.journal?.append(record === undefined ? { collection, id } : { collection, id, record });
    for (const watch of this.watchers) watch(collection, id, record, before);
  };

  readonly sshKeys = new Collection<SshKeyRecord>("sshKeys", {}, this.changed);
  readonly registries = new Collection("registries", { name: (r: RegistryRecord) => [r.name] }, this.changed);
  readonly secrets = new Collection("secrets", { name: (s: SecretRecord) => [s.name] }, this.changed);
  readonly delegations = new Collection<DelegationRecord>("delegations", {}, this.changed);
  readonly networkVolumes = new Collection<NetworkVolumeRecord>("networkVolumes", {}, this.changed);
  readonly globalVolumes = new Collection<GlobalVolumeRecord>("globalVolumes", {}, this.changed);
  readonly tags = new Collection<TagRecord>("tags", {}, this.changed);
  readonly costCenters = new Collection<CostCenterRecord>("costCenters", {}, this.changed);
  readonly templates = new Collection(
    "templates",
    {
      name: (t: TemplateRecord) => (t.owned ? [t.name] : []),
      registry: (t: TemplateRecord) => (t.registry === null ? [] : [t.registry]),
    },
    this.changed,
  );
  readonly pods = new Collection(
    "pods",
    {
      ...references,
      volume: (p: PodRecord) => (p.mounts.network ?? []).map((mount) => mount.volumeId),
      globalVolume: (p: PodRecord) => (p.mounts.global ?? []).map((mount) => mount.volumeId),
      cluster: (p: PodRecord) => (p.cluster === null ? [] : [p.cluster.id]),
    },
    this.changed,
  );
  readonly clusters = new Collection<ClusterRecord>("clusters", {}, this.changed);
  readonly endpoints = new Collection(
    "endpoints",
    {
      ...references,
      volume: (e: EndpointRecord) => e.networkVolumes,
      globalVolume: (e: EndpointRecord) => e.globalVolumes ?? [],
    },
    this.changed,
  );
  readonly releases = new Collection("releases", { endpoint: (r: ReleaseRecord) => [r.endpointId] }, this.changed);
  readonly builds = new Collection("builds", { endpoint: (b: BuildRecord) => [b.endpointId] }, this.changed);
  readonly workers = new Collection("workers", { endpoint: (w: WorkerRecord) => [w.endpointId] }, this.changed);
  readonly jobs = new Collection("jobs", jobIndexes, this.changed);
  readonly chunks = new Collection("chunks", { job: (c: ChunkRecord) => [c.jobId] }, this.changed);
  readonly usage = new Collection(
    "usage",
    {
      resource: (u: UsageRecord) => [u.resourceId],
      underWay: (u: UsageRecord) => (u.to === null ? [u.unit] : []),
    },
    this.changed,
  );
  readonly templateReleases = new Collection<TemplateReleaseRecord>("templateReleases", {}, this.changed);
  readonly clock = new Collection<ClockRecord>("clock", {}, this.changed);

  /** The collections by their names in `GET /state` and in the data file. */
  readonly collections: Readonly<Record<string, AnyCollection>> = {
    sshKeys: this.sshKeys,
    registries: this.registries,
    secrets: this.secrets,
    delegations: this.delegations,
    networkVolumes: this.networkVolumes,
    globalVolumes: this.globalVolumes,
    tags: this.tags,
    costCenters: this.costCenters,
    templates: this.templates,
    pods: this.pods,
    clusters: this.clusters,
    endpoints: this.endpoints,
    releases: this.releases,
    builds: this.builds,
    workers: this.workers,
    jobs: this.jobs,
    chunks: this.chunks,
    usage: this.usage,
    templateReleases: this.templateReleases,
    clock: this.clock,
  };

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
  values(): IterableIterator<Identified>;
  put(record: Identified): Identified;
  delete(id: string): Identified | undefined;
  replaceAll(records: Iterable<Identified>): void;
}
