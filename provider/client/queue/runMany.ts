import { AuthenticationError, ComputeCloudError, NotFoundError, PermissionError, UsageError } from "../errors";
import type { QueueCalls } from "./calls";
import { JobFailedError, JobOutputError, JobWaitError, SubmissionLostError } from "./errors";
import type { RunManyOptions } from "./options";
import { isFinal } from "./outcome";
import { typedOutput } from "./standardSchema";
import type { CompletedJob } from "./types";
import { completed, finished } from "./wait";

const DEFAULT_CONCURRENCY = 20;

/** How one input of a batch came out. */
export type JobResult<Output = unknown> =
  | { index: number; job: CompletedJob<Output>; error?: undefined }
  | { index: number; job?: undefined; error: unknown };

/**
 * Runs a job for each input and yields the results in the order in which the jobs finish. An input is taken only when
 * there is room: jobs under way and results not yet fetched never exceed `concurrency`.
 *
 * A loop that is left early, by `break`, an error or the signal, cancels every job that is not finished, those included
 * whose submission is still under way; jobs that were waited for until `timeoutMs` are left alone. `onOrphan` is told of
 * what may run on all the same.
 *
 * @throws what would fail every job alike: a key that is refused, and what the inputs themselves throw
 * @internal
 */
export async function* runMany<Output>(
  calls: QueueCalls,
  inputs: Iterable<unknown> | AsyncIterable<unknown>,
  { concurrency = DEFAULT_CONCURRENCY, signal, policy, idempotent = false, schema, ...options }: RunManyOptions<Output>,
): AsyncGenerator<JobResult<Output>> {
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new UsageError(`concurrency is ${concurrency}; it takes a whole number from 1.`);
  }
  const { timeoutMs, onOrphan } = options;
  const source = iteratorOf(inputs);
  const results: JobResult<Output>[] = [];
  const underWay = new Set<Promise<void>>();
  /** By the place of their input: jobs that could not be followed to their end, and submissions that may be jobs. */
  const unfollowed = new Map<number, string>();
  const lost = new Map<number, SubmissionLostError>();
  const left = new AbortController();
  let next = 0;
  let open = 0;
  let pulling = false;
  let ended = false;
  let fatal: { error: unknown } | undefined;
  let wake = () => {};

  const fail = (error: unknown) => {
    fatal ??= { error };
    wake();
  };
  const abort = () => fail(signal?.reason);
  const submit = async (index: number, input: unknown): Promise<JobResult<Output>> => {
    let id: string | undefined;
    try {
      ({ id } = await calls.run({ input, policy }, { repeatable: idempotent, waitSignal: left.signal }));
      const job = completed(await finished(calls, id, { timeoutMs, signal: left.signal }));
      return { index, job: { ...job, output: await typedOutput(id, job.output, schema) } };
    } catch (error) {
      if (id !== undefined && mayRun(error)) unfollowed.set(index, id);
      if (error instanceof SubmissionLostError) lost.set(index, error);
      if (error instanceof AuthenticationError || error instanceof PermissionError) fail(error);
      return { index, error };
    }
  };
  const runOne = async (index: number, input: unknown) => {
    results.push(await submit(index, input));
    wake();
  };
  const pull = async () => {
    pulling = true;
    try {
      const { done, value } = await source.next();
      if (done === true) ended = true;
      else if (!left.signal.aborted) {
        open += 1;
        const running = runOne(next++, value).finally(() => underWay.delete(running));
        underWay.add(running);
      }
    } catch (error) {
      fail(error);
    }
    pulling = false;
    wake();
  };
  const cancel = async (index: number, id: string) => {
    try {
      const job = await calls.status(id, {}).catch(unlessGone);
      if (job === undefined || !isFinal(job.status)) await calls.cancel(id, {});
    } catch (error) {
      if (!(error instanceof NotFoundError)) onOrphan?.({ index, id, error });
    }
  };
  const close = async () => {
    if (!ended) await source.return?.();
  };

  let complete = false;
  signal?.throwIfAborted();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    while (fatal === undefined) {
      if (!ended && !pulling && open < concurrency) {
        void pull();
        continue;
      }
      const result = results.shift();
      if (result !== undefined) {
        open -= 1;
        lost.delete(result.index);
        yield result;
      } else if (ended && open === 0) {
        complete = true;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    throw fatal.error;
  } finally {
    signal?.removeEventListener("abort", abort);
    const closing = close();
    closing.catch(() => {});
    if (!complete) {
      left.abort(new ComputeCloudError("The batch was left."));
      await Promise.all(underWay);
      await Promise.all([...unfollowed].map(([index, id]) => cancel(index, id)));
      for (const [index, error] of lost) onOrphan?.({ index, error });
    }
    // A source that is still asked for an input hears of the end only after it has answered.
    if (!pulling) await closing;
  }
}

/** A job whose status can't be read may run. */
function unlessGone(error: unknown): undefined {
  if (error instanceof NotFoundError) throw error;
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

function iteratorOf(inputs: Iterable<unknown> | AsyncIterable<unknown>): Iterator<unknown> | AsyncIterator<unknown> {
  return Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
}
