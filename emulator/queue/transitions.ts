import type { Service } from "../service";
import type { JobRecord, JobStatus, WorkerRecord } from "../store/records";
import { callWebhook } from "./webhook";

type FinalStatus = Exclude<JobStatus, "IN_QUEUE" | "IN_PROGRESS">;

export const isFinal = ({ status }: JobRecord): boolean => status !== "IN_QUEUE" && status !== "IN_PROGRESS";

/** Moves a job from the queue to a worker. */
export function markStarted({ store, clock, holds }: Service, job: JobRecord, worker: WorkerRecord): JobRecord {
  const { id: workerId, startedAt: bootedAt, readyAt = 0 } = worker;
  const coldStart = Math.max(0, readyAt - Math.max(job.queuedAt, bootedAt ?? 0));
  const started = store.jobs.put({ ...job, status: "IN_PROGRESS", workerId, startedAt: clock.now(), coldStart });
  holds.changed(job.id);
  return started;
}

/** Puts a job back into the queue, as if it had never run. */
export function markQueued({ store, clock, holds }: Service, job: JobRecord, patch: Partial<JobRecord>): JobRecord {
  const {
    output: _output,
    error: _error,
    workerId: _worker,
    startedAt: _start,
    coldStart: _cold,
    finishedAt: _end,
    streamed: _pieces,
    ...fresh
  } = job;
  const queued = store.jobs.put({ ...fresh, status: "IN_QUEUE", queuedAt: clock.now(), ...patch });
  holds.changed(job.id);
  return queued;
}

/** Finishes a job. Its result can be read until its retention is over. */
export function finish(
  service: Service,
  job: JobRecord,
  status: FinalStatus,
  result: Pick<JobRecord, "error" | "output"> = {},
): JobRecord {
  const now = service.clock.now();
  const { output: _progress, ...rest } = job;
  const finished = service.store.jobs.put({
    ...rest,
    ...result,
    status,
    finishedAt: now,
    expiresAt: now + job.retention,
  });
  forgetInTime(service, finished);
  service.holds.changed(job.id);
  callWebhook(service, finished);
  return finished;
}

/** Deletes a job and its chunks, and notifies the requests that wait for it. */
export function forget({ store, holds }: Service, jobId: string): void {
  for (const { id } of store.chunks.by("job", jobId)) store.chunks.delete(id);
  store.jobs.delete(jobId);
  holds.changed(jobId);
}

/** Deletes a finished job when its retention is over, unless it was retried or kept longer in the meantime. */
export function forgetInTime(service: Service, { id, expiresAt }: JobRecord): void {
  service.clock.at(expiresAt, () => {
    const job = service.store.jobs.get(id);
    if (job !== undefined && isFinal(job) && job.expiresAt <= service.clock.now()) forget(service, id);
  });
}
