import { jsonOf } from "../../common/json";
import { timeLeft } from "../calls/cancellation";
import {
  AuthenticationError,
  BadRequestError,
  ComputeCloudError,
  NotFoundError,
  PermissionError,
  UsageError,
} from "../errors";
import { backoffMs } from "../outcomes/retry";
import type { QueueCalls } from "./calls";
import { JobFailedError, StreamGapError } from "./errors";
import type { QueueCallOptions } from "./options";
import type { StreamReply } from "./replies";
import { isFinal } from "./status";
import type { Job, JobStatus, StreamChunk } from "./types";
import { DEFAULT_GRACE_MS, isMissing } from "./wait";

/** Broken answers in a row before the stream gives up. */
const MOST_FAILURES = 8;
const LONGEST_IDLE_MS = 1_000;
/** A chunk with a shorter text comes in one piece: the service splits only chunks above 1 MB. */
const LEAST_SPLIT = 256 * 1024;
/** Errors that another attempt would get again. */
const lasting = [AuthenticationError, BadRequestError, NotFoundError, PermissionError, UsageError];

/**
 * The chunks of a job's output, until the job is finished.
 *
 * The service hands out each chunk once, so a lost answer loses its chunks. After a broken connection the following chunks are
 * held back until the job is finished. Its aggregated output then has all of them, in order. After an error as the answer the
 * stream continues live, because most such answers come from an edge that did not reach the service. At the end the aggregated
 * output shows whether a chunk was lost after all.
 *
 * @throws JobFailedError after the last chunk, when the job did not complete; StreamGapError after the last chunk, when
 *   an answer was lost and the aggregated output can't fill the gap
 */
export async function* streamJob(
  calls: QueueCalls,
  id: string,
  options: QueueCallOptions,
): AsyncGenerator<StreamChunk> {
  const lasting = calls.transport.lasting(options.signal);
  try {
    yield* chunksOf(calls, id, { ...options, signal: lasting.signal });
  } finally {
    lasting.release();
  }
}

async function* chunksOf(calls: QueueCalls, id: string, options: QueueCallOptions): AsyncGenerator<StreamChunk> {
  const { clock } = calls.transport;
  const { signal, attempts = MOST_FAILURES } = options;
  const began = clock.now();
  const remaining = timeLeft(options, clock, { kind: "Job", id });
  const progress = new Progress();
  const held: StreamChunk[] = [];
  let doubt: unknown;
  let holding = false;
  let failures = 0;
  let idle = 0;
  let status: JobStatus | undefined;

  for (;;) {
    let reply: StreamReply;
    const call = remaining();
    try {
      reply = await calls.stream(id, call);
      failures = 0;
    } catch (error) {
      signal?.throwIfAborted();
      // What a hook has thrown, or a mistake.
      if (!(error instanceof ComputeCloudError)) throw error;
      failures += 1;
      remaining();
      const isNew = status === undefined && progress.chunks === 0 && clock.now() - began < DEFAULT_GRACE_MS;
      if (isNew && isMissing(error)) {
        await clock.sleep(backoffMs(failures), signal);
        continue;
      }
      if (failures >= Math.min(attempts, MOST_FAILURES) || lasting.some((kind) => error instanceof kind)) throw error;
      doubt ??= error;
      // An answer with a status is no lost one.
      holding ||= (error.status ?? 0) < 300;
      await clock.sleep(backoffMs(failures), signal);
      continue;
    }
    for (const { output, metrics } of reply.chunks) {
      const chunk = { output, ...(metrics !== undefined && { metrics }) };
      if (holding) held.push(chunk);
      else {
        progress.yielded(output);
        yield chunk;
      }
    }
    if (reply.chunks.length > 0) {
      idle = 0;
      continue;
    }
    const latestStatus = reply.status ?? status;
    if (latestStatus !== undefined && isFinal(latestStatus)) {
      status = latestStatus;
      break;
    }
    // A bare list has no status. Further chunks may come between the list and the read of the status.
    if (reply.status === undefined) status = (await calls.status(id, remaining())).status;
    if (status === undefined || !isFinal(status))
      await clock.sleep(Math.min(100 * 2 ** idle++, LONGEST_IDLE_MS), signal);
  }

  if (doubt === undefined && status === "COMPLETED") return;
  let job: Job | undefined;
  let unread: unknown;
  try {
    job = await calls.status(id, { ...options, timeoutMs: undefined });
  } catch (error) {
    signal?.throwIfAborted();
    unread = error;
  }
  const missing = job?.status === "COMPLETED" ? progress.missing(job.output) : undefined;
  // A list that holds less than what came after the loss is not an aggregate of the stream.
  const filled = missing !== undefined && textLength(missing) >= textLength(held.map(({ output }) => output));
  if (filled && (holding || missing.length === 0)) {
    for (const output of missing) yield { output };
    return;
  }
  yield* held;
  if (status !== "COMPLETED") throw new JobFailedError(job ?? { id, status });
  throw new StreamGapError(id, progress.chunks + held.length, doubt, unread);
}

/** How much of a job's aggregated output its stream has delivered. */
class Progress {
  /** The length of each chunk's text; 0 for a chunk that is not text. */
  readonly #lengths: number[] = [];

  get chunks(): number {
    return this.#lengths.length;
  }

  yielded(output: unknown): void {
    this.#lengths.push(typeof output === "string" ? output.length : 0);
  }

  /**
   * The rest of the aggregated output, after the chunks so far. Undefined if they are not its beginning, or if the output is
   * not a list. The rest of a chunk that came in pieces is one more piece. Only lengths are compared, not contents.
   */
  missing(output: unknown): unknown[] | undefined {
    if (!Array.isArray(output)) return undefined;
    let next = 0;
    for (const [index, value] of output.entries()) {
      if (next === this.#lengths.length) return output.slice(index);
      const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
      const came = this.#lengths[next] ?? 0;
      if (text.length < LEAST_SPLIT || came === 0 || came === text.length) {
        next += 1;
        continue;
      }
      let offset = 0;
      while (offset < text.length && next < this.#lengths.length) offset += this.#lengths[next++] ?? 0;
      if (offset > text.length) return undefined;
      if (offset < text.length) return [text.slice(offset), ...output.slice(index + 1)];
    }
    return next === this.#lengths.length ? [] : undefined;
  }
}

function textLength(outputs: readonly unknown[]): number {
  return outputs.reduce<number>((sum, output) => sum + (output === undefined ? 0 : jsonOf(output).length), 0);
}
