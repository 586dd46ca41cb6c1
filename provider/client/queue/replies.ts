import { z } from "zod";
import type { JobStatus } from "./types";

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

const ChunkReply = z.object({
  output: z.unknown().optional(),
  metrics: optional(z.record(z.string(), z.unknown())),
});

/** Some versions of the service answer with the bare list. */
export const streamReply = z
  .union([z.object({ status: optional(status), stream: z.array(ChunkReply) }), z.array(ChunkReply)])
  .transform((body) => (Array.isArray(body) ? { status: undefined, chunks: body } : { ...body, chunks: body.stream }));
export type StreamReply = z.infer<typeof streamReply>;

export const purgeReply = z.object({ removed: z.number(), status: optional(z.string()) });

const count = z.number().catch(0);

export const queueHealth = z.object({
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
