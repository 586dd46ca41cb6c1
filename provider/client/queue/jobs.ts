import { timeLeft } from "../calls/deadline";
import type { Transport } from "../calls/transport";
import { splitOptions } from "../options";
import { asResponse, type Call, type WithResponse, withResponse } from "../responses";
import { QueueCalls } from "./calls";
import { RetryRefusedError } from "./errors";
import { Leaving } from "./leaving";
import { checkRange, syncWait } from "./limits";
import type {
  QueueCallOptions,
  RunManyOptions,
  RunSyncOptions,
  StatusOptions,
  SubmitOptions,
  TypedOptions,
  WaitOptions,
} from "./options";
import { type JobResult, runMany } from "./runMany";
import { type StandardSchema, typedOutput } from "./standardSchema";
import { isFinal } from "./status";
import { streamJob } from "./stream";
import type { CompletedJob, Job, JobRequest, OtherJob, PurgeReply, QueueHealth, StreamChunk } from "./types";
import { completed, finished, withGrace } from "./wait";

/** Part of the time for a job that its submission is not held for: without the answer in time nobody knows its id. */
const ANSWER_SHARE = 0.4;
const LONGEST_ANSWER_MS = 5_000;

/** The queue of one endpoint. All calls keep within the service's limits. */
export class Queue {
  readonly #calls: QueueCalls;

  /** @internal */
  constructor(transport: Transport, endpointId: string) {
    this.#calls = new QueueCalls(transport, endpointId);
  }

  get endpointId(): string {
    return this.#calls.endpointId;
  }

  /**
   * Submits a job and resolves at once.
   *
   * @throws PayloadTooLargeError above 10 MB, before anything is sent; SubmissionLostError when the job may run although
   *   no answer told its id
   *
   * @example
   * const { id } = await queue.run({ input: { prompt: "ping" }, policy: { ttl: 3_600_000 } });
   */
  run(request: JobRequest, { idempotent = false, graceMs = 0, ...call }: SubmitOptions = {}): Promise<Job> {
    return this.#withGrace(graceMs, call, (remaining) =>
      this.#calls.run(request, { repeatable: idempotent, ...remaining }),
    );
  }

  /**
   * Runs a job to its end. One call when it ends within `waitMs`, otherwise it is followed up with `wait`.
   *
   * Aborted by its `signal`, it cancels the job, for up to 5 s; then the error is an AbortError with the job's id.
   *
   * @throws JobFailedError when it does not complete, JobOutputError when its output does not match the schema
   *
   * @example
   * const schema = z.object({ text: z.string() });
   * const { output } = await queue.runSync({ input: { prompt: "ping" } }, { schema, timeoutMs: 120_000 });
   */
  async runSync<Output = unknown>(
    request: JobRequest,
    options: RunSyncOptions<Output> = {},
  ): Promise<CompletedJob<Output>> {
    const { idempotent: repeatable = false, graceMs = 0, waitMs, schema, timeoutMs, onOrphan, ...wait } = options;
    checkRange("waitMs", waitMs, syncWait);
    const { clock } = this.#calls.transport;
    const began = clock.now();
    const leaving = new Leaving(this.#calls, wait.signal);
    // Whoever may leave early needs the job's id soon.
    const longestMs = waitMs ?? (wait.signal === undefined ? syncWait.default : syncWait.least);
    const submit = (remaining: QueueCallOptions) => {
      const call = { ...remaining, ...leaving.signals, repeatable };
      if (remaining.timeoutMs === undefined) return this.#calls.runSync(request, { ...call, waitMs: longestMs });
      const answerMs = Math.min(remaining.timeoutMs * ANSWER_SHARE, LONGEST_ANSWER_MS);
      const heldMs = Math.floor(Math.min(longestMs, remaining.timeoutMs - answerMs));
      // The service holds no submission for less than a second.
      return heldMs < syncWait.least
        ? this.#calls.run(request, call)
        : this.#calls.runSync(request, { ...call, waitMs: heldMs });
    };
    try {
      const job = await this.#withGrace(
        graceMs,
        { ...splitOptions(wait).options, timeoutMs, exactIntegers: wait.exactIntegers },
        submit,
      );
      if (isFinal(job.status)) return await this.#completed(job, schema);
      return await leaving.cancelOnAbort(job.id, onOrphan, () => {
        const leftMs = timeoutMs === undefined ? undefined : timeoutMs - (clock.now() - began);
        return this.wait(job.id, { ...wait, schema, timeoutMs: leftMs });
      });
    } finally {
      leaving.over();
    }
  }

  /**
   * The job once it has completed. Looks at it with growing pauses of up to 5 s.
   *
   * @throws JobFailedError when it fails, times out or is cancelled; JobWaitError when it is not finished in time;
   *   ResultExpiredError or JobExpiredError when the queue dropped it; JobOutputError when the schema refuses its output
   *
   * @example
   * const { output } = await queue.wait(id, { timeoutMs: 3_600_000, onProgress: ({ status }) => console.log(status) });
   */
  async wait<Output = unknown>(
    id: string,
    { schema, ...options }: WaitOptions & TypedOptions<Output> = {},
  ): Promise<CompletedJob<Output>> {
    return this.#completed(await finished(this.#calls, id, options), schema);
  }

  /**
   * The job as it is now. Its output is checked, and typed, once it has completed.
   *
   * @example
   * const job = await queue.status(id);
   * if (job.status === "COMPLETED") console.log(job.output);
   */
  async status<Output = unknown>(
    id: string,
    { schema, ...options }: StatusOptions & TypedOptions<Output> = {},
  ): Promise<CompletedJob<Output> | OtherJob> {
    const job = await this.#calls.status(id, options);
    const { status } = job;
    return status === "COMPLETED" ? this.#completed(job, schema) : { ...job, status };
  }

  /**
   * What the job puts out, as it comes: `for await (const { output } of queue.stream(id))`. Ends when the job has
   * completed; a chunk above 1 MB comes as several pieces of text.
   *
   * @throws JobFailedError after the last chunk, when the job failed, timed out or was cancelled; StreamGapError after
   *   the last chunk, when an answer was lost and the worker does not aggregate its stream
   *
   * @example
   * for await (const { output } of queue.stream(id)) console.log(output);
   */
  stream<Output = unknown>(
    id: string,
    { schema, ...options }: QueueCallOptions & TypedOptions<Output> = {},
  ): AsyncGenerator<StreamChunk<Output>, void, undefined> {
    const chunks = streamJob(this.#calls, id, options);
    return schema === undefined ? (chunks as AsyncGenerator<StreamChunk<Output>, void>) : typed(id, chunks, schema);
  }

  /**
   * Cancels a job; one that is finished already stays as it is, and is what this resolves to.
   *
   * @example
   * const { status } = await queue.cancel(id);
   */
  cancel(id: string, options: QueueCallOptions = {}): Promise<Job> {
    return this.#calls.cancel(id, options);
  }

  /**
   * Runs a failed or timed-out job again, under the same id.
   *
   * @throws RetryRefusedError for any other status, without asking the service to try
   *
   * @example
   * await queue.retry(id);
   * const { output } = await queue.wait(id);
   */
  async retry(id: string, options: QueueCallOptions = {}): Promise<Job> {
    const remaining = timeLeft(options, this.#calls.transport.clock, { kind: "Job", id });
    const job = await this.#calls.status(id, remaining());
    if (job.status !== "FAILED" && job.status !== "TIMED_OUT") throw new RetryRefusedError(job);
    return this.#calls.retry(id, remaining());
  }

  /**
   * Removes the jobs that wait; those in progress go on.
   *
   * @example
   * const { removed } = await queue.purgeQueue();
   */
  purgeQueue(options: QueueCallOptions = {}): Promise<PurgeReply> {
    return this.#calls.purgeQueue(options);
  }

  /**
   * How many jobs and workers there are, by state.
   *
   * @example
   * const { jobs, workers } = await queue.health();
   * if (jobs.inQueue > 0 && workers.running === 0) console.log("no worker yet");
   */
  health({ graceMs = 0, ...call }: Omit<SubmitOptions, "idempotent"> = {}): Promise<QueueHealth> {
    return this.#withGrace(graceMs, call, (remaining) => this.#calls.health(remaining));
  }

  /**
   * Runs a job for each input and yields the results in the order in which the jobs finish. An input is taken only when
   * there is room: jobs under way and results not yet fetched never exceed `concurrency`.
   *
   * When the inputs throw, or the key is refused, the results that are there are yielded first. A loop that ends early
   * cancels every job that is not finished, unless there is a `journal`: then the next run follows them.
   *
   * @throws what would fail every job alike: a key that is refused, a JournalError, and what the inputs themselves throw
   *
   * @example
   * for await (const { index, job, error } of queue.runMany(inputs, { concurrency: 50, journal: "batch.journal" })) {
   *   console.log(index, job?.output ?? error);
   * }
   */
  runMany<Output = unknown, Input = unknown>(
    inputs: Iterable<Input> | AsyncIterable<Input>,
    options: RunManyOptions<Output, Input> = {},
  ): AsyncGenerator<JobResult<Output>, void, undefined> {
    return runMany(this.#calls, inputs, options);
  }

  /** A call's result together with its last answer: `await queue.withResponse((options) => queue.run(request, options))`. */
  withResponse<T>(call: Call<T>): Promise<WithResponse<T>> {
    return withResponse(call);
  }

  /** A call's last answer as a `Response`: `await queue.asResponse((options) => queue.run(request, options))`. */
  asResponse(call: Call<unknown>): Promise<Response | undefined> {
    return asResponse(call);
  }

  /** For `graceMs` a 404 is taken for an endpoint that is too new to be known everywhere. */
  #withGrace<T>(
    graceMs: number,
    { timeoutMs = Number.POSITIVE_INFINITY, ...options }: QueueCallOptions,
    call: (remaining: QueueCallOptions) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.#calls.transport;
    const began = clock.now();
    const remaining = () =>
      timeoutMs === Number.POSITIVE_INFINITY ? undefined : Math.max(1, timeoutMs - (clock.now() - began));
    // The last call has some of the time to itself.
    return withGrace(clock, Math.min(graceMs, timeoutMs * 0.9), options.signal, () =>
      call({ ...options, timeoutMs: remaining() }),
    );
  }

  async #completed<Output>(job: Job, schema: StandardSchema<Output> | undefined): Promise<CompletedJob<Output>> {
    const done = completed(job);
    return { ...done, output: await typedOutput(done.id, done.output, schema) };
  }
}

async function* typed<Output>(
  id: string,
  chunks: AsyncIterable<StreamChunk>,
  schema: StandardSchema<Output>,
): AsyncGenerator<StreamChunk<Output>, void, undefined> {
  for await (const chunk of chunks) yield { ...chunk, output: await typedOutput(id, chunk.output, schema) };
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
