import { AuthenticationError, BadRequestError, NotFoundError, PermissionError, UsageError } from "../errors";
import type { CallOptions } from "../options";
import { backoffMs } from "../retry";
import type { QueueCalls } from "./calls";
import { StreamGapError } from "./errors";
import { isFinal } from "./outcome";
import type { StreamChunk, StreamReply } from "./schemas";

/** Broken answers in a row before the stream gives up. */
const mostFailures = 8;
const longestIdleMs = 1_000;
/** Errors that another attempt meets again. */
const lasting = [AuthenticationError, BadRequestError, NotFoundError, PermissionError, UsageError];

/**
 * What a job puts out, chunk by chunk, until it is finished, however it ends.
 *
 * The service hands out each chunk once. When an answer is lost on its way, chunks may be lost with it, and those that
 * follow are held back until the job is finished: the aggregated output then holds all of them, in order.
 *
 * @throws StreamGapError after the last chunk, when an answer was lost and the worker does not aggregate
 */
export async function* streamJob(calls: QueueCalls, id: string, options: CallOptions): AsyncGenerator<StreamChunk> {
  const { clock } = calls.transport;
  const held: StreamChunk[] = [];
  let lost: unknown;
  let yielded = 0;
  let failures = 0;
  let idle = 0;
  /** For answers that do not tell the status. */
  let ended = false;

  for (;;) {
    let reply: StreamReply;
    try {
      reply = await calls.stream(id, options);
      failures = 0;
    } catch (error) {
      options.signal?.throwIfAborted();
      failures += 1;
      if (failures >= mostFailures || lasting.some((kind) => error instanceof kind)) throw error;
      lost ??= error;
      await clock.sleep(backoffMs(failures), options.signal);
      continue;
    }
    for (const { output, metrics } of reply.chunks) {
      const chunk = { output, ...(metrics !== undefined && { metrics }) };
      if (lost !== undefined) held.push(chunk);
      else {
        yielded += 1;
        yield chunk;
      }
    }
    if (reply.chunks.length > 0) {
      idle = 0;
      continue;
    }
    if (reply.status === undefined ? ended : isFinal(reply.status)) break;
    if (reply.status === undefined) ended = isFinal((await calls.status(id, options)).status);
    if (!ended) await clock.sleep(Math.min(100 * 2 ** idle++, longestIdleMs), options.signal);
  }

  if (lost === undefined) return;
  const { output } = await calls.status(id, options);
  if (Array.isArray(output) && output.length >= yielded + held.length) {
    for (const each of output.slice(yielded)) yield { output: each };
    return;
  }
  yield* held;
  throw new StreamGapError(id, yielded + held.length, lost);
}
