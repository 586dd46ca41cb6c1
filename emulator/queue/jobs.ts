import { newId } from "../ids";
import { badRequest, notFound } from "../problem";
import type { Service } from "../service";
import type { EndpointRecord, JobRecord } from "../store/records";
import { callOff, reconcile } from "../workers/fleet";
import type { Submission } from "./requests";
import { finish, forget, forgetInTime, isFinal, markQueued } from "./transitions";

const MINUTE_MS = 60_000;
const RUN_RETENTION_MS = 30 * MINUTE_MS;
/** The retention of a runSync job is its `wait`, within these bounds. */
const SYNC_RETENTION_MS = { least: MINUTE_MS, most: 5 * MINUTE_MS };

/** Adds a job to the endpoint's queue. @param waitMs for `/runsync`: how long the caller waits for the result */
export function submit(service: Service, endpoint: EndpointRecord, submission: Submission, waitMs?: number): JobRecord {
  const { clock, store } = service;
  const { input, webhook, s3Config, policy } = submission;
  const now = clock.now();
  const job = store.jobs.put({
    id: waitMs === undefined ? newId.job() : newId.syncJob(),
    endpointId: endpoint.id,
    status: "IN_QUEUE",
    input,
    retries: 0,
    executionTimeout: policy.executionTimeout ?? endpoint.timeout,
    ttl: policy.ttl,
    lowPriority: policy.lowPriority,
    retention:
      waitMs === undefined
        ? RUN_RETENTION_MS
        : Math.min(Math.max(waitMs, SYNC_RETENTION_MS.least), SYNC_RETENTION_MS.most),
    ...(webhook !== undefined && { webhook }),
    ...(s3Config !== undefined && { s3Config }),
    createdAt: now,
    queuedAt: now,
    expiresAt: now + policy.ttl,
  });
  store.endpoints.put({ ...endpoint, lastRequestAt: now });
  giveUpInTime(service, job);
  reconcile(service, endpoint.id);
  return job;
}

export function findJob({ store }: Service, { id }: EndpointRecord, jobId: string): JobRecord {
  const job = store.jobs.get(jobId);
  if (job === undefined || job.endpointId !== id) throw notFound("job");
  return job;
}

export function cancel(service: Service, job: JobRecord): void {
  if (isFinal(job)) throw badRequest(`job is ${job.status} and cannot be cancelled`);
  callOff(service, job);
  finish(service, job, "CANCELLED");
  reconcile(service, job.endpointId);
}

/** Queues a failed job again, with the same id and nothing of the first run. */
export function retry(service: Service, job: JobRecord): void {
  if (job.status !== "FAILED" && job.status !== "TIMED_OUT")
    throw badRequest(`job is ${job.status}: only FAILED and TIMED_OUT jobs can be retried`);
  for (const { id } of service.store.chunks.by("job", job.id)) service.store.chunks.delete(id);
  giveUpInTime(service, markQueued(service, job, { retries: 0, expiresAt: service.clock.now() + job.ttl }));
  reconcile(service, job.endpointId);
}

/** Cancels the waiting jobs, not the running ones. Returns their number. */
export function purgeQueue(service: Service, { id }: EndpointRecord): number {
  const waiting = service.store.jobs.by("status", `${id}/IN_QUEUE`);
  for (const job of waiting) finish(service, job, "CANCELLED");
  reconcile(service, id);
  return waiting.length;
}

/** Sets a job's time to live, counted from now, whatever its status. */
export function limitLife(service: Service, job: JobRecord, ttl: number): void {
  const limited = service.store.jobs.put({ ...job, expiresAt: service.clock.now() + ttl });
  if (isFinal(limited)) forgetInTime(service, limited);
  else giveUpInTime(service, limited);
}

/** The number of jobs by status, and of those that ran more than once. */
export function jobCounts({ store: { jobs } }: Service, { id }: EndpointRecord) {
  return {
    completed: jobs.count("status", `${id}/COMPLETED`),
    failed: jobs.count("status", `${id}/FAILED`) + jobs.count("status", `${id}/TIMED_OUT`),
    inProgress: jobs.count("status", `${id}/IN_PROGRESS`),
    inQueue: jobs.count("status", `${id}/IN_QUEUE`),
    retried: jobs.count("retried", id),
  };
}

/** Schedules the expiry of the jobs in a loaded state. */
export function resumeJobs(service: Service): void {
  for (const job of service.store.jobs.values()) (isFinal(job) ? forgetInTime : giveUpInTime)(service, job);
}

/** Schedules the end of an unfinished job's life. A waiting job times out; a running one is deleted with its output. */
function giveUpInTime(service: Service, { id, expiresAt }: JobRecord): void {
  service.clock.at(expiresAt, () => {
    const job = service.store.jobs.get(id);
    if (job === undefined || isFinal(job) || job.expiresAt > service.clock.now()) return;
    callOff(service, job);
    if (job.status === "IN_QUEUE") finish(service, job, "TIMED_OUT");
    else forget(service, id);
    reconcile(service, job.endpointId);
  });
}
