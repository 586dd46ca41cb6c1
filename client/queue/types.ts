/* Without zod, because the compiler of a program reads these types. */

/** The known states. A job in a state that the service adds later counts as unfinished. */
export type JobStatus = "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "CANCELLED" | "TIMED_OUT";

/** A job as the queue shows it. Times are in milliseconds. */
export interface Job<Output = unknown> {
  /** Opaque, such as `2f0c…-u1`. */
  id: string;
  status: JobStatus;
  /** How long it waited for a worker. */
  delayTime?: number | undefined;
  /** How long the worker took. */
  executionTime?: number | undefined;
  /** The worker that runs or ran it. */
  workerId?: string | undefined;
  /** How often the service started it again. */
  retries?: number | undefined;
  /** The handler's result. For a job in progress: the worker's latest progress message. */
  output?: Output | undefined;
  /** Why it failed, usually a text from the handler. */
  error?: unknown;
}

/** A job with the status `COMPLETED`. */
export interface CompletedJob<Output = unknown> extends Job<Output> {
  status: "COMPLETED";
  output: Output;
}

/** A job with any other status. */
export interface OtherJob<Output = unknown> extends Job<Output> {
  status: Exclude<JobStatus, "COMPLETED">;
}

export interface JobPolicy {
  /** How long a worker may take, 5 s to 7 days. Milliseconds. Default: the endpoint's timeout, otherwise 10 minutes. */
  executionTimeout?: number | undefined;
  /** How long the queue keeps the job after its submission, whatever its state, 10 s to 7 days. Milliseconds. Default 24 h. */
  ttl?: number | undefined;
  /** Whether the job waits for a running worker instead of starting one. Default false. */
  lowPriority?: boolean | undefined;
}

export interface JobRequest {
  /** The input of the worker's handler. The request has at most 10 MB of JSON by `run`, and 20 MB by `runSync`. */
  input: unknown;
  /** An address that gets a POST when the job has ended; see `readWebhook`. Default: none. */
  webhook?: string | undefined;
  policy?: JobPolicy | undefined;
  /** Storage that the worker gets, for results too large for an answer. Default: none. */
  s3Config?: { accessId: string; accessSecret: string; bucketName: string; endpointUrl: string } | undefined;
}

/** One part of a job's output, as the worker yielded it. */
export interface StreamChunk<Output = unknown> {
  output: Output;
  metrics?: Record<string, unknown> | undefined;
}

export interface PurgeReply {
  /** Jobs that were removed. */
  removed: number;
  /** Set when an answer was lost: earlier attempts may have removed more. */
  isLeast?: true | undefined;
  status?: string | undefined;
}

/** The numbers of jobs and workers, by state. */
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
