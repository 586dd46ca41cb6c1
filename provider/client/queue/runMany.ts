import { AuthenticationError, ComputeCloudError, NotFoundError, PermissionError, UsageError } from "../errors";
import type { QueueCalls } from "./calls";
import { JobFailedError, JobOutputError, JobWaitError, JournalError, SubmissionLostError } from "./errors";
import { Journal } from "./journal";
import { Leaving } from "./leaving";
import type { Orphan, RunManyOptions } from "./options";
import { Pace } from "./pace";
import { typedOutput } from "./standardSchema";
import { completedJob, type Task } from "./task";
import type { CompletedJob, JobRequest } from "./types";

const DEFAULT_CONCURRENCY = 20;
/** How long a loop that is left, though not aborted, cancels its jobs: the service takes 100 cancellations in 10 s. */
const BREAK_MS = 60_000;

/**
 * How one input of a batch came out. `again`: a loop with the same journal was given it before, and ended before it asked
 * for another one.
 */
export type JobResult<Output = unknown> =
  | { index: number; job: CompletedJob<Output>; error?: undefined; again?: true }
  | { index: number; job?: undefined; error: unknown; again?: true };

type Inputs<Input> = Iterable<Input> | AsyncIterable<Input>;

/**
 * Runs a job for each input and yields the results in the order in which the jobs finish. An input is taken only when
 * there is room: jobs under way and results not yet fetched never exceed `concurrency`.
 *
 * When the inputs throw, or the key is refused, the results that are there are yielded first. A loop that ends early -
 * then, by `break`, by the signal or because the client is closed - cancels every job that is not finished, those
 * included whose submission is still under way; jobs that were waited for until `timeoutMs` are left alone. `onOrphan` is
 * told of what may run on all the same, and of every result that was not yielded.
 *
 * With a journal nothing is cancelled: the next run follows what is noted.
 *
 * @throws what would fail every job alike: a key that is refused, a journal that can't be written, and what the inputs
 *   themselves throw
 * @internal
 */
export function runMany<Output, Input>(
  calls: QueueCalls,
  inputs: Inputs<Input>,
  options: RunManyOptions<Output, Input>,
): AsyncGenerator<JobResult<Output>, void, undefined> {
  return new Batch(calls, inputs, options).results();
}

class Batch<Output, Input> {
  readonly #calls: QueueCalls;
  readonly #inputs: Inputs<Input>;
  readonly #options: RunManyOptions<Output, Input>;
  readonly #concurrency: number;
  /** Results that nobody has fetched yet. */
  readonly #results: JobResult<Output>[] = [];
  readonly #underWay = new Set<Promise<void>>();
  /** By the place of their input: jobs that could not be followed to their end. */
  readonly #unfollowed = new Map<number, string>();
  readonly #orphans: Orphan[] = [];
  #journal: Journal | undefined;
  #source: Iterator<Input> | AsyncIterator<Input> | undefined;
  #leaving: Promise<void> | undefined;
  #next = 0;
  /** Jobs under way, and results not yet fetched. */
  #open = 0;
  #pulling = false;
  #ended = false;
  /** What would fail every job alike. */
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(calls: QueueCalls, inputs: Inputs<Input>, options: RunManyOptions<Output, Input>) {
    this.#calls = calls;
    this.#inputs = inputs;
    this.#options = options;
    this.#concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  }

  async *results(): AsyncGenerator<JobResult<Output>, void, undefined> {
    if (!Number.isInteger(this.#concurrency) || this.#concurrency < 1) {
      throw new UsageError(`concurrency is ${this.#concurrency}; it takes a whole number from 1.`);
    }
    const { signal, journal } = this.#options;
    signal?.throwIfAborted();
    if (journal !== undefined) this.#journal = await Journal.open(journal, this.#calls.endpointId);
    const lasting = this.#calls.transport.lasting(signal);
    const leaving = new Leaving(this.#calls, lasting.signal);
    const abort = () => {
      void this.#leave(leaving);
      this.#wake();
    };
    lasting.signal.addEventListener("abort", abort, { once: true });
    this.#source = iteratorOf(this.#inputs);
    let complete = false;
    let failure: { readonly error: unknown } | undefined;
    try {
      yield* this.#deliver(leaving);
      complete = true;
    } catch (error) {
      failure = { error };
    } finally {
      // Reached by `break` too, which what follows the block is not.
      if (!complete) await this.#leave(leaving);
      leaving.over();
      lasting.over();
      await this.#closeSource();
      await this.#journal?.close();
      this.#tellOrphans(failure === undefined);
    }
    if (failure !== undefined) throw failure.error;
  }

  async *#deliver(leaving: Leaving): AsyncGenerator<JobResult<Output>, void, undefined> {
    const { onProgress, total = lengthOf(this.#inputs) } = this.#options;
    const pace = new Pace(this.#calls.transport.clock, total, this.#journal?.deliveredBefore ?? 0);
    for (;;) {
      if (leaving.hasBegun) throw leaving.signals.waitSignal.reason;
      const hasRoom = !this.#ended && this.#failure === undefined && this.#open < this.#concurrency;
      if (hasRoom && !this.#pulling) void this.#pull(leaving);
      const [result] = this.#results;
      if (result !== undefined) {
        onProgress?.(pace.next(result.job === undefined, this.#underWay.size));
        const noted = isSettled(result) ? this.#journal : undefined;
        await noted?.delivering(result.index);
        this.#results.shift();
        this.#open -= 1;
        yield result;
        await noted?.delivered(result.index);
      } else if (this.#failure !== undefined) throw this.#failure.error;
      else if (this.#ended && this.#open === 0) return;
      else await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #pull(leaving: Leaving): Promise<void> {
    this.#pulling = true;
    try {
      const task = await this.#nextTask();
      if (task === undefined) this.#ended = true;
      else if (!leaving.hasBegun) this.#start(leaving, task);
    } catch (error) {
      this.#ended = true;
      this.#failure ??= { error };
    }
    this.#pulling = false;
    this.#wake();
  }

  /** The next input whose result was not delivered yet; undefined when there is none. */
  async #nextTask(): Promise<Task | undefined> {
    const { policy, request = (input: unknown): JobRequest => ({ input }) } = this.#options;
    for (;;) {
      const next = await this.#source?.next();
      if (next === undefined || next.done === true) return undefined;
      const input = next.value;
      const index = this.#next++;
      this.#journal?.check(index, input);
      if (this.#journal?.isDelivered(index)) continue;
      const noted = this.#journal?.noted(index);
      return { index, input, request: { policy, ...request(input, index) }, noted, id: noted?.id };
    }
  }

  #start(leaving: Leaving, task: Task): void {
    this.#open += 1;
    const running = this.#run(leaving, task).finally(() => {
      this.#underWay.delete(running);
      this.#wake();
    });
    this.#underWay.add(running);
  }

  async #run(leaving: Leaving, task: Task): Promise<void> {
    const { index, noted } = task;
    const again = noted?.handedOut && { again: true as const };
    try {
      const job = await completedJob(this.#calls, task, { ...this.#options, ...leaving.signals }, this.#journal);
      const output = await typedOutput(job.id, job.output, this.#options.schema);
      this.#results.push({ index, job: { ...job, output }, ...again });
    } catch (error) {
      const running = mayRun(error) ? task.id : undefined;
      if (running !== undefined && leaving.hasBegun) return this.#abandon(leaving, index, running, error);
      if (running !== undefined) this.#unfollowed.set(index, running);
      // Nothing was sent for an input whose wait was ended.
      if (leaving.hasEnded(error)) return;
      if (isFatal(error)) this.#failure ??= { error };
      this.#results.push({ index, error, ...again });
    }
  }

  /** A job that is not finished when the loop is left: cancelled, unless the next run will follow it. */
  async #abandon(leaving: Leaving, index: number, id: string, reason: unknown): Promise<void> {
    if (this.#journal !== undefined) this.#orphans.push({ index, id, error: reason });
    else await this.#cancel(leaving, index, id);
  }

  async #cancel(leaving: Leaving, index: number, id: string): Promise<void> {
    const { job, error } = await leaving.cancel(id);
    // It has finished in the meantime.
    if (job?.status === "COMPLETED") this.#orphans.push({ index, id, job });
    else if (error !== undefined) this.#orphans.push({ index, id, error });
  }

  /** Cancels what is under way, once. */
  #leave(leaving: Leaving): Promise<void> {
    this.#leaving ??= this.#calls.transport.finish(async () => {
      leaving.begin(new ComputeCloudError("The batch was left."), BREAK_MS);
      // What ends by leaving is cancelled where it was waited for.
      const reason = leaving.signals.waitSignal.reason;
      const unfollowed = [...this.#unfollowed].map(([index, id]) => this.#abandon(leaving, index, id, reason));
      await Promise.all([...this.#underWay, ...unfollowed]);
    });
    return this.#leaving;
  }

  async #closeSource(): Promise<void> {
    if (this.#ended) return;
    const closing = Promise.resolve(this.#source?.return?.());
    closing.catch(() => {});
    // A source that is still asked for an input hears of the end only after it has answered.
    if (!this.#pulling) await closing;
  }

  /** @param aloud whether what onOrphan throws is thrown, once it was told of all */
  #tellOrphans(aloud: boolean): void {
    const undelivered = this.#results.map(({ index, job, error }): Orphan => {
      const id = job?.id ?? (error instanceof ComputeCloudError && error.kind === "Job" ? error.id : undefined);
      return { index, id, ...(job === undefined ? { error } : { job }) };
    });
    const known = new Set(this.#orphans.map(({ index }) => index));
    let thrown: { readonly error: unknown } | undefined;
    for (const orphan of [...this.#orphans, ...undelivered.filter(({ index }) => !known.has(index))]) {
      try {
        this.#options.onOrphan?.(orphan);
      } catch (error) {
        thrown ??= { error };
      }
    }
    if (aloud && thrown !== undefined) throw thrown.error;
  }
}

function isFatal(error: unknown): boolean {
  return [AuthenticationError, PermissionError, JournalError].some((kind) => error instanceof kind);
}

/**
 * Whether a journal's next run has nothing to do for this input any more. An input that was refused is submitted again,
 * and a job that was given up is followed again.
 */
function isSettled({ job, error }: JobResult): boolean {
  if (job !== undefined || error instanceof SubmissionLostError) return true;
  return (
    !mayRun(error) && !(error instanceof JobWaitError) && error instanceof ComputeCloudError && error.kind === "Job"
  );
}

/** Whether a job whose following ended in this error may be unfinished, and is not left to itself by the caller's time-out. */
function mayRun(error: unknown): boolean {
  return !(
    error instanceof JobFailedError ||
    error instanceof JobWaitError ||
    error instanceof JobOutputError ||
    error instanceof NotFoundError
  );
}

function lengthOf(inputs: Inputs<unknown>): number | undefined {
  return Array.isArray(inputs) ? inputs.length : undefined;
}

function iteratorOf<Input>(inputs: Inputs<Input>): Iterator<Input> | AsyncIterator<Input> {
  return Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
}
