import { messageOf } from "../../common/messageOf";
import {
  AbortError,
  AuthenticationError,
  ComputeCloudError,
  NotFoundError,
  PermissionError,
  UsageError,
} from "../errors";
import { splitOptions } from "../options";
import type { QueueCalls } from "./calls";
import { EarlyExit } from "./earlyExit";
import {
  BatchUnfinishedError,
  JobFailedError,
  JobOutputError,
  JobWaitError,
  JournalError,
  SubmissionLostError,
  type UnfinishedInput,
} from "./errors";
import { Journal } from "./journal";
import type { Orphan, RunManyOptions } from "./options";
import { Pace } from "./pace";
import { type Inputs, Source } from "./source";
import { finishedJob, type Task, type TaskOptions } from "./task";
import type { CompletedJob, JobRequest } from "./types";
import { completedWithOutput, isMissing } from "./wait";

const DEFAULT_CONCURRENCY = 20;
/** How long a loop that ends by `break` cancels its jobs. The service accepts 100 cancellations in 10 s. */
const BREAK_MS = 60_000;
/** Ids in the message of an error. */
const MOST_NAMED = 20;
/** Inputs without a final result that are kept with their errors: memory does not grow with the batch. */
const MOST_KEPT = 100;

/**
 * The result of one input of a batch: `index` is its position, from 0. With a journal it is final. `again` marks a result that an earlier loop with the
 * same journal received, if that loop ended before it asked for the next one.
 */
export type JobResult<Output = unknown> =
  | { index: number; job: CompletedJob<Output>; error?: undefined; again?: true }
  | { index: number; job?: undefined; error: Error; again?: true };

interface Thrown {
  readonly error: unknown;
}

/**
 * See `Queue.runMany`. An input is read only when there is room for its job.
 *
 * A loop may end early by an error, by `break`, by the signal, or because the client is closed. It then cancels every
 * unfinished job, also one whose submission is not answered yet. Jobs that `timeoutMs` gave up are left alone. `onOrphan` gets
 * the jobs that may still run, and every result that was not yielded. With a journal nothing is cancelled.
 *
 * @internal
 */
export async function* runMany<Output, Input>(
  calls: QueueCalls,
  inputs: Inputs<Input>,
  options: RunManyOptions<Output, Input>,
): AsyncGenerator<JobResult<Output>, void, undefined> {
  const { concurrency = DEFAULT_CONCURRENCY, signal, timeoutMs, journal: pathOrStore, takeOver = false } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new UsageError(`concurrency is ${concurrency}; it takes a whole number from 1.`);
  signal?.throwIfAborted();
  const exit = new EarlyExit(calls, calls.transport.lasting(signal));
  let journal: Journal | undefined;
  let batch: Batch<Output, Input>;
  try {
    if (pathOrStore !== undefined)
      journal = await Journal.open(pathOrStore, calls.endpointId, { takeOver, timeoutMs, ...exit.signals });
    batch = new Batch(calls, inputs, { ...options, concurrency }, journal, exit);
  } catch (error) {
    await journal?.close();
    exit.over();
    throw error;
  }
  let complete = false;
  let failure: Thrown | undefined;
  try {
    for (let result = await batch.next(); result !== undefined; result = await batch.next()) {
      yield result;
      await journal?.append({ event: "delivered", index: result.index });
    }
    complete = true;
  } catch (error) {
    failure = { error };
  } finally {
    // `break` ends a generator here: the lines after this block do not run.
    await batch.end(complete, failure);
  }
}

class Batch<Output, Input> {
  readonly #calls: QueueCalls;
  readonly #options: RunManyOptions<Output, Input> & { readonly concurrency: number };
  readonly #journal: Journal | undefined;
  readonly #exit: EarlyExit;
  readonly #pace: Pace;
  readonly #source: Source<Input>;
  /** The same for every job. */
  readonly #taskOptions: TaskOptions;
  /** Results that the loop has not fetched yet. */
  readonly #results: JobResult<Output>[] = [];
  /** By the position of its input. */
  readonly #underWay = new Map<number, Promise<void>>();
  /** Jobs that could not be followed to their end, by the position of their input. */
  readonly #unfollowed = new Map<number, string>();
  readonly #orphans: Orphan[] = [];
  /** With a journal: inputs without a final result, the first ones. */
  readonly #unfinished: UnfinishedInput[] = [];
  #unfinishedCount = 0;
  #leaving: Promise<void> | undefined;
  /** The number of unfinished jobs and unfetched results. */
  #open = 0;
  #pulling = false;
  /** An error that would fail every job. */
  #failure: Thrown | undefined;
  #wake = () => {};

  /** @param exit begins by the caller's signal, by the client's end, or when the loop is left */
  constructor(
    calls: QueueCalls,
    inputs: Inputs<Input>,
    options: RunManyOptions<Output, Input> & { readonly concurrency: number },
    journal: Journal | undefined,
    exit: EarlyExit,
  ) {
    this.#calls = calls;
    this.#options = options;
    this.#journal = journal;
    this.#exit = exit;
    const { idempotent = false, emptyInput, timeoutMs, exactIntegers, findLost } = options;
    const { options: call } = splitOptions(options);
    this.#taskOptions = { ...call, idempotent, emptyInput, timeoutMs, exactIntegers, findLost, ...exit.signals };
    this.#source = new Source(inputs);
    const { total = Array.isArray(inputs) ? inputs.length : undefined } = options;
    this.#pace = new Pace(calls.transport.clock, total, journal?.deliveredBefore ?? 0);
    exit.signals.waitSignal.addEventListener("abort", this, { once: true });
  }

  handleEvent(): void {
    void this.#leave();
    this.#wake();
  }

  /** @throws what ended the loop, or an AbortError where jobs may run on whose ids nobody else is told */
  async end(complete: boolean, failure: Thrown | undefined): Promise<void> {
    const isAborted = this.#exit.hasBegun;
    if (!complete) await this.#leave();
    let thrown = failure;
    const noteError = (error: unknown) => {
      thrown ??= { error };
    };
    await this.#source.close(this.#pulling).catch(noteError);
    await this.#journal?.close();
    this.#exit.over();
    const undelivered = this.#undelivered();
    for (const orphan of [...this.#orphans, ...undelivered]) {
      try {
        this.#options.onOrphan?.(orphan);
      } catch (error) {
        noteError(error);
      }
    }
    const running = [...this.#orphans.filter(({ job }) => job === undefined), ...undelivered.filter(isUnended)];
    // With a journal the next run follows them, unless the journal has failed.
    const isJournaled = this.#journal !== undefined && !(thrown?.error instanceof JournalError);
    const isReported = isJournaled || (this.#options.onOrphan !== undefined && !isAborted);
    // mutant left-unnamed: false
    if (running.length > 0 && !isReported)
      throw runningJobsError(running, (thrown ?? { error: this.#taskOptions.waitSignal.reason }).error);
    if (thrown !== undefined) throw thrown.error;
  }

  /**
   * The first result that was not delivered, once there is one; undefined after the last.
   *
   * @throws BatchUnfinishedError after the last, where inputs have no final result
   */
  async next(): Promise<JobResult<Output> | undefined> {
    for (;;) {
      if (this.#exit.hasBegun) throw this.#taskOptions.waitSignal.reason;
      const hasRoom = !this.#source.hasEnded && this.#failure === undefined && this.#open < this.#options.concurrency;
      if (hasRoom && !this.#pulling) void this.#pull();
      const [result] = this.#results;
      if (result !== undefined) {
        this.#options.onProgress?.(this.#pace.next(result.job === undefined, this.#underWay.size));
        await this.#journal?.append({ event: "delivering", index: result.index });
        this.#results.shift();
        this.#open -= 1;
        return result;
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#source.hasEnded && !this.#pulling && this.#open === 0) {
        if (this.#unfinishedCount > 0) throw new BatchUnfinishedError(this.#unfinishedCount, this.#unfinished);
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Starts the jobs of further inputs, as many as there is room for. */
  async #pull(): Promise<void> {
    this.#pulling = true;
    try {
      while (this.#open < this.#options.concurrency && this.#failure === undefined) {
        const task = await this.#nextTask();
        if (task === undefined || this.#exit.hasBegun) break;
        this.#open += 1;
        this.#underWay.set(task.index, this.#run(task));
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#pulling = false;
    this.#wake();
  }

  /** The next input whose result was not delivered yet; undefined when there is none. */
  async #nextTask(): Promise<Task | undefined> {
    const { policy, request = (input: unknown): JobRequest => ({ input }) } = this.#options;
    for (;;) {
      const next = await this.#source.read();
      if (next === undefined) return undefined;
      const { index } = next;
      const jobRequest: JobRequest = { policy, ...request(next.input, index) };
      this.#journal?.check(index, jobRequest.input);
      if (this.#journal?.isDelivered(index)) continue;
      const noted = this.#journal?.noted(index);
      return { index, request: jobRequest, noted, id: noted?.id };
    }
  }

  async #run(task: Task): Promise<void> {
    const { index } = task;
    try {
      const job = await finishedJob(this.#calls, task, this.#taskOptions, this.#journal);
      this.#finish(task, { index, job: await completedWithOutput(job, this.#options.schema) });
    } catch (error) {
      const running = mayRun(error) ? task.id : undefined;
      if (running !== undefined && this.#exit.hasBegun) return await this.#abandon(index, running, error);
      if (running !== undefined) this.#unfollowed.set(index, running);
      // Nothing was sent for an input whose wait has ended.
      if (this.#exit.hasEnded(error)) return;
      if (isFatal(error)) this.#failure ??= { error };
      this.#finish(task, { index, error: asError(error) });
    } finally {
      this.#underWay.delete(index);
      this.#wake();
    }
  }

  /** With a journal the loop gets final results only: what it has stored never changes, and the next run has the rest. */
  #finish({ index, id, noted }: Task, result: JobResult<Output>): void {
    // mutant unsettled-yielded: true
    if (this.#journal === undefined || isSettled(result)) {
      this.#results.push({ ...result, ...(noted?.handedOut && { again: true as const }) });
      return;
    }
    this.#open -= 1;
    this.#unfinishedCount += 1;
    if (result.error !== undefined && this.#unfinished.length < MOST_KEPT)
      this.#unfinished.push({ index, id, error: result.error });
  }

  /** Cancels a job that is unfinished when the loop ends, unless the next run will follow it. */
  async #abandon(index: number, id: string, reason: unknown): Promise<void> {
    if (this.#journal !== undefined) return void this.#orphans.push({ index, id, error: reason });
    const { job, error } = await this.#exit.cancel(id);
    // It has finished in the meantime.
    if (job?.status === "COMPLETED") this.#orphans.push({ index, id, job });
    else if (error !== undefined) this.#orphans.push({ index, id, error });
  }

  /** Cancels the unfinished jobs, once. */
  #leave(): Promise<void> {
    this.#exit.begin(new ComputeCloudError("The batch was left."), BREAK_MS);
    this.#leaving ??= this.#calls.transport.finish(async () => {
      // Jobs in `#underWay` are cancelled by the code that waits for them.
      const { reason } = this.#taskOptions.waitSignal;
      const unfollowed = [...this.#unfollowed].map(([index, id]) => this.#abandon(index, id, reason));
      await Promise.all([...this.#underWay.values(), ...unfollowed]);
    });
    return this.#leaving;
  }

  /** The results that were not yielded, without those of cancelled jobs. */
  #undelivered(): Orphan[] {
    const orphaned = new Set(this.#orphans.map(({ index }) => index));
    return this.#results.flatMap(({ index, job, error }): Orphan[] => {
      if (orphaned.has(index)) return [];
      const id = job?.id ?? (error instanceof ComputeCloudError && error.kind === "Job" ? error.id : undefined);
      return [{ index, id, ...(job === undefined ? { error } : { job }) }];
    });
  }
}

/** A program's schema may throw anything. */
function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown });
}

/** The error of a batch that leaves jobs which may run on. */
function runningJobsError(running: readonly Orphan[], cause: unknown): ComputeCloudError {
  const jobIds = running.flatMap(({ id }) => id ?? []);
  const unknown = running.length - jobIds.length;
  const named = [
    ...(jobIds.length > 0 ? [jobIds.slice(0, MOST_NAMED).join(", ")] : []),
    ...(jobIds.length > MOST_NAMED ? [`${jobIds.length - MOST_NAMED} more, all in jobIds`] : []),
    ...(unknown > 0 ? [`${unknown} of unknown id, whose submission was not answered`] : []),
  ];
  const facts = { code: "ABORTED", outcomeUnknown: true, jobIds };
  const ended = messageOf(cause).replace(/\.?$/, ".");
  const message = `The batch has ended: ${ended} ${running.length} of its jobs may run on: ${named.join("; ")}.`;
  return cause instanceof JournalError
    ? new JournalError(message, cause.cause, facts)
    : new AbortError(`${message} Cancel them by id, or read their results.`, facts, cause);
}

function isFatal(error: unknown): boolean {
  return [AuthenticationError, PermissionError, JournalError].some((kind) => error instanceof kind);
}

/**
 * Whether the next run with the journal skips this input. It submits a refused input again, and follows a job again that was
 * given up.
 */
function isSettled({ job, error }: JobResult): boolean {
  if (job !== undefined || error instanceof SubmissionLostError) return true;
  return (
    !isMissing(error) &&
    !mayRun(error) &&
    !(error instanceof JobWaitError) &&
    error instanceof ComputeCloudError &&
    error.kind === "Job"
  );
}

/** Whether the job of an undelivered result may run on: it was given up, or its submission was not answered. */
function isUnended({ error }: Orphan): boolean {
  return error instanceof JobWaitError || (error instanceof ComputeCloudError && error.outcomeUnknown === true);
}

/** Whether a job may be unfinished after this error, and was not given up because of `timeoutMs`. */
function mayRun(error: unknown): boolean {
  return !(
    error instanceof JobFailedError ||
    error instanceof JobWaitError ||
    error instanceof JobOutputError ||
    error instanceof NotFoundError
  );
}
