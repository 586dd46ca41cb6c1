import type { z } from "zod";
import { NotFoundError } from "../errors";
import { conform } from "../json";
import type { CallOptions } from "../options";
import { fillPath, queryText } from "../path";
import { secretsIn } from "../redact";
import type { CallClass, Settle } from "../retry";
import type { Transport } from "../transport";
import { KnownJobs } from "./knownJobs";
import { limits, type Operation, requestText, streamHeldMs, syncWait } from "./limits";
import { Pace } from "./pace";
import { type Job, JobReply, type JobRequest, PurgeReply, QueueHealth, StreamReply } from "./schemas";

interface QueueCall<T> extends CallOptions {
  schema: z.ZodType<T>;
  method: "GET" | "POST";
  class: CallClass;
  /** Below `/v2/{endpointId}`. */
  path: string;
  id?: string | undefined;
  query?: object;
  body?: { text: string; secrets: string[] };
  heldMs?: number | undefined;
  settle?: Settle<T>;
}

/** The operations of one endpoint's queue, one call each, within the service's limits. */
export class QueueCalls {
  readonly transport: Transport;
  readonly endpointId: string;
  readonly known: KnownJobs;
  readonly #paces = new Map<Operation, Pace>();

  constructor(transport: Transport, endpointId: string) {
    this.transport = transport;
    this.endpointId = endpointId;
    this.known = new KnownJobs(transport.clock);
  }

  run(request: JobRequest, repeatable: boolean, options: CallOptions): Promise<Job> {
    return this.#submit("run", request, repeatable, { path: "/run", ...options });
  }

  runSync(
    request: JobRequest,
    repeatable: boolean,
    { waitMs, ...options }: CallOptions & { waitMs?: number | undefined },
  ) {
    const heldMs = waitMs ?? syncWait.default;
    return this.#submit("runSync", request, repeatable, {
      path: "/runsync",
      query: { wait: waitMs },
      heldMs,
      ...options,
    });
  }

  status(id: string, options: CallOptions): Promise<Job> {
    return this.#ofJob("status", { method: "GET", class: "repeatable", path: "/status/{id}", id, ...options });
  }

  /** Takes chunks off the job's stream: a lost answer takes them along, so that it is no call to repeat blindly. */
  async stream(id: string, options: CallOptions): Promise<StreamReply> {
    const call = { schema: StreamReply, method: "GET", class: "job", path: "/stream/{id}", id } as const;
    return this.#send("stream", { ...call, heldMs: streamHeldMs, ...options });
  }

  cancel(id: string, options: CallOptions): Promise<Job> {
    const settle = this.#settledWhen(id, options, (job) => job.status === "CANCELLED");
    return this.#ofJob("cancel", { method: "POST", class: "action", path: "/cancel/{id}", id, settle, ...options });
  }

  retry(id: string, options: CallOptions): Promise<Job> {
    const settle = this.#settledWhen(id, options, ({ status }) => status !== "FAILED" && status !== "TIMED_OUT");
    return this.#ofJob("retry", { method: "POST", class: "action", path: "/retry/{id}", id, settle, ...options });
  }

  purgeQueue(options: CallOptions): Promise<PurgeReply> {
    const call = { schema: PurgeReply, method: "POST", class: "repeatable", path: "/purge-queue" } as const;
    return this.#send("purgeQueue", { ...call, ...options });
  }

  health(options: CallOptions): Promise<QueueHealth> {
    return this.#send("health", {
      schema: QueueHealth,
      method: "GET",
      class: "repeatable",
      path: "/health",
      ...options,
    });
  }

  async #submit(
    operation: "run" | "runSync",
    request: JobRequest,
    repeatable: boolean,
    call: Pick<QueueCall<Job>, "path" | "query" | "heldMs" | "signal">,
  ): Promise<Job> {
    const job = await this.#send(operation, {
      schema: JobReply,
      method: "POST",
      class: repeatable ? "repeatable" : "job",
      body: { text: requestText(operation, request), secrets: secretsIn(request) },
      ...call,
    });
    this.known.submitted(job, request.policy?.ttl);
    return job;
  }

  async #ofJob(operation: Operation, call: Omit<QueueCall<Job>, "schema">): Promise<Job> {
    const job = await this.#send(operation, { schema: JobReply, ...call });
    this.known.seen(job);
    return job;
  }

  /** After a lost answer: whether the job shows that the call was heard. */
  #settledWhen(id: string, options: CallOptions, heard: (job: Job) => boolean): Settle<Job> {
    return async () => {
      const job = await this.status(id, options);
      return heard(job) ? { value: job } : undefined;
    };
  }

  async #send<T>(operation: Operation, { schema, path, id, query, body, settle, ...call }: QueueCall<T>): Promise<T> {
    const { endpointId, transport } = this;
    const filled = fillPath(`/v2/{endpointId}${path}`, { endpointId, ...(id !== undefined && { id }) });
    const wire = {
      ...call,
      gate: `queue ${endpointId}`,
      url: `${transport.serverlessUrl}${filled}${queryText(query)}`,
      label: `${call.method} ${filled}`,
      kind: id === undefined ? "Queue" : "Job",
      id: id ?? endpointId,
      body: body?.text,
      secrets: body?.secrets,
      rawKey: true,
    };
    const send = () =>
      transport.send(wire, (answer) => conform(schema, answer.json, { ...wire, status: answer.status }), settle);
    try {
      return await (this.#pace(operation)?.run(send, call.signal) ?? send());
    } catch (error) {
      throw id !== undefined && error instanceof NotFoundError ? this.known.missing(id, error) : error;
    }
  }

  #pace(operation: Operation): Pace | undefined {
    const limit = limits[operation];
    if (limit === undefined) return undefined;
    const pace = this.#paces.get(operation) ?? new Pace(this.transport.clock, limit);
    this.#paces.set(operation, pace);
    return pace;
  }
}
