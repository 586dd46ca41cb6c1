import { AuthenticationError, PermissionError, UsageError } from "../errors";
import type { Queue, RunManyOptions } from "./jobs";
import type { CompletedJob } from "./schemas";

const defaultConcurrency = 20;

/** How one input of a batch came out. */
export type JobResult<Output = unknown> =
  | { index: number; job: CompletedJob<Output>; error?: undefined }
  | { index: number; job?: undefined; error: unknown };

/**
 * Runs a job for each input and yields the results in the order in which the jobs finish. An input is taken only when
 * there is room: jobs under way and results not yet fetched never exceed `concurrency`. A loop that is left early
 * cancels what is under way.
 *
 * @throws what would fail every job alike: a key that is refused, and what the inputs themselves throw
 */
export async function* runMany<Output>(
  queue: Queue,
  inputs: Iterable<unknown> | AsyncIterable<unknown>,
  options: RunManyOptions<Output>,
): AsyncGenerator<JobResult<Output>> {
  const { concurrency = defaultConcurrency, signal, policy, ...rest } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new UsageError(`concurrency is ${concurrency}; it takes a whole number from 1.`);
  }
  const left = new AbortController();
  const every = { ...rest, signal: signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]) };
  const source = iteratorOf(inputs);
  const results: JobResult<Output>[] = [];
  const underWay = new Set<string>();
  let next = 0;
  let open = 0;
  let pulling = false;
  let ended = false;
  let fatal: { error: unknown } | undefined;
  let wake = () => {};

  const runOne = async (index: number, input: unknown) => {
    try {
      const { id } = await queue.run({ input, policy }, every);
      underWay.add(id);
      const job = await queue.wait(id, every);
      underWay.delete(id);
      results.push({ index, job });
    } catch (error) {
      if (error instanceof AuthenticationError || error instanceof PermissionError) fatal ??= { error };
      results.push({ index, error });
    }
    wake();
  };
  const pull = async () => {
    try {
      const { done, value } = await source.next();
      if (done === true) ended = true;
      else {
        open += 1;
        void runOne(next++, value);
      }
    } catch (error) {
      fatal ??= { error };
    }
    pulling = false;
    wake();
  };

  try {
    while (fatal === undefined) {
      signal?.throwIfAborted();
      if (!ended && !pulling && open < concurrency) {
        pulling = true;
        void pull();
        continue;
      }
      const result = results.shift();
      if (result !== undefined) {
        open -= 1;
        yield result;
      } else if (ended && open === 0) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    throw fatal.error;
  } finally {
    left.abort();
    await source.return?.();
    // The loop's own outcome matters more than a cancel that fails: the queue drops such jobs when their ttl ends.
    await Promise.allSettled([...underWay].map((id) => queue.cancel(id)));
  }
}

function iteratorOf(inputs: Iterable<unknown> | AsyncIterable<unknown>): Iterator<unknown> | AsyncIterator<unknown> {
  return Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
}
