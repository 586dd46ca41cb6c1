import type { Service } from "../service";
import type { EndpointRecord } from "../store/records";
import { historyOf } from "./history";
import { jobLine } from "./jobLine";
import { loadOf } from "./load";
import type { Detail, DetailKind, EndpointDetail } from "./page/protocol";
import { rolloutName, rolloutOf } from "./rollout";
import { isKind } from "./rows";
import { maskRecord } from "./secrets";

const MOST_JOBS = 50;
const MOST_RELEASES = 20;
const MOST_LOG_LINES = 200;
const MOST_SAMPLES = 240;

/** The resource, job or worker that a page shows, and how. */
export interface Focus {
  readonly kind: DetailKind;
  readonly id: string;
  readonly showsSecrets: boolean;
}

export const isDetailKind = (name: string): name is DetailKind => isKind(name) || name === "workers" || name === "jobs";

/** The details of one resource, job or worker. */
export function detailOf(service: Service, { kind, id, showsSecrets }: Focus): Detail {
  const { store, logs } = service;
  const record = store[kind].get(id);
  const endpoint = kind === "endpoints" ? store.endpoints.get(id) : undefined;
  const job = kind === "jobs" ? store.jobs.get(id) : undefined;
  return {
    kind,
    id,
    record: record === undefined ? null : showsSecrets ? { ...record } : maskRecord(kind, record),
    log: logs.lines(job?.workerId ?? id).slice(-MOST_LOG_LINES),
    stream: job === undefined ? [] : store.chunks.by("job", id).map(({ output }) => output),
    ...(endpoint !== undefined && { endpoint: endpointDetail(service, endpoint) }),
    ...(job !== undefined && { job: jobLine(job) }),
  };
}

/** Whether a change of a record affects the shown details. */
export function concerns({ store }: Service, { kind, id }: Focus, collection: string, record: object): boolean {
  const refersTo = (name: string) => name in record && Reflect.get(record, name) === id;
  if (collection === kind && refersTo("id")) return true;
  if (kind === "jobs") return refersTo("jobId");
  if (kind !== "endpoints") return false;
  // The page of a rollout's endpoint also shows the other endpoint.
  const own = store.endpoints.get(id)?.name;
  const other = store.endpoints.get(
    String(Reflect.get(record, collection === "endpoints" ? "id" : "endpointId")),
  )?.name;
  const base = own === undefined ? undefined : rolloutName(own);
  return refersTo("endpointId") || (base !== undefined && other !== undefined && rolloutName(other) === base);
}

function endpointDetail(service: Service, endpoint: EndpointRecord): EndpointDetail {
  const { store } = service;
  const { id, version } = endpoint;
  const rollout = rolloutOf(service, endpoint);
  return {
    workers: store.workers.by("endpoint", id).map((worker) => ({
      id: worker.id,
      status: worker.status,
      stale: worker.version !== version,
      version: worker.version,
      gpuTypeId: worker.gpuTypeId,
      dataCenterId: worker.dataCenterId,
      jobId: worker.jobId,
      since: worker.since,
    })),
    jobCounts: loadOf(service, endpoint),
    jobs: store.jobs.by("endpoint", id).slice(-MOST_JOBS).reverse().map(jobLine),
    releases: store.releases
      .by("endpoint", id)
      .slice(-MOST_RELEASES)
      .reverse()
      .map(({ version, createdAt, diff }) => ({ version, createdAt, fields: diff.map(({ field }) => field) })),
    history: historyOf(service, id, MOST_SAMPLES),
    ...(rollout && { rollout }),
  };
}
