import { z } from "zod";

/** The states that are known; the service may learn others, and a job in one of them is not finished. */
export const jobStatuses = ["IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Extra facts: one that is missing, or is not what it used to be, is left out. */
function optional<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

const status = z
  .string()
  .min(1)
  .transform((word) => word as JobStatus);

/** A submission's answer is of no use without the job's id. */
export function submissionReply(assumed: JobStatus) {
  return jobReply(assumed).extend({ id: z.string().min(1) });
}

/** @param assumed what an answer means that leaves the status out */
export function jobReply(assumed?: JobStatus) {
  return z.object({
    id: optional(z.string().min(1)),
    status: assumed === undefined ? status : status.catch(assumed),
    delayTime: optional(z.number()),
    executionTime: optional(z.number()),
    workerId: optional(z.string()),
    retries: optional(z.number()),
    output: z.unknown().optional(),
    error: z.unknown().optional(),
  });
}

/** A job as the queue shows it. Times are milliseconds. */
export interface Job<Output = unknown> extends Omit<z.infer<ReturnType<typeof jobReply>>, "id" | "output"> {
  id: string;
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

const ChunkReply = z.object({
  output: z.unknown().optional(),
  metrics: optional(z.record(z.string(), z.unknown())),
});

/** Some versions of the service answer with the bare list. */
export const StreamReply = z
  .union([z.object({ status: optional(status), stream: z.array(ChunkReply) }), z.array(ChunkReply)])
  .transform((body) => (Array.isArray(body) ? { status: undefined, chunks: body } : { ...body, chunks: body.stream }));
export type StreamReply = z.infer<typeof StreamReply>;

/** A piece of a job's output, as the worker yielded it. */
export interface StreamChunk<Output = unknown> {
  output: Output;
  metrics?: Record<string, unknown> | undefined;
}

export const PurgeReply = z.object({ removed: z.number(), status: optional(z.string()) });
export type PurgeReply = z.infer<typeof PurgeReply>;

const count = z.number().catch(0);

export const QueueHealth = z.object({
  jobs: z.object({ completed: count, failed: count, inProgress: count, inQueue: count, retried: count }),
  workers: z.object({
    idle: count,
    running: count,
    initializing: optional(z.number()),
    ready: optional(z.number()),
    throttled: optional(z.number()),
    unhealthy: optional(z.number()),
  }),
});
export type QueueHealth = z.infer<typeof QueueHealth>;
