import { z } from "../../common/zod";
import type { JobStatus } from "./types";

/** For fields that are not essential: a missing or malformed one is left out. */
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const status = z
  .string()
  .min(1)
  .transform((word) => word as JobStatus);

/** The answer to a call about a job. One without the job's state, such as `{}` to a cancel, tells nothing. */
export const jobReply = z.object({
  id: optional(z.string().min(1)),
  status,
  delayTime: optional(z.number()),
  executionTime: optional(z.number()),
  workerId: optional(z.string()),
  retries: optional(z.number()),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** A submission's answer is useless without the job's id. */
export const submissionReply = jobReply.extend({ id: z.string().min(1), status: status.catch("IN_QUEUE") });

const ChunkReply = z.object({ output: z.unknown().optional(), metrics: optional(z.record(z.string(), z.unknown())) });

/** Some versions of the service answer with the bare list. */
export const streamReply = z
  .union([
    z.object({ status: optional(status), stream: z.array(ChunkReply) }),
    // The last answer about a job that has ended may have nothing else.
    z.object({ status, stream: z.never().optional() }),
    z.array(ChunkReply),
  ])
  .transform((body) =>
    Array.isArray(body) ? { status: undefined, chunks: body } : { ...body, chunks: body.stream ?? [] },
  );
export type StreamReply = z.infer<typeof streamReply>;

export const purgeReply = z.object({ removed: z.number(), status: optional(z.string()) });

const count = z.int().catch(0);
const optionalCount = optional(z.int());

export const queueHealth = z.object({
  jobs: z
    .object({
      completed: count.describe("Jobs that went well."),
      failed: count.describe("Jobs that failed."),
      inProgress: count.describe("Jobs that a worker works on."),
      inQueue: count.describe("Jobs that wait for a worker."),
      retried: count.describe("Jobs that were queued again, as after the loss of their worker."),
    })
    .describe("How many jobs there are in each state."),
  workers: z
    .object({
      idle: count.describe("Workers that wait for a job."),
      running: count.describe("Workers that work on a job."),
      initializing: optionalCount.describe("Workers that start; absent where the service does not say."),
      ready: optionalCount.describe("Workers that can take a job at once; absent where the service does not say."),
      throttled: optionalCount.describe("Workers that wait for a free machine; absent where the service does not say."),
      unhealthy: optionalCount.describe("Workers that crash; absent where the service does not say."),
    })
    .describe("How many workers there are in each state."),
});

/** What the service posts to a job's webhook. */
export const webhookBody = jobReply.extend({
  id: z.string().min(1),
  input: z.unknown().optional(),
  webhook: z.string().optional().catch(undefined),
});
