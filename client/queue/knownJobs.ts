import type { NotFoundError } from "../errors";
import type { Clock } from "../options";
import { JobExpiredError, ResultExpiredError } from "./errors";
import { defaultTtlMs, retentionMs } from "./limits";
import { isFinal } from "./status";
import type { Job } from "./types";

/** The older half is forgotten at once. A forgotten job only gets a less specific error for its 404. */
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
  readonly #clock: Clock;
  #recent = new Map<string, KnownJob>();
  #older: ReadonlyMap<string, KnownJob> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The job was submitted, or got a new time to live. */
  submitted(job: Job, ttlMs = defaultTtlMs): void {
    this.#put(job, { expiresAt: this.#clock.now() + ttlMs, ttlMs });
  }

  /** Notes a job that an earlier process submitted. */
  submittedAt(id: string, at: number, ttlMs = defaultTtlMs): void {
    this.#put({ id, status: "IN_QUEUE" }, { expiresAt: at + ttlMs, ttlMs }, at);
  }

  seen(job: Job): void {
    this.#put(job, this.#get(job.id) ?? { ttlMs: defaultTtlMs });
  }

  /** Whether a 404 of this job has no explanation: it was submitted or seen, and neither its end nor its time has come. */
  isUnfinished(id: string): boolean {
    const job = this.#get(id);
    return job !== undefined && !job.finished && (job.expiresAt ?? Number.POSITIVE_INFINITY) > this.#clock.now();
  }

  /** The error for a job that the queue does not know. */
  missing(id: string, error: NotFoundError): NotFoundError {
    const job = this.#get(id);
    if (job === undefined) return error;
    const now = this.#clock.now();
    const keptMs = id.startsWith("sync-") ? retentionMs.runSync : retentionMs.run;
    if (job.finished) return new ResultExpiredError(id, keptMs);
    if (job.expiresAt !== undefined && now >= job.expiresAt) return new JobExpiredError(id, job.ttlMs);
    return now - job.seenAt >= keptMs ? new ResultExpiredError(id, keptMs) : error;
  }

  #get(id: string): KnownJob | undefined {
    return this.#recent.get(id) ?? this.#older.get(id);
  }

  #put(
    { id, status }: Job,
    { expiresAt, ttlMs }: Pick<KnownJob, "expiresAt" | "ttlMs">,
    seenAt = this.#clock.now(),
  ): void {
    if (this.#recent.size >= MOST / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(id, { expiresAt, ttlMs, seenAt, finished: isFinal(status) });
  }
}
