import type { z } from "zod";
import { BadRequestError, ComputeCloudError, ContractError, NotFoundError, TimeoutError } from "../errors";
import { conform } from "../json";
import { fillPath, queryText } from "../path";
import { secretsIn } from "../redact";
import type { CallClass, Reconcile } from "../retry";
import type { Answer, Transport } from "../transport";
import { withDeadline } from "./deadline";
import { SubmissionLostError } from "./errors";
import { KnownJobs } from "./knownJobs";
import { Limiter } from "./limiter";
import {
  checkRange,
  documentedLimits,
  type Limits,
  type Operation,
  ranges,
  requestText,
  STREAM_HELD_MS,
  syncWait,
} from "./limits";
import type { QueueCallOptions, StatusOptions } from "./options";
import { isFinal } from "./outcome";
import { jobReply, purgeReply, queueHealth, type StreamReply, streamReply, submissionReply } from "./replies";
import type { Job, JobRequest, PurgeReply, QueueHealth } from "./types";

interface QueueCall<T> extends QueueCallOptions {
  schema: z.ZodType<T>;
  method: "GET" | "POST";
  class: CallClass;
  /** Below `/v2/{endpointId}`. */
  path: string;
  id?: string | undefined;
  query?: object | undefined;
  body?: { text: string; secrets: () => string[] };
  heldMs?: number | undefined;
  reconcile?: Reconcile<T>;
  waitSignal?: AbortSignal | undefined;
}

interface SubmitCallOptions extends QueueCallOptions {
  /** Sends it again after a lost answer. */
  repeatable: boolean;
  /** Ends the waits before the submission; one that is under way is heard to its end. */
  waitSignal?: AbortSignal | undefined;
}

/** Of an answer that leaves the job's status out. */
const replies = {
  submission: submissionReply("IN_QUEUE"),
  status: jobReply(),
  cancel: jobReply("CANCELLED"),
  retry: jobReply("IN_QUEUE"),
};

/** The operations of one endpoint's queue, one call each, within the service's limits. */
export class QueueCalls {
  readonly transport: Transport;
  readonly endpointId: string;
  readonly known: KnownJobs;
  readonly #limits: Limits;
  readonly #limiters = new Map<Operation, Limiter>();
  /** The path of all calls, once the id of the endpoint was found fit for it. */
  #root: string | undefined;

  constructor(transport: Transport, endpointId: string) {
    this.transport = transport;
    this.#limits = { ...documentedLimits, ...transport.queueLimits };
    this.endpointId = endpointId;
    this.known = new KnownJobs(transport.clock);
  }

  run(request: JobRequest, options: SubmitCallOptions): Promise<Job> {
    return this.#submit("run", request, { path: "/run", ...options });
  }

  runSync(request: JobRequest, { waitMs, ...options }: SubmitCallOptions & { waitMs?: number | undefined }) {
    const heldMs = waitMs ?? syncWait.default;
    return this.#submit("runSync", request, { path: "/runsync", query: { wait: waitMs }, heldMs, ...options });
  }

  async status(id: string, { ttl, ...options }: StatusOptions): Promise<Job> {
    checkRange("ttl", ttl, ranges.statusTtl);
    const call = { method: "GET", class: "repeatable", path: "/status/{id}", id, query: { ttl } } as const;
    const job = await this.#ofJob("status", { ...call, ...options });
    if (ttl !== undefined && !isFinal(job.status)) this.known.lives(job, ttl);
    return job;
  }

  /** Takes chunks off the job's stream: a lost answer takes them along, so that it is no call to repeat blindly. */
  stream(id: string, options: QueueCallOptions): Promise<StreamReply> {
    const call = { schema: streamReply, method: "GET", class: "job", path: "/stream/{id}", id } as const;
    return this.#send("stream", { ...call, heldMs: STREAM_HELD_MS, ...options });
  }

  /** Cancels a job; one that is finished already stays as it is, and is what this resolves to. */
  async cancel(id: string, options: QueueCallOptions): Promise<Job> {
    const reconcile = this.#heardWhen(id, options, (job) => job.status === "CANCELLED");
    const call = { method: "POST", class: "action", path: "/cancel/{id}", id, reconcile } as const;
    try {
      return await this.#ofJob("cancel", { ...call, ...options });
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error;
      const job = await this.status(id, options);
      if (isFinal(job.status)) return job;
      throw error;
    }
  }

  retry(id: string, options: QueueCallOptions): Promise<Job> {
    const reconcile = this.#heardWhen(id, options, ({ status }) => status !== "FAILED" && status !== "TIMED_OUT");
    return this.#ofJob("retry", { method: "POST", class: "action", path: "/retry/{id}", id, reconcile, ...options });
  }

  purgeQueue(options: QueueCallOptions): Promise<PurgeReply> {
    const call = { schema: purgeReply, method: "POST", class: "repeatable", path: "/purge-queue" } as const;
    return this.#send("purgeQueue", { ...call, ...options });
  }

  health(options: QueueCallOptions): Promise<QueueHealth> {
    const call = { schema: queueHealth, method: "GET", class: "repeatable", path: "/health" } as const;
    return this.#send("health", { ...call, ...options });
  }

  async #submit(
    operation: "run" | "runSync",
    request: JobRequest,
    { repeatable, ...call }: SubmitCallOptions & Pick<QueueCall<Job>, "path" | "query" | "heldMs">,
  ): Promise<Job> {
    const body = { text: requestText(operation, request), secrets: () => secretsIn(request) };
    try {
      const job = await this.#send(operation, {
        schema: replies.submission,
        method: "POST",
        class: repeatable ? "repeatable" : "job",
        body,
        ...call,
      });
      this.known.submitted(job, request.policy?.ttl);
      return job;
    } catch (error) {
      const lost = error instanceof ComputeCloudError && (error.outcomeUnknown || error instanceof ContractError);
      throw lost ? new SubmissionLostError(this.endpointId, error) : error;
    }
  }

  async #ofJob(
    operation: "status" | "cancel" | "retry",
    { id, ...call }: Omit<QueueCall<Job>, "schema"> & { id: string },
  ): Promise<Job> {
    const answer = await this.#send(operation, { schema: replies[operation], id, ...call });
    const job = { ...answer, id };
    this.known.seen(job);
    return job;
  }

  /** After a lost answer: whether the job shows that the call was heard. */
  #heardWhen(id: string, options: QueueCallOptions, heard: (job: Job) => boolean): Reconcile<Job> {
    return async () => {
      const job = await this.status(id, options);
      return heard(job) ? { value: job } : undefined;
    };
  }

  async #send<T>(operation: Operation, call: QueueCall<T>): Promise<T> {
    const { schema, path, id, query, body, reconcile, timeoutMs, signal, ...rest } = call;
    const { endpointId, transport } = this;
    this.#root ??= fillPath("/v2/{endpointId}", { endpointId });
    const filled = this.#root + (id === undefined ? path : fillPath(path, { id }));
    const label = `${call.method} ${filled}`;
    const subject = { kind: id === undefined ? "Queue" : "Job", id: id ?? endpointId };
    const wire = {
      ...rest,
      ...subject,
      quota: `queue ${endpointId}`,
      url: `${transport.serverlessUrl}${filled}${queryText(query)}`,
      label,
      body: body?.text,
      secrets: body?.secrets,
      key: "raw" as const,
    };
    const began = transport.clock.now();
    const limiter = this.#limiter(operation);
    try {
      if (limiter !== undefined && !limiter.tryEnter()) {
        const late = () =>
          new TimeoutError(
            `${label}: the limit of the queue's ${operation} calls kept it back for ${timeoutMs} ms. Allow more time.`,
            { ...subject, elapsedMs: timeoutMs },
          );
        const wait = (signal: AbortSignal | undefined) => limiter.enter(signal);
        await withDeadline(timeoutMs, call.waitSignal ?? signal, late, wait);
      }
      try {
        const leftMs = timeoutMs === undefined ? undefined : Math.max(1, timeoutMs - (transport.clock.now() - began));
        const read = (answer: Answer) => conform(schema, answer.json, { ...subject, status: answer.status });
        return await transport.send({ ...wire, signal, timeoutMs: leftMs }, read, reconcile);
      } finally {
        limiter?.leave();
      }
    } catch (error) {
      throw id !== undefined && error instanceof NotFoundError ? this.known.missing(id, error) : error;
    }
  }

  #limiter(operation: Operation): Limiter | undefined {
    const limit = this.#limits[operation];
    if (limit === undefined) return undefined;
    const limiter = this.#limiters.get(operation) ?? new Limiter(this.transport.clock, limit);
    this.#limiters.set(operation, limiter);
    return limiter;
  }
}
