import { messageOf } from "../../common/messageOf";
import { AuthenticationError, ComputeCloudError, NotFoundError, PermissionError, UsageError } from "../errors";
import { type Clock, splitOptions } from "../options";
import type { QueueCalls } from "./calls";
import { EarlyExit, Leftovers, runningJobsError } from "./earlyExit";
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
import type { BatchProgress, RunManyOptions } from "./options";
import { finishedJob, type Task } from "./task";
import type { CompletedJob, Job, JobRequest } from "./types";
import { completedWithOutput, isMissing } from "./wait";

const DEFAULT_CONCURRENCY = 20;
/** Inputs without a final result that are kept with their errors: memory does not grow with the batch. */
const MOST_KEPT = 100;
/** Errors that would fail every job. */
const fatal = [AuthenticationError, PermissionError, JournalError];

/**
 * The result of one input of a batch: `index` is its position, from 0. With a journal it is final. `again` marks a result that an earlier loop with the
 * same journal received, if that loop ended before it asked for the next one.
 */
export type JobResult<Output = unknown> =
  | { index: number; job: CompletedJob<Output>; error?: undefined; again?: true }
  | { index: number; job?: undefined; error: Error; again?: true };

/** Promises of an iterable are awaited, one by one. */
export type Inputs<Input> = Iterable<Input | PromiseLike<Input>> | AsyncIterable<Input>;

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
  const { concurrency = DEFAULT_CONCURRENCY, signal, timeoutMs, journal: pathOrStore, takeOver } = options;
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
  readonly #finished: (task: Task) => Promise<Job>;
  readonly #pace: Pace;
  readonly #source: Source<Input>;
  readonly #leftovers: Leftovers;
  readonly #unfinished = new Unfinished();
  /** Results that the loop has not fetched yet. */
  readonly #results: JobResult<Output>[] = [];
  /** By the position of its input. */
  readonly #underWay = new Map<number, Promise<void>>();
  /** An error that would fail every job. */
  #failure: Thrown | undefined;
  #wake = () => {};

  /** @param exit begins by the caller's signal, by the client's end, or when the loop is left */
  constructor(
    calls: QueueCalls,
    inputs: Inputs<Input>,
    private readonly options: RunManyOptions<Output, Input> & { readonly concurrency: number },
    private readonly journal: Journal | undefined,
    private readonly exit: EarlyExit,
  ) {
    this.#leftovers = new Leftovers(calls, exit, journal !== undefined);
    const { idempotent = false, emptyInput, exactIntegers, findLost } = options;
    const { options: call } = splitOptions(options);
    const taskOptions = { ...call, idempotent, emptyInput, exactIntegers, findLost, ...exit.signals };
    this.#finished = (task) => finishedJob(calls, task, taskOptions, journal);
    this.#source = new Source(inputs);
    const { total = Array.isArray(inputs) ? inputs.length : undefined } = options;
    this.#pace = new Pace(calls.transport.clock, total, journal?.delivered.size ?? 0);
    exit.signals.waitSignal.addEventListener("abort", this, { once: true });
  }

  handleEvent(): void {
    void this.#leave();
    this.#wake();
  }

  /** Cancels the unfinished jobs, once. */
  #leave(): Promise<void> {
    return this.#leftovers.leave(this.#underWay.values());
  }

  /** @throws what ended the loop, or an AbortError where jobs may run on whose ids nobody else is told */
  async end(complete: boolean, failure: Thrown | undefined): Promise<void> {
    const { onOrphan } = this.options;
    const isNamed = onOrphan !== undefined && !this.exit.hasBegun;
    if (!complete) await this.#leave();
    const left = this.#leftovers.all(this.#results);
    let thrown = failure;
    for (const step of [
      () => this.#source.close(),
      () => this.journal?.close(),
      () => this.exit.over(),
      ...left.map((orphan) => () => void onOrphan?.(orphan)),
    ]) {
      try {
        await step();
      } catch (error) {
        thrown ??= { error };
      }
    }
    const running = this.#leftovers.running(left);
    const cause = thrown === undefined ? this.exit.reason : thrown.error;
    // With a journal the next run follows them, unless the journal has failed.
    // mutant left-unnamed: false
    if (running.length > 0 && !isNamed && (this.journal === undefined || cause instanceof JournalError))
      throw runningJobsError(running, cause);
    if (thrown !== undefined) throw thrown.error;
  }

  /** How much of `concurrency` is taken. */
  get #open(): number {
    return this.#underWay.size + this.#results.length;
  }

  /**
   * The first result that was not delivered, once there is one; undefined after the last.
   *
   * @throws BatchUnfinishedError after the last, where inputs have no final result
   */
  async next(): Promise<JobResult<Output> | undefined> {
    for (;;) {
      if (this.exit.hasBegun) throw this.exit.reason;
      const hasRoom = !this.#source.hasEnded && this.#failure === undefined && this.#open < this.options.concurrency;
      if (hasRoom && !this.#source.isPulled) void this.#pull();
      const [result] = this.#results;
      if (result !== undefined) {
        this.options.onProgress?.(this.#pace.next(result.job === undefined, this.#underWay.size));
        await this.journal?.append({ event: "delivering", index: result.index });
        this.#results.shift();
        return result;
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#source.hasEnded && !this.#source.isPulled && this.#open === 0) return this.#unfinished.throwIfAny();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Starts the jobs of further inputs, as many as there is room for. */
  async #pull(): Promise<void> {
    this.#source.isPulled = true;
    try {
      while (this.#open < this.options.concurrency && this.#failure === undefined) {
        const task = await this.#nextTask();
        if (task === undefined || this.exit.hasBegun) break;
        this.#underWay.set(task.index, this.#run(task));
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#source.isPulled = false;
    this.#wake();
  }

  /** The next input whose result was not delivered yet; undefined when there is none. */
  async #nextTask(): Promise<Task | undefined> {
    const { policy, request = (input: unknown): JobRequest => ({ input }) } = this.options;
    for (;;) {
      const next = await this.#source.read();
      if (next === undefined) return undefined;
      const { index } = next;
      const jobRequest: JobRequest = { policy, ...request(next.input, index) };
      this.journal?.check(index, jobRequest.input);
      if (this.journal?.delivered.has(index)) continue;
      const noted = this.journal?.noted(index);
      return { index, request: jobRequest, noted, id: noted?.id };
    }
  }

  async #run(task: Task): Promise<void> {
    const { index } = task;
    try {
      const job = await this.#finished(task);
      this.#finish(task, { index, job: await completedWithOutput(job, this.options.schema) });
    } catch (error) {
      const running = mayRun(error) ? task.id : undefined;
      if (running !== undefined && (await this.#leftovers.add(index, running, error))) return;
      // Nothing was sent for an input whose wait has ended.
      if (this.exit.hasEnded(error)) return;
      if (fatal.some((kind) => error instanceof kind)) this.#failure ??= { error };
      this.#finish(task, { index, error: asError(error) });
    } finally {
      this.#underWay.delete(index);
      this.#wake();
    }
  }

  /** With a journal the loop gets final results only: what it has stored never changes, and the next run has the rest. */
  #finish({ index, id, noted }: Task, result: JobResult<Output>): void {
    // mutant unsettled-yielded: true
    if (this.journal === undefined || isSettled(result))
      this.#results.push({ ...result, ...(noted?.handedOut && { again: true as const }) });
    else this.#unfinished.add({ index, id, error: asError(result.error) });
  }
}

/** With a journal: inputs without a final result. */
class Unfinished {
  readonly #first: UnfinishedInput[] = [];
  #count = 0;

  add(input: UnfinishedInput): void {
    this.#count += 1;
    if (this.#first.length < MOST_KEPT) this.#first.push(input);
  }

  throwIfAny(): undefined {
    if (this.#count > 0) throw new BatchUnfinishedError(this.#count, this.#first);
  }
}

/** The inputs of a batch, which are read one by one. */
class Source<Input> {
  readonly #iterator: Iterator<Input | PromiseLike<Input>> | AsyncIterator<Input>;
  #next = 0;
  /** Whether there is no further input, or one could not be read: then it has closed itself. */
  hasEnded = false;
  /** Whether somebody reads one after the other. */
  isPulled = false;

  constructor(inputs: Inputs<Input>) {
    // A promise may be rejected before its turn has come.
    if (Array.isArray(inputs)) for (const input of inputs) if (input instanceof Promise) input.catch(() => {});
    this.#iterator = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
  }

  /** The next input with its position; undefined after the last. */
  async read(): Promise<{ readonly index: number; readonly input: Input } | undefined> {
    let step: IteratorResult<Input | PromiseLike<Input>, unknown>;
    try {
      step = await this.#iterator.next();
    } catch (error) {
      this.hasEnded = true;
      throw error;
    }
    this.hasEnded = step.done === true;
    return step.done === true ? undefined : { index: this.#next++, input: await step.value };
  }

  /** An iterator that is being read learns of its end only after that, so it is not waited for. */
  async close(): Promise<void> {
    if (this.hasEnded) return;
    const closing = Promise.resolve(this.#iterator.return?.());
    closing.catch(() => {});
    if (!this.isPulled) await closing;
  }
}

/** The progress of a batch, and its estimated remaining time. */
class Pace {
  readonly #beganAt: number;
  #firstAt: number | undefined;
  #results = 0;
  #failed = 0;

  /** @param before results of earlier runs, which say nothing about the pace of this one */
  constructor(
    private readonly clock: Clock,
    private readonly total: number | undefined,
    private readonly before: number,
  ) {
    this.#beganAt = clock.now();
  }

  /** Counts another result. */
  next(failed: boolean, running: number): BatchProgress {
    const now = this.clock.now();
    // The first result includes the start of workers, so it is left out of the estimate.
    this.#firstAt ??= now;
    this.#results += 1;
    if (failed) this.#failed += 1;
    const done = this.before + this.#results;
    const awaited = this.total === undefined ? Number.NaN : Math.max(0, this.total - done);
    const remainingMs = (awaited * (now - this.#firstAt)) / (this.#results - 1);
    return {
      done,
      failed: this.#failed,
      running,
      total: this.total,
      elapsedMs: now - this.#beganAt,
      remainingMs: Number.isFinite(remainingMs) ? Math.round(remainingMs) : undefined,
    };
  }
}

/** A program's schema may throw anything. */
function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown });
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

/** Whether a job may be unfinished after this error, and was not given up because of `timeoutMs`. */
function mayRun(error: unknown): boolean {
  return !(
    error instanceof JobFailedError ||
    error instanceof JobWaitError ||
    error instanceof JobOutputError ||
    error instanceof NotFoundError
  );
}
