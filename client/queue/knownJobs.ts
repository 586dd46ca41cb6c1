import type { NotFoundError } from "../errors";
import type { Clock } from "../options";
import { JobExpiredError, ResultExpiredError } from "./errors";
import { defaultTtlMs, retentionMs } from "./limits";
import { isFinal } from "./status";
import type { Job } from "./types";

/** A forgotten job only gets a less specific error for its 404. */
const MOST = 10_000;

interface KnownJob {
  /** When its time to live ends; absent for a job that someone else submitted. */
  expiresAt?: number | undefined;
  ttlMs: number;
  seenAt: number;
  finished: boolean;
}

/** Remembers jobs, so that a 404 can be explained: the job expired, finished long ago, or never existed. */
export class KnownJobs {
  readonly #jobs = new Map<string, KnownJob>();

  constructor(private readonly clock: Clock) {}

  /** The job was submitted, perhaps by an earlier process, or got a new time to live. */
  submitted(job: Job, ttlMs = defaultTtlMs, at = this.clock.now()): void {
    this.#put(job, { expiresAt: at + ttlMs, ttlMs }, at);
  }

  seen(job: Job): void {
    this.#put(job, this.#jobs.get(job.id) ?? { ttlMs: defaultTtlMs }, this.clock.now());
  }

  /** Whether a 404 of this job has no explanation: it was submitted or seen, and neither its end nor its time has come. */
  isUnfinished(id: string): boolean {
    const job = this.#jobs.get(id);
    return job !== undefined && !job.finished && (job.expiresAt ?? Number.POSITIVE_INFINITY) > this.clock.now();
  }

  /** The error for a job that the queue does not know. */
  missing(id: string, error: NotFoundError): NotFoundError {
    const job = this.#jobs.get(id);
    if (job === undefined) return error;
    const now = this.clock.now();
    const keptMs = id.startsWith("sync-") ? retentionMs.runSync : retentionMs.run;
    if (job.finished) return new ResultExpiredError(id, keptMs);
    if (job.expiresAt !== undefined && now >= job.expiresAt) return new JobExpiredError(id, job.ttlMs);
    return now - job.seenAt >= keptMs ? new ResultExpiredError(id, keptMs) : error;
  }

  #put({ id, status }: Job, { expiresAt, ttlMs }: Pick<KnownJob, "expiresAt" | "ttlMs">, seenAt: number): void {
    this.#jobs.delete(id);
    this.#jobs.set(id, { expiresAt, ttlMs, seenAt, finished: isFinal(status) });
    if (this.#jobs.size <= MOST) return;
    const [oldest = id] = this.#jobs.keys();
    this.#jobs.delete(oldest);
  }
}
