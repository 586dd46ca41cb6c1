import { BadRequestError } from "../errors";
import type { CallOptions } from "../options";
import type { Transport } from "../transport";
import { QueueCalls } from "./calls";
import { RetryRefusedError } from "./errors";
import { checkRange, syncWait } from "./limits";
import { isFinal } from "./outcome";
import { type JobResult, runMany } from "./runMany";
import type {
  CompletedJob,
  Job,
  JobPolicy,
  JobRequest,
  OtherJob,
  PurgeReply,
  QueueHealth,
  StreamChunk,
} from "./schemas";
import { type StandardSchema, typedOutput } from "./standardSchema";
import { streamJob } from "./stream";
import { completed, finished, patiently, type WaitOptions } from "./wait";

export interface SubmitOptions extends CallOptions {
  /** Running it twice does no harm: a lost answer is followed by another submission. Default false. */
  idempotent?: boolean | undefined;
  /** How long a 404 is taken for an endpoint too new to be known everywhere. Milliseconds. Default 0. */
  graceMs?: number | undefined;
}

/** A zod schema, or any other Standard Schema, of the job's output. */
export interface TypedOptions<Output> {
  schema?: StandardSchema<Output> | undefined;
}

export interface RunSyncOptions<Output> extends SubmitOptions, Omit<WaitOptions, "graceMs">, TypedOptions<Output> {
  /** How long the submission itself may be held open, 1000 to 300000. Milliseconds. Default 90000. */
  waitMs?: number | undefined;
}

export interface RunManyOptions<Output>
  extends Omit<SubmitOptions, "graceMs">,
    Omit<WaitOptions, "graceMs" | "onProgress">,
    TypedOptions<Output> {
  /** Jobs under way, and results not yet fetched. Default 20. */
  concurrency?: number | undefined;
  policy?: JobPolicy | undefined;
}

/** The queue of one endpoint. All calls keep within the service's limits. */
export class Queue {
  readonly #calls: QueueCalls;

  constructor(transport: Transport, endpointId: string) {
    this.#calls = new QueueCalls(transport, endpointId);
  }

  get endpointId(): string {
    return this.#calls.endpointId;
  }

  /**
   * Submits a job and resolves at once.
   *
   * @throws PayloadTooLargeError above 10 MB, before anything is sent
   */
  run(request: JobRequest, { idempotent = false, graceMs = 0, signal }: SubmitOptions = {}): Promise<Job> {
    const { clock } = this.#calls.transport;
    return patiently(clock, graceMs, signal, () => this.#calls.run(request, idempotent, { signal }));
  }

  /**
   * Runs a job to its end. One call when it ends within `waitMs`, otherwise it is followed up with `wait`.
   *
   * @throws JobFailedError when it does not complete, JobOutputError when its output does not match the schema
   */
  async runSync<Output = unknown>(
    request: JobRequest,
    options: RunSyncOptions<Output> = {},
  ): Promise<CompletedJob<Output>> {
    const { idempotent = false, graceMs = 0, waitMs, schema, ...wait } = options;
    checkRange("waitMs", waitMs, syncWait);
    const { clock } = this.#calls.transport;
    const began = clock.now();
    const submit = () => this.#calls.runSync(request, idempotent, { waitMs, signal: wait.signal });
    const job = await patiently(clock, graceMs, wait.signal, submit);
    if (isFinal(job.status)) return this.#completed(job, schema);
    const { timeoutMs } = wait;
    const leftMs = timeoutMs === undefined ? undefined : Math.max(0, timeoutMs - (clock.now() - began));
    return this.wait(job.id, { ...wait, schema, timeoutMs: leftMs });
  }

  /**
   * The job once it has completed. Looks at it with growing pauses of up to 5 s.
   *
   * @throws JobFailedError when it fails, times out or is cancelled; JobWaitError when it is not finished in time;
   *   ResultExpiredError or JobExpiredError when the queue dropped it; JobOutputError when the schema refuses its output
   */
  async wait<Output = unknown>(
    id: string,
    { schema, ...options }: WaitOptions & TypedOptions<Output> = {},
  ): Promise<CompletedJob<Output>> {
    return this.#completed(await finished(this.#calls, id, options), schema);
  }

  /** The job as it is now. Its output is checked, and typed, once it has completed. */
  async status<Output = unknown>(
    id: string,
    { schema, ...options }: CallOptions & TypedOptions<Output> = {},
  ): Promise<CompletedJob<Output> | OtherJob> {
    const job = await this.#calls.status(id, options);
    const { status } = job;
    return status === "COMPLETED" ? this.#completed(job, schema) : { ...job, status };
  }

  /**
   * What the job puts out, as it comes: `for await (const { output } of queue.stream(id))`. Ends when the job is
   * finished, however it ended.
   *
   * @throws StreamGapError after the last chunk, when a connection broke and the worker does not aggregate its stream
   */
  async *stream<Output = unknown>(
    id: string,
    { schema, ...options }: CallOptions & TypedOptions<Output> = {},
  ): AsyncGenerator<StreamChunk<Output>, void, undefined> {
    for await (const chunk of streamJob(this.#calls, id, options)) {
      yield { ...chunk, output: await typedOutput(id, chunk.output, schema) };
    }
  }

  /** Cancels a job; one that is finished already stays as it is, and is what this resolves to. */
  async cancel(id: string, options: CallOptions = {}): Promise<Job> {
    try {
      return await this.#calls.cancel(id, options);
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error;
      const job = await this.#calls.status(id, options);
      if (isFinal(job.status)) return job;
      throw error;
    }
  }

  /**
   * Runs a failed or timed-out job again, under the same id.
   *
   * @throws RetryRefusedError for any other status, without asking the service to try
   */
  async retry(id: string, options: CallOptions = {}): Promise<Job> {
    const job = await this.#calls.status(id, options);
    if (job.status !== "FAILED" && job.status !== "TIMED_OUT") throw new RetryRefusedError(job);
    return this.#calls.retry(id, options);
  }

  /** Removes the jobs that wait; those in progress go on. */
  purgeQueue(options: CallOptions = {}): Promise<PurgeReply> {
    return this.#calls.purgeQueue(options);
  }

  /** How many jobs and workers there are, by state. */
  health({ graceMs = 0, signal }: Omit<SubmitOptions, "idempotent"> = {}): Promise<QueueHealth> {
    return patiently(this.#calls.transport.clock, graceMs, signal, () => this.#calls.health({ signal }));
  }

  /** Runs a job for each input; see `runMany`. */
  runMany<Output = unknown>(
    inputs: Iterable<unknown> | AsyncIterable<unknown>,
    options: RunManyOptions<Output> = {},
  ): AsyncGenerator<JobResult<Output>, void, undefined> {
    return runMany(this, inputs, options);
  }

  async #completed<Output>(job: Job, schema: StandardSchema<Output> | undefined): Promise<CompletedJob<Output>> {
    const done = completed(job);
    return { ...done, output: await typedOutput(done.id, done.output, schema) };
  }
}

const queues = new WeakMap<Transport, Map<string, Queue>>();

/** The queue of an endpoint: the same one each time, for limits and known jobs belong to the endpoint. */
export function queue(transport: Transport, endpointId: string): Queue {
  const own = queues.get(transport) ?? new Map<string, Queue>();
  queues.set(transport, own);
  const found = own.get(endpointId) ?? new Queue(transport, endpointId);
  own.set(endpointId, found);
  return found;
}
