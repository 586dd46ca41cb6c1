import { inSeconds } from "../../common/duration";
import { keepNames } from "../../common/keepNames";
import { messageOf } from "../../common/messageOf";
import { printable } from "../../common/printable";
import { ComputeCloudError, ConflictError, type ErrorFacts, NotFoundError, TimeoutError, UsageError } from "../errors";
// All that this file exports at its end.
import * as errors from "./errors";
import { errorText } from "./status";
import type { Job } from "./types";

/** Characters of a worker's error in a message: its end has the reason of a trace. All of it is in `job.error`. */
const MOST_OF_ERROR = 4_000;
/** Inputs in the message of an error. */
const MOST_NAMED = 20;

/** A worker may put escapes into its error, which a terminal would obey, and megabytes. */
function readable(text: string): string {
  const left = text.length - MOST_OF_ERROR;
  return printable(left > 0 ? `(${left} characters before) …${text.slice(left)}` : text);
}

const factsOf = ({ id }: Pick<Job, "id">): ErrorFacts => ({ kind: "Job", id });

/** The answer to a submission was lost. The job may run, and its id is unknown. */
export class SubmissionLostError extends ComputeCloudError {
  constructor(endpointId: string, cause: ComputeCloudError) {
    const { status, code, requestId, attempts, elapsedMs } = cause;
    super(
      `A job for endpoint ${endpointId} may run: the answer to its submission was lost. Its time to live (policy.ttl) ` +
        `ends it. Pass idempotent to have jobs submitted again that do no harm when they run twice. ${cause.message}`,
      { kind: "Queue", id: endpointId, status, code, requestId, attempts, elapsedMs, outcomeUnknown: true },
    );
    this.cause = cause;
  }
}

/** The journal of a batch is unreadable, belongs to another batch, is in use, or can't be written. */
export class JournalError extends ComputeCloudError {
  /** Ids of the batch's jobs that may still run, where `onOrphan` does not get them. The journal may not have them all. */
  declare readonly jobIds: readonly string[] | undefined;

  constructor(message: string, cause?: unknown, facts: ErrorFacts & { jobIds?: readonly string[] } = {}) {
    super(message, facts);
    this.set(facts, ["jobIds"]);
    if (cause !== undefined) this.cause = cause;
  }
}

/** An input of a batch with a journal that has no final result yet. */
export interface UnfinishedInput {
  /** Its position, from 0. */
  index: number;
  /** Its job, which may still run; absent where none was submitted. */
  id?: string | undefined;
  /** Why there is no result. */
  error: Error;
}

/**
 * Every other result of a batch with a journal was yielded. These inputs have none that is final: they were refused, or their
 * jobs were given up. The next run with the journal submits or follows them.
 */
export class BatchUnfinishedError extends ComputeCloudError {
  /** How many they are. */
  declare readonly count: number;
  /** The first hundred. */
  declare readonly inputs: readonly UnfinishedInput[];

  constructor(count: number, inputs: readonly UnfinishedInput[]) {
    const places = inputs.slice(0, MOST_NAMED).map(({ index }) => index);
    const more = count > places.length ? ` and ${count - places.length} more` : "";
    const [first] = inputs;
    super(
      `The batch has no final result for ${count} of its inputs: ${places.join(", ")}${more}. Correct the cause, and run it again ` +
        `with its journal. The first of them: ${messageOf(first?.error)}`,
      { code: "UNFINISHED" },
    );
    this.count = count;
    this.inputs = inputs;
    this.cause = first?.error;
  }
}

/** The job ended as FAILED, TIMED_OUT or CANCELLED. */
export class JobFailedError extends ComputeCloudError {
  /** The job with its final status. */
  declare readonly job: Job;

  constructor(job: Job) {
    const reason = errorText(job);
    super(`Job ${job.id} ended as ${job.status}${reason === undefined ? "." : `: ${readable(reason)}`}`, factsOf(job));
    this.job = job;
  }
}

/** The job is not finished within `timeoutMs`. It is not cancelled. */
export class JobWaitError extends TimeoutError {
  /** The job as last seen; absent when the queue did not know it. */
  declare readonly job: Job | undefined;

  constructor(id: string, timeoutMs: number, job: Job | undefined, cause?: unknown) {
    super(
      `Job ${id} is ${job?.status ?? "not known to the queue"} after ${inSeconds(timeoutMs)} of waiting. ` +
        "Wait longer, cancel it, or look at the endpoint's health and workers.",
      { kind: "Job", id, elapsedMs: timeoutMs },
    );
    this.job = job;
    if (cause !== undefined) this.cause = cause;
  }
}

/** The job's time to live ran out, and the queue dropped it, whatever its state. */
export class JobExpiredError extends NotFoundError {
  constructor(id: string, ttlMs: number) {
    super(
      `Job ${id} is gone: its time to live (policy.ttl, ${inSeconds(ttlMs)}) ran out before its result was fetched. ` +
        "Submit it again, with a longer ttl.",
      { kind: "Job", id, status: 404 },
    );
  }
}

/** The job finished, and the queue has dropped its result. */
export class ResultExpiredError extends NotFoundError {
  constructor(id: string, retentionMs: number) {
    super(
      `Job ${id} finished, but its result is gone: the queue keeps it for ${retentionMs / 60_000} min. ` +
        "Fetch results sooner, have them sent to a webhook, or let the worker store them.",
      { kind: "Job", id, status: 404 },
    );
  }
}

/** Only a job that failed or timed out can be retried. No retry was sent. */
export class RetryRefusedError extends ConflictError {
  declare readonly job: Job;

  constructor(job: Job) {
    super(
      `Job ${job.id} is ${job.status}; only a FAILED or TIMED_OUT job can be retried. Submit a new job instead.`,
      factsOf(job),
    );
    this.job = job;
  }
}

/** The job completed, but its output is missing or does not match the schema. */
export class JobOutputError extends ComputeCloudError {
  /** The job, or the chunk of its stream, that was refused. */
  declare readonly output: unknown;

  constructor(id: string, output: unknown, issues: readonly string[], message?: string) {
    const mismatch = `Job ${id}: the output does not match the schema: ${issues.join("; ")}. Correct the schema or the worker.`;
    super(message ?? mismatch, { kind: "Job", id, errors: issues });
    this.output = output;
  }
}

/** An answer was lost while the job's stream was read, and the chunks in it can't be recovered. */
export class StreamGapError extends ComputeCloudError {
  /** Chunks that arrived. */
  declare readonly received: number;

  /**
   * @param cause how the answer was lost
   * @param unread why the job's output could not be read
   */
  constructor(id: string, received: number, cause: unknown, unread?: unknown) {
    super(
      `Job ${id}: an answer was lost while the stream was read; ${received} chunks arrived, more may be lost. ` +
        (unread === undefined
          ? "Let the worker aggregate its stream, so that the job's output can fill the gap."
          : `The job's output, which could fill the gap, could not be read: ${messageOf(unread)}`),
      { kind: "Job", id },
    );
    this.received = received;
    this.cause = cause;
  }
}

/** The request is larger than the queue accepts. Nothing was sent. */
export class PayloadTooLargeError extends UsageError {
  declare readonly bytes: number;
  declare readonly limit: number;

  constructor(operation: string, bytes: number, limit: number) {
    super(
      `${operation}: the request has ${bytes} bytes, the queue takes ${limit}. Put large inputs into storage and pass ` +
        "their address.",
    );
    this.bytes = bytes;
    this.limit = limit;
  }
}

keepNames(errors);
