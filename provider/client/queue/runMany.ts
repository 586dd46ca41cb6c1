import { AuthenticationError, ComputeCloudError, NotFoundError, PermissionError, UsageError } from "../errors";
import { splitOptions } from "../options";
import type { QueueCalls } from "./calls";
import { JobFailedError, JobOutputError, JobWaitError } from "./errors";
import { Leaving } from "./leaving";
import type { Orphan, RunManyOptions } from "./options";
import { typedOutput } from "./standardSchema";
import type { CompletedJob } from "./types";
import { completed, finished } from "./wait";

const DEFAULT_CONCURRENCY = 20;
/** How long a loop that is left, though not aborted, cancels its jobs: the service takes 100 cancellations in 10 s. */
const BREAK_MS = 60_000;

/** How one input of a batch came out. */
export type JobResult<Output = unknown> =
  | { index: number; job: CompletedJob<Output>; error?: undefined }
  | { index: number; job?: undefined; error: unknown };

type Inputs = Iterable<unknown> | AsyncIterable<unknown>;

/**
 * Runs a job for each input and yields the results in the order in which the jobs finish. An input is taken only when
 * there is room: jobs under way and results not yet fetched never exceed `concurrency`.
 *
 * When the inputs throw, or the key is refused, the results that are there are yielded first. A loop that ends early -
 * then, by `break`, by the signal or because the client is closed - cancels every job that is not finished, those
 * included whose submission is still under way; jobs that were waited for until `timeoutMs` are left alone. `onOrphan` is
 * told of what may run on all the same, and of every result that was not yielded.
 *
 * @throws what would fail every job alike: a key that is refused, and what the inputs themselves throw
 * @internal
 */
export function runMany<Output>(
  calls: QueueCalls,
  inputs: Inputs,
  options: RunManyOptions<Output>,
): AsyncGenerator<JobResult<Output>, void, undefined> {
  return new Batch(calls, inputs, options).results();
}

class Batch<Output> {
  readonly #calls: QueueCalls;
  readonly #inputs: Inputs;
  readonly #options: RunManyOptions<Output>;
  readonly #concurrency: number;
  /** Results that nobody has fetched yet. */
  readonly #results: JobResult<Output>[] = [];
  readonly #underWay = new Set<Promise<void>>();
  /** By the place of their input: jobs that could not be followed to their end. */
  readonly #unfollowed = new Map<number, string>();
  readonly #orphans: Orphan[] = [];
  #source: Iterator<unknown> | AsyncIterator<unknown> | undefined;
  #left: Promise<void> | undefined;
  #next = 0;
  /** Jobs under way, and results not yet fetched. */
  #open = 0;
  #pulling = false;
  #ended = false;
  /** What would fail every job alike. */
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(calls: QueueCalls, inputs: Inputs, options: RunManyOptions<Output>) {
    this.#calls = calls;
    this.#inputs = inputs;
    this.#options = options;
    this.#concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  }

  async *results(): AsyncGenerator<JobResult<Output>, void, undefined> {
    if (!Number.isInteger(this.#concurrency) || this.#concurrency < 1) {
      throw new UsageError(`concurrency is ${this.#concurrency}; it takes a whole number from 1.`);
    }
    const { signal } = this.#options;
    signal?.throwIfAborted();
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
      this.#tellOrphans(failure === undefined);
    }
    if (failure !== undefined) throw failure.error;
  }

  async *#deliver(leaving: Leaving): AsyncGenerator<JobResult<Output>, void, undefined> {
    for (;;) {
      if (leaving.hasBegun) throw leaving.signals.waitSignal.reason;
      const hasRoom = !this.#ended && this.#failure === undefined && this.#open < this.#concurrency;
      if (hasRoom && !this.#pulling) void this.#pull(leaving);
      const result = this.#results.shift();
      if (result !== undefined) {
        this.#open -= 1;
        yield result;
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
      const next = await this.#source?.next();
      if (next === undefined || next.done === true) this.#ended = true;
      else if (!leaving.hasBegun) this.#start(leaving, next.value);
    } catch (error) {
      this.#ended = true;
      this.#failure ??= { error };
    }
    this.#pulling = false;
    this.#wake();
  }

  #start(leaving: Leaving, input: unknown): void {
    const index = this.#next++;
    this.#open += 1;
    const running = this.#run(leaving, index, input).finally(() => {
      this.#underWay.delete(running);
      this.#wake();
    });
    this.#underWay.add(running);
  }

  async #run(leaving: Leaving, index: number, input: unknown): Promise<void> {
    const { policy, idempotent = false, schema, timeoutMs, exactIntegers, ...given } = this.#options;
    const options = { ...splitOptions(given).options, exactIntegers };
    const { clock } = this.#calls.transport;
    const began = clock.now();
    let id: string | undefined;
    try {
      const submission = { ...options, ...leaving.signals, timeoutMs, repeatable: idempotent };
      ({ id } = await this.#calls.run({ input, policy }, submission));
      const leftMs = timeoutMs === undefined ? undefined : timeoutMs - (clock.now() - began);
      const wait = { ...options, timeoutMs: leftMs, signal: leaving.signals.waitSignal };
      const job = completed(await finished(this.#calls, id, wait));
      this.#results.push({ index, job: { ...job, output: await typedOutput(id, job.output, schema) } });
    } catch (error) {
      const running = mayRun(error) ? id : undefined;
      if (running !== undefined && leaving.hasBegun) return this.#cancel(leaving, index, running);
      if (running !== undefined) this.#unfollowed.set(index, running);
      // Nothing was sent for an input whose wait was ended.
      if (leaving.hasEnded(error)) return;
      if (isFatal(error)) this.#failure ??= { error };
      this.#results.push({ index, error });
    }
  }

  async #cancel(leaving: Leaving, index: number, id: string): Promise<void> {
    const { job, error } = await leaving.cancel(id);
    // It has finished in the meantime.
    if (job?.status === "COMPLETED") this.#orphans.push({ index, id, job });
    else if (error !== undefined) this.#orphans.push({ index, id, error });
  }

  /** Cancels what is under way, once. */
  #leave(leaving: Leaving): Promise<void> {
    this.#left ??= this.#calls.transport.finish(async () => {
      leaving.begin(new ComputeCloudError("The batch was left."), BREAK_MS);
      // What ends by leaving is cancelled where it was waited for.
      const unfollowed = [...this.#unfollowed].map(([index, id]) => this.#cancel(leaving, index, id));
      await Promise.all([...this.#underWay, ...unfollowed]);
    });
    return this.#left;
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
  return error instanceof AuthenticationError || error instanceof PermissionError;
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

function iteratorOf(inputs: Inputs): Iterator<unknown> | AsyncIterator<unknown> {
  return Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
}
