import type { z } from "zod";
import { getOrCreate } from "../../common/getOrCreate";
import { secretsIn } from "../../common/redact";
import type { Answer, WireCall } from "../calls/call";
import { searchWithin, timeLeft } from "../calls/cancellation";
import type { Transport } from "../calls/transport";
import { AbortError, BadRequestError, ComputeCloudError, ContractError, NotFoundError } from "../errors";
import type { ResponseEvent } from "../options";
import type { Reconcile } from "../outcomes/retry";
import { conform } from "../values/conform";
import { fillPath, pathPart, queryText } from "../values/request";
import { SubmissionLostError } from "./errors";
import { KnownJobs } from "./knownJobs";
import { Limiter } from "./limiter";
import {
  checkRange,
  type Limits,
  limitsOf,
  type QueueOperation,
  ranges,
  requestText,
  STREAM_HELD_MS,
  syncWait,
} from "./limits";
import type { QueueCallOptions, StatusOptions } from "./options";
import { jobReply, purgeReply, queueHealth, type StreamReply, streamReply, submissionReply } from "./replies";
import { isFinal } from "./status";
import type { Job, JobRequest, PurgeReply, QueueHealth } from "./types";

/** Before the second look at a job that was unfinished a moment ago and is missing in an answer. */
const SECOND_LOOK_MS = 1_000;

/** The request of one call. The caller's options are passed separately. */
interface QueueCall<T> extends Pick<WireCall, "class" | "method" | "id" | "body" | "secrets" | "heldMs"> {
  schema: z.ZodType<T>;
  /** Below `/v2/{endpointId}`; the id of a job follows it. */
  path: string;
  query?: object | undefined;
  reconcile?: Reconcile<T> | undefined;
}

type SendOptions = QueueCallOptions & Pick<WireCall, "waitSignal" | "urgent" | "beforeSend">;

interface SubmitCallOptions extends SendOptions {
  emptyInput?: boolean | undefined;
  /** Sends it again after a lost answer. */
  repeatable: boolean;
}

/** Its id may be missing: the caller knows it. */
type Answered = Omit<Job, "id"> & { id?: string | undefined };

/** The operations of one endpoint's queue, one call each, within the service's limits. */
export class QueueCalls {
  readonly knownJobs: KnownJobs;
  readonly #quota: string;
  readonly #limits: Limits;
  readonly #limiters = new Map<QueueOperation, Limiter>();
  /** The common path of all calls, once the endpoint's id was checked. */
  #root: string | undefined;

  constructor(
    readonly transport: Transport,
    readonly endpointId: string,
  ) {
    this.#limits = limitsOf(transport.settings.queueLimits);
    this.#quota = `queue ${endpointId}`;
    this.knownJobs = new KnownJobs(transport.clock);
  }

  run(request: JobRequest, options: SubmitCallOptions): Promise<Job> {
    return this.#submit("run", request, { path: "/run" }, options);
  }

  runSync(request: JobRequest, { waitMs, ...options }: SubmitCallOptions & { waitMs?: number | undefined }) {
    const heldMs = waitMs ?? syncWait.default;
    return this.#submit("runSync", request, { path: "/runsync", query: { wait: waitMs }, heldMs }, options);
  }

  async status(id: string, options: StatusOptions & SendOptions): Promise<Job> {
    const { ttl } = options;
    checkRange("ttl", ttl, ranges.statusTtl);
    const query = ttl === undefined ? undefined : { ttl };
    const call = { schema: jobReply, method: "GET", class: "repeatable", path: "/status/", id, query } as const;
    const job = await this.#ofJob("status", call, options);
    if (ttl !== undefined && !isFinal(job.status)) this.knownJobs.submitted(job, ttl);
    return job;
  }

  /** Reads chunks, which removes them from the job's stream. A lost answer loses them, so the call is not repeatable. */
  stream(id: string, options: QueueCallOptions): Promise<StreamReply> {
    const call = { schema: streamReply, method: "GET", class: "job", path: "/stream/", id } as const;
    return this.#lookTwice(id, options, () => this.#send("stream", { ...call, heldMs: STREAM_HELD_MS }, options));
  }

  /** Cancels a job. A finished job stays as it is and is returned. */
  async cancel(id: string, options: SendOptions): Promise<Job> {
    const remaining = timeLeft(options, this.transport.clock, { kind: "Job", id });
    const reconcile = this.#reconcileByStatus(id, remaining, options.urgent, (job) => job.status === "CANCELLED");
    const call = { schema: jobReply, method: "POST", class: "action", path: "/cancel/", id, reconcile } as const;
    try {
      return await this.#ofJob("cancel", call, options);
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error;
      const job = await this.status(id, remaining());
      if (isFinal(job.status)) return job;
      throw error;
    }
  }

  /** @param before the job as it had ended; after a lost answer, another end shows that it ran again */
  retry({ id, ...before }: Job, options: QueueCallOptions): Promise<Job> {
    const remaining = timeLeft(options, this.transport.clock, { kind: "Job", id });
    const facts = ["status", "delayTime", "executionTime", "workerId", "retries"] as const;
    const hasRestarted = (job: Job) => facts.some((fact) => job[fact] !== before[fact]);
    const reconcile = this.#reconcileByStatus(id, remaining, undefined, hasRestarted);
    const call = { schema: jobReply, method: "POST", class: "action", path: "/retry/", id, reconcile } as const;
    return this.#ofJob("retry", call, options);
  }

  async purgeQueue(options: QueueCallOptions): Promise<PurgeReply> {
    const call = { schema: purgeReply, method: "POST", class: "repeatable", path: "/purge-queue" } as const;
    let attempts = 1;
    const onResponse = (event: ResponseEvent) => {
      attempts = event.attempt;
      options.onResponse?.(event);
    };
    const reply = await this.#send("purgeQueue", call, { ...options, onResponse });
    // A repeat counts only what the earlier attempts had not removed.
    return attempts > 1 ? { ...reply, isLeast: true } : reply;
  }

  health(options: QueueCallOptions): Promise<QueueHealth> {
    return this.#send("health", { schema: queueHealth, method: "GET", class: "repeatable", path: "/health" }, options);
  }

  async #submit(
    operation: "run" | "runSync",
    request: JobRequest,
    to: Pick<QueueCall<Job>, "path" | "query" | "heldMs">,
    { emptyInput, repeatable, ...options }: SubmitCallOptions,
  ): Promise<Job> {
    const body = requestText(operation, request, emptyInput);
    const kind = { method: "POST", class: repeatable ? "repeatable" : "job" } as const;
    const call = { ...to, ...kind, schema: submissionReply, body, secrets: () => secretsIn(request) };
    try {
      const job = await this.#send(operation, call, options);
      this.knownJobs.submitted(job, request.policy?.ttl);
      return job;
    } catch (error) {
      const lost = error instanceof ComputeCloudError && (error.outcomeUnknown || error instanceof ContractError);
      throw lost && !(error instanceof AbortError) ? new SubmissionLostError(this.endpointId, error) : error;
    }
  }

  async #ofJob(
    operation: "status" | "cancel" | "retry",
    call: QueueCall<Answered> & { id: string },
    options: SendOptions,
  ): Promise<Job> {
    const { id } = call;
    const send = async () => {
      const reply = await this.#send(operation, call, options);
      // mutant another-jobs-answer: false
      if (reply.id !== undefined && reply.id !== id)
        throw new ContractError(
          `Job ${id}: the answer is about job ${reply.id}, so nothing of it is believed. A cache or a gateway may mix up answers: ` +
            "read it again; if it stays so, check any proxy.",
          { kind: "Job", id, path: "id" },
        );
      return { ...reply, id };
    };
    const job = await this.#lookTwice(id, options, send);
    this.knownJobs.seen(job);
    return job;
  }

  async #lookTwice<T>(id: string, { waitSignal, signal }: SendOptions, send: () => Promise<T>): Promise<T> {
    return send().catch(async (error: unknown) => {
      // mutant one-look: true
      if (!(error instanceof NotFoundError && this.knownJobs.isUnfinished(id))) throw error;
      await this.transport.clock.sleep(SECOND_LOOK_MS, waitSignal ?? signal);
      return send();
    });
  }

  /** After a lost answer: finds out from the job whether the call took effect. */
  #reconcileByStatus(
    id: string,
    remaining: () => QueueCallOptions,
    urgent: AbortSignal | undefined,
    tookEffect: (job: Job) => boolean,
  ): Reconcile<Job> {
    return (lost) =>
      searchWithin(remaining, lost, async (signal) => {
        const job = await this.status(id, { signal, urgent });
        return tookEffect(job) ? { value: job } : undefined;
      });
  }

  async #send<T>(
    operation: QueueOperation,
    { schema, path: place, query, reconcile, ...call }: QueueCall<T>,
    options: SendOptions,
  ): Promise<T> {
    const { endpointId, transport } = this;
    const { id } = call;
    this.#root ??= fillPath("/v2/{endpointId}", { endpointId });
    const path = `${this.#root}${place}${"id" in call ? pathPart("id", id ?? "") : ""}`;
    const kind = id === undefined ? "Queue" : "Job";
    const limit = this.#limits[operation];
    const isHeld = operation === "runSync" || operation === "stream";
    const wire: WireCall = {
      ...options,
      ...call,
      url: `${transport.settings.serverlessUrl}${path}${queryText(query)}`,
      label: `${call.method} ${path}`,
      kind,
      id: id ?? endpointId,
      quota: this.#quota,
      limiter: limit && getOrCreate(this.#limiters, operation, () => new Limiter(transport.clock, limit, isHeld)),
      key: "raw",
    };
    const read = ({ json, status }: Answer) => conform(schema, json, { kind, id: wire.id, status });
    try {
      return await transport.send(wire, read, reconcile);
    } catch (error) {
      throw id !== undefined && error instanceof NotFoundError ? this.knownJobs.missing(id, error) : error;
    }
  }
}
