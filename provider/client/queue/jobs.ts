import { z } from "zod";
import { conform } from "../json";
import type { CallOptions } from "../options";
import { fillPath, queryText } from "../path";
import { secretsIn } from "../redact";
import type { CallClass } from "../retry";
import type { Transport } from "../transport";

export const JobStatus = z.enum(["IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"]);
export type JobStatus = z.infer<typeof JobStatus>;

/** A job as the queue shows it. Times are milliseconds. */
export const Job = z.object({
  id: z.string(),
  status: JobStatus,
  delayTime: z.number().optional(),
  executionTime: z.number().optional(),
  workerId: z.string().optional(),
  retries: z.int().optional(),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type Job = z.infer<typeof Job>;

export interface JobRequest {
  input: unknown;
  webhook?: string | undefined;
  policy?: { executionTimeout?: number; ttl?: number; lowPriority?: boolean } | undefined;
  s3Config?: { accessId: string; accessSecret: string; bucketName: string; endpointUrl: string } | undefined;
}

export interface SubmitOptions extends CallOptions {
  /** Running it twice does no harm: a lost answer is followed by another submission. */
  idempotent?: boolean | undefined;
}

const Chunk = z.object({ output: z.unknown().optional(), metrics: z.record(z.string(), z.unknown()).optional() });
export const JobStream = z
  .union([z.object({ status: JobStatus, stream: z.array(Chunk) }), z.array(Chunk)])
  .transform((body) => (Array.isArray(body) ? { status: undefined, stream: body } : body));
export type JobStream = z.infer<typeof JobStream>;

const Purged = z.object({ removed: z.int(), status: z.string() });

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

interface QueueCall extends CallOptions {
  method: "GET" | "POST";
  class: CallClass;
  /** Below `/v2/{endpointId}`. */
  path: string;
  params?: Readonly<Record<string, string>>;
  query?: object;
  body?: unknown;
  heldMs?: number | undefined;
}

const defaultWaitMs = 90_000;
/** How long the service holds a stream that has nothing new. */
const streamHeldMs = 10_000;

/** Job operations of one endpoint, one call each. */
export function queue(transport: Transport, endpointId: string) {
  const send = <T>(schema: z.ZodType<T>, { path, params, query, body, ...call }: QueueCall): Promise<T> => {
    const filled = fillPath(`/v2/{endpointId}${path}`, { endpointId, ...params });
    const wire = {
      ...call,
      gate: `queue ${endpointId}`,
      url: `${transport.serverlessUrl}${filled}${queryText(query)}`,
      label: `${call.method} ${filled}`,
      kind: params?.id === undefined ? "Queue" : "Job",
      id: params?.id ?? endpointId,
      body: body === undefined ? undefined : JSON.stringify(body),
      secrets: secretsIn(body),
      rawKey: true,
    };
    return transport.send(wire, (answer) => conform(schema, answer.json, { ...wire, status: answer.status }));
  };
  const submit = ({ idempotent, signal }: SubmitOptions) =>
    ({ method: "POST", class: idempotent === true ? "repeatable" : "job", signal }) as const;

  return {
    /** Submits a job and resolves at once. */
    run: (request: JobRequest, options: SubmitOptions = {}) =>
      send(Job, { ...submit(options), path: "/run", body: request }),
    /** Submits a job and waits up to `waitMs`; a job that takes longer comes back unfinished. */
    runSync: (request: JobRequest, { waitMs, ...options }: SubmitOptions & { waitMs?: number } = {}) =>
      send(Job, {
        ...submit(options),
        path: "/runsync",
        query: { wait: waitMs },
        body: request,
        heldMs: waitMs ?? defaultWaitMs,
      }),
    status: (id: string, options: CallOptions = {}) =>
      send(Job, { method: "GET", class: "repeatable", path: "/status/{id}", params: { id }, ...options }),
    /** What the job has put out since the last call. */
    stream: (id: string, options: CallOptions = {}) =>
      send(JobStream, {
        method: "GET",
        class: "repeatable",
        path: "/stream/{id}",
        params: { id },
        heldMs: streamHeldMs,
        ...options,
      }),
    cancel: (id: string, options: CallOptions = {}) =>
      send(Job, { method: "POST", class: "repeatable", path: "/cancel/{id}", params: { id }, ...options }),
    /** Runs a failed or timed-out job again, under the same id. */
    retry: (id: string, options: CallOptions = {}) =>
      send(Job, { method: "POST", class: "job", path: "/retry/{id}", params: { id }, ...options }),
    /** Removes the jobs that wait. */
    purgeQueue: (options: CallOptions = {}) =>
      send(Purged, { method: "POST", class: "repeatable", path: "/purge-queue", ...options }),
    health: (options: CallOptions = {}) =>
      send(QueueHealth, { method: "GET", class: "repeatable", path: "/health", ...options }),
  };
}
export type Queue = ReturnType<typeof queue>;
