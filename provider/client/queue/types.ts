/* Without zod: a program's compiler reads these types. */

/** The states that are known; the service may learn others, and a job in one of them is not finished. */
export const jobStatuses = ["IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** A job as the queue shows it. Times are milliseconds. */
export interface Job<Output = unknown> {
  id: string;
  status: JobStatus;
  delayTime?: number | undefined;
  executionTime?: number | undefined;
  workerId?: string | undefined;
  retries?: number | undefined;
  /** Of a job in progress: the worker's last word on how far it is. */
  output?: Output | undefined;
  error?: unknown;
}

/** A job that went well. */
export interface CompletedJob<Output = unknown> extends Job<Output> {
  status: "COMPLETED";
  output: Output;
}

/** A job that has not completed, or never will. */
export interface OtherJob extends Job {
  status: Exclude<JobStatus, "COMPLETED">;
}

export interface JobPolicy {
  /** How long a worker may take, 5 s to 7 d. Milliseconds. Default: the endpoint's timeout, else 10 minutes. */
  executionTimeout?: number | undefined;
  /** How long the job is kept from its submission on, whatever its state, 10 s to 7 d. Milliseconds. Default 24 h. */
  ttl?: number | undefined;
  /** Starts no worker for this job. Default false. */
  lowPriority?: boolean | undefined;
}

export interface JobRequest {
  /** What the worker's handler is given; at most 10 MB of JSON by `run`, 20 MB by `runSync`. */
  input: unknown;
  /** Told once, by a POST, how the job ended. */
  webhook?: string | undefined;
  policy?: JobPolicy | undefined;
  /** Handed to the worker, for results too large for an answer. */
  s3Config?: { accessId: string; accessSecret: string; bucketName: string; endpointUrl: string } | undefined;
}

/** A piece of a job's output, as the worker yielded it. */
export interface StreamChunk<Output = unknown> {
  output: Output;
  metrics?: Record<string, unknown> | undefined;
}

export interface PurgeReply {
  removed: number;
  /** An answer was lost: the attempts before the one that was answered may have removed more. */
  isLeast?: true | undefined;
  status?: string | undefined;
}

/** How many jobs and workers there are, by state. */
export interface QueueHealth {
  jobs: { completed: number; failed: number; inProgress: number; inQueue: number; retried: number };
  workers: {
    idle: number;
    running: number;
    initializing?: number | undefined;
    ready?: number | undefined;
    throttled?: number | undefined;
    unhealthy?: number | undefined;
  };
}
