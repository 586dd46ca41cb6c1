import { z } from "zod";

export const JobStatus = z.enum(["IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"]);
export type JobStatus = z.infer<typeof JobStatus>;

export const JobReply = z.object({
  id: z.string(),
  status: JobStatus,
  delayTime: z.number().optional(),
  executionTime: z.number().optional(),
  workerId: z.string().optional(),
  retries: z.int().optional(),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** A job as the queue shows it. Times are milliseconds. */
export interface Job<Output = unknown> extends Omit<z.infer<typeof JobReply>, "output"> {
  /** Of a job in progress: the worker's last word on how far it is. */
  output?: Output | undefined;
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

const ChunkReply = z.object({ output: z.unknown().optional(), metrics: z.record(z.string(), z.unknown()).optional() });

/** Some versions of the service answer with the bare list. */
export const StreamReply = z
  .union([z.object({ status: JobStatus, stream: z.array(ChunkReply) }), z.array(ChunkReply)])
  .transform((body) => (Array.isArray(body) ? { status: undefined, chunks: body } : { ...body, chunks: body.stream }));
export type StreamReply = z.infer<typeof StreamReply>;

/** A piece of a job's output, as the worker yielded it. */
export interface StreamChunk<Output = unknown> {
  output: Output;
  metrics?: Record<string, unknown> | undefined;
}

export const PurgeReply = z.object({ removed: z.int(), status: z.string() });
export type PurgeReply = z.infer<typeof PurgeReply>;

export const QueueHealth = z.object({
  jobs: z.object({
    completed: z.int(),
    failed: z.int(),
    inProgress: z.int(),
    inQueue: z.int(),
    retried: z.int(),
  }),
  workers: z.object({
    idle: z.int(),
    running: z.int(),
    initializing: z.int().optional(),
    ready: z.int().optional(),
    throttled: z.int().optional(),
    unhealthy: z.int().optional(),
  }),
});
export type QueueHealth = z.infer<typeof QueueHealth>;
