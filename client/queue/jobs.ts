import { Cancellation, timeLeft } from "../calls/cancellation";
import { type Call, type WithResponse, withResponse } from "../calls/responses";
import type { Transport } from "../calls/transport";
import { splitOptions } from "../options";
import { QueueCalls } from "./calls";
import { EarlyExit } from "./earlyExit";
import { RetryRefusedError } from "./errors";
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
import { type Inputs, type JobResult, runMany } from "./runMany";
import { type StandardSchema, typedOutput } from "./standardSchema";
import { isFinal } from "./status";
import { streamJob } from "./stream";
import type { CompletedJob, Job, JobRequest, OtherJob, PurgeReply, QueueHealth, StreamChunk } from "./types";
import { completed, finished, withGrace } from "./wait";

/** The share of a job's time that is kept free for the answer to its submission, which has the job's id. */
const ANSWER_SHARE = 0.4;
const LONGEST_ANSWER_MS = 5_000;

/**
 * The queue of one endpoint, from `client.queue(id)` or `createQueue`. All calls stay within the service's limits
 * (`queueLimits`): a call above a limit waits. Every method may throw AuthenticationError for a refused key, and NotFoundError
 * for an unknown endpoint.
 */
export class Queue {
  readonly #calls: QueueCalls;

  /** @internal */
  constructor(transport: Transport, endpointId: string) {
    this.#calls = new QueueCalls(transport, endpointId);
  }

  /** The id of its endpoint. */
  get endpointId(): string {
    return this.#calls.endpointId;
  }

  /**
   * Submits a job, and resolves as soon as the queue has it. `POST /v2/{endpointId}/run`.
   *
   * @returns the job with its `id`, usually `IN_QUEUE`
   * @throws PayloadTooLargeError above 10 MB of JSON, before anything is sent; SubmissionLostError when the answer was lost
   *   and the job may run, unless `idempotent` allows a second submission; AbortError when the signal ended it after it was sent
   * @example
   * const { id } = await queue.run({ input: { prompt: "ping" }, policy: { ttl: 3_600_000 } });
   */
  run(
    request: JobRequest,
    { idempotent: repeatable = false, graceMs = 0, beforeSend, emptyInput, ...call }: SubmitOptions = {},
  ): Promise<Job> {
    return withGrace(this.#calls.transport.clock, graceMs, call, (remaining) =>
      this.#calls.run(request, { ...remaining, repeatable, beforeSend, emptyInput }),
    );
  }

  /**
   * Runs a job to its end. One call when the job ends within `waitMs`, by default 90 s; otherwise the job is followed as by
   * `wait`, by default for 15 minutes. `POST /v2/{endpointId}/runsync`, then `GET /v2/{endpointId}/status/{id}`.
   *
   * When its `signal` aborts, it cancels the job, for up to 5 s, and throws an AbortError with the job's id.
   *
   * @throws JobFailedError when the job fails, times out or is cancelled; JobOutputError when the schema refuses the output;
   *   JobWaitError when it is not finished in time, or its client is closed; PayloadTooLargeError above 20 MB of JSON;
   *   SubmissionLostError as by `run`; UsageError for a `waitMs` outside 1000 to 300000
   * @example
   * const schema = z.object({ text: z.string() });
   * const { output } = await queue.runSync({ input: { prompt: "ping" } }, { schema, timeoutMs: 120_000 });
   */
  async runSync<Output = unknown>(
    request: JobRequest,
    options: RunSyncOptions<Output> = {},
  ): Promise<CompletedJob<Output>> {
    const {
      idempotent = false,
      graceMs = 0,
      waitMs,
      beforeSend,
      emptyInput,
      schema,
      timeoutMs,
      onOrphan,
      ...wait
    } = options;
    checkRange("waitMs", waitMs, syncWait);
    wait.signal?.throwIfAborted();
    const { clock } = this.#calls.transport;
    const began = clock.now();
    const exit = new EarlyExit(this.#calls, new Cancellation(wait.signal));
    // A caller that may abort needs the job's id soon, to cancel the job.
    const longestMs = waitMs ?? (wait.signal === undefined ? syncWait.default : syncWait.least);
    const submit = (remaining: QueueCallOptions) => {
      const call = { ...remaining, ...exit.signals, repeatable: idempotent, beforeSend, emptyInput };
      if (remaining.timeoutMs === undefined) return this.#calls.runSync(request, { ...call, waitMs: longestMs });
      const answerMs = Math.min(remaining.timeoutMs * ANSWER_SHARE, LONGEST_ANSWER_MS);
      const heldMs = Math.floor(Math.min(longestMs, remaining.timeoutMs - answerMs));
      // The service holds no submission for less than a second.
      return heldMs < syncWait.least
        ? this.#calls.run(request, call)
        : this.#calls.runSync(request, { ...call, waitMs: heldMs });
    };
    try {
      const job = await withGrace(
        clock,
        graceMs,
        { ...splitOptions(wait).options, timeoutMs, exactIntegers: wait.exactIntegers },
        submit,
      ).catch((error: unknown) => {
        throw exit.endedSubmission(error);
      });
      if (isFinal(job.status)) return await completed(job, schema);
      return await exit.cancelOnAbort(job.id, onOrphan, async () => {
        const leftMs = timeoutMs === undefined ? undefined : timeoutMs - (clock.now() - began);
        return completed(await finished(this.#calls, job.id, { ...wait, timeoutMs: leftMs }, job), schema);
      });
    } finally {
      exit.over();
    }
  }

  /**
   * Waits until a job has completed, by default for up to 15 minutes. What has ended is seen within a tenth of the wait, or within a
   * second where that is more, and within 10 s.
   * `GET /v2/{endpointId}/status/{id}`.
   *
   * @throws JobFailedError when the job fails, times out or is cancelled; JobWaitError when it is not finished in time;
   *   ResultExpiredError or JobExpiredError when the queue has dropped it; JobOutputError when the schema refuses the output
   * @example
   * const { output } = await queue.wait(id, { timeoutMs: 3_600_000, onProgress: ({ status }) => console.log(status) });
   */
  async wait<Output = unknown>(
    id: string,
    { schema, ...options }: WaitOptions & TypedOptions<Output> = {},
  ): Promise<CompletedJob<Output>> {
    return completed(await finished(this.#calls, id, options), schema);
  }

  /**
   * The job as it is now. The schema checks and types the output of a completed job. `GET /v2/{endpointId}/status/{id}`.
   *
   * @throws NotFoundError for an unknown job; ResultExpiredError or JobExpiredError when the queue has dropped it;
   *   JobOutputError when the schema refuses the output
   * @example
   * const job = await queue.status(id);
   * if (job.status === "COMPLETED") console.log(job.output);
   */
  async status<Output = unknown>(
    id: string,
    { schema, ...options }: StatusOptions & TypedOptions<Output> = {},
  ): Promise<CompletedJob<Output> | OtherJob<Output>> {
    const job = await this.#calls.status(id, options);
    const { status } = job;
    if (status === "COMPLETED") return completed(job, schema);
    // What an unfinished job shows is its worker's progress, which no schema checks.
    return { ...(job as Job<Output>), status };
  }

  /**
   * The chunks of a job's output, as the worker yields them. Ends when the job has completed. A chunk above 1 MB comes as
   * several pieces of text. Each chunk is delivered to one reader only. `GET /v2/{endpointId}/stream/{id}`.
   *
   * @throws JobFailedError after the last chunk, when the job failed, timed out or was cancelled; StreamGapError after
   *   the last chunk, when an answer was lost and the worker does not aggregate its stream; JobOutputError when the schema
   *   refuses a chunk
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
   * Cancels a job. A job that has already finished stays as it is. `POST /v2/{endpointId}/cancel/{id}`.
   *
   * @returns the job, `CANCELLED` or as it had finished
   * @throws NotFoundError for an unknown job; ResultExpiredError or JobExpiredError when the queue has dropped it
   * @example
   * const { status } = await queue.cancel(id);
   */
  cancel(id: string, options: QueueCallOptions = {}): Promise<Job> {
    return this.#calls.cancel(id, options);
  }

  /**
   * Runs a failed or timed-out job again, under the same id. Reads the job first. `POST /v2/{endpointId}/retry/{id}`.
   *
   * @throws RetryRefusedError for a job in any other status, which is not retried; NotFoundError for an unknown job;
   *   ResultExpiredError or JobExpiredError when the queue has dropped it
   * @example
   * await queue.retry(id);
   * const { output } = await queue.wait(id);
   */
  async retry(id: string, options: QueueCallOptions = {}): Promise<Job> {
    const remaining = timeLeft(options, this.#calls.transport.clock, { kind: "Job", id });
    const job = await this.#calls.status(id, remaining());
    if (job.status !== "FAILED" && job.status !== "TIMED_OUT") throw new RetryRefusedError(job);
    return this.#calls.retry(job, remaining());
  }

  /**
   * Removes the jobs in the queue. Jobs in progress continue. `POST /v2/{endpointId}/purge-queue`.
   *
   * @returns how many jobs were `removed`; with `isLeast`, an answer was lost and it may have been more
   * @example
   * const { removed } = await queue.purgeQueue();
   */
  purgeQueue(options: QueueCallOptions = {}): Promise<PurgeReply> {
    return this.#calls.purgeQueue(options);
  }

  /**
   * The numbers of jobs and workers, by state. `GET /v2/{endpointId}/health`.
   *
   * @throws NotFoundError for an unknown endpoint; with `graceMs` only after that time, for a new endpoint may not be known
   *   everywhere yet
   * @example
   * const { jobs, workers } = await queue.health();
   * if (jobs.inQueue > 0 && workers.running === 0) console.log("no worker yet");
   */
  health({ graceMs = 0, ...call }: Omit<SubmitOptions, "idempotent" | "beforeSend"> = {}): Promise<QueueHealth> {
    return withGrace(this.#calls.transport.clock, graceMs, call, (remaining) => this.#calls.health(remaining));
  }

  /**
   * Runs a job for each input, and yields the results in the order in which the jobs finish. `index` is the input's position,
   * from 0; a failed job is a result with an `error`. Running jobs and unfetched results together never exceed
   * `concurrency`, by default 20, so the inputs may be of any number. `POST /v2/{endpointId}/run`, then
   * `GET /v2/{endpointId}/status/{id}` for each job.
   *
   * A loop that ends early cancels the unfinished jobs. With a `journal` it leaves them to the next run.
   *
   * @throws AbortError with `jobIds` when it ended early and jobs may run on, after an abort or without `onOrphan`;
   *   AuthenticationError or PermissionError for a refused key, JournalError, UsageError for a wrong `concurrency`, and
   *   any error from the inputs, `request` or `onProgress`. Finished results are yielded first.
   * @example
   * for await (const { index, job, error } of queue.runMany(inputs, { concurrency: 50, journal: "batch.journal" })) {
   *   console.log(index, job?.output ?? error);
   * }
   */
  runMany<Output = unknown, Input = unknown>(
    inputs: Inputs<Input>,
    options: RunManyOptions<Output, Input> = {},
  ): AsyncGenerator<JobResult<Output>, void, undefined> {
    return runMany(this.#calls, inputs, options);
  }

  /**
   * The result of a call together with its last answer, for request ids and headers.
   *
   * @throws as the call does
   * @example
   * const { data, response } = await queue.withResponse((options) => queue.status(id, options));
   * console.log(data.status, response?.requestId);
   */
  withResponse<T>(call: Call<T>): Promise<WithResponse<T>> {
    return withResponse(call);
  }
}

async function* typed<Output>(
  id: string,
  chunks: AsyncIterable<StreamChunk>,
  schema: StandardSchema<Output>,
): AsyncGenerator<StreamChunk<Output>, void, undefined> {
  for await (const chunk of chunks) yield { ...chunk, output: await typedOutput(id, chunk.output, schema) };
}
