import type { CallOptions } from "../options";
import type { JournalStore } from "./journalTypes";
import type { StandardSchema } from "./standardSchema";
import type { Job, JobPolicy, JobRequest } from "./types";

/** How a job's output is read. */
interface OutputOptions {
  /**
   * Whether integers beyond 2^53, such as seeds, come as text, for a `schema` that takes text. An output with 16 digits in a
   * row then takes five to ten times as long to read. Default: such integers are rounded, as by JSON.parse.
   */
  exactIntegers?: boolean | undefined;
}

/** `timeoutMs` covers everything here and below: waits for the service's limits, retries and the answer. */
export interface QueueCallOptions extends CallOptions, OutputOptions {
  /** Gives up after this time. Milliseconds. Default: the time for retries, two minutes unless `retryBudgetMs` is set. */
  timeoutMs?: number | undefined;
}

export interface SubmitOptions extends QueueCallOptions {
  /** Whether the job may run twice: when the answer is lost, it is submitted again. Default false. */
  idempotent?: boolean | undefined;
  /**
   * Whether the input may be empty: null, `{}` or `[]`. Workers of the service's own SDK take no such job, which waits until its time
   * is over. Default false.
   */
  emptyInput?: boolean | undefined;
  /** How long a 404 is retried, because a new endpoint may not be known everywhere yet. Milliseconds. Default 0. */
  graceMs?: number | undefined;
  /**
   * Awaited when the limits admit the submission, before it is sent: the moment for a note that the job may exist. An error from
   * it ends the call, and nothing is sent. A submission that is repeated after a 404 (`graceMs`) has it called again.
   */
  beforeSend?: (() => unknown) | undefined;
}

export interface StatusOptions extends QueueCallOptions {
  /** Sets the job's time to live, counted from now, whatever its state. Milliseconds, 1 to 7 days. Default: unchanged. */
  ttl?: number | undefined;
}

export interface WaitOptions extends CallOptions, OutputOptions {
  /** Gives up after this time. Milliseconds. Default 15 minutes. */
  timeoutMs?: number | undefined;
  /** How long a 404 is retried, because a new job or endpoint may not be known everywhere yet. Milliseconds. Default 10000. */
  graceMs?: number | undefined;
  /** Called with every status of an unfinished job. */
  onProgress?: ((job: Job) => void) | undefined;
}

export interface TypedOptions<Output> {
  /** Checks and types the job's output: a zod schema, or any other Standard Schema. Default: the output is `unknown`. */
  schema?: StandardSchema<Output> | undefined;
}

export interface RunSyncOptions<Output> extends SubmitOptions, Omit<WaitOptions, "graceMs">, TypedOptions<Output> {
  /**
   * How long the service may hold the submission open, 1000 to 300000. Milliseconds. Default 90000, or less by `timeoutMs`.
   * With a `signal` 1000, because the job can't be cancelled before the answer names its id.
   */
  waitMs?: number | undefined;
  /** Called when the signal has ended the call and the job could not be cancelled, so it may still run. */
  onOrphan?: ((orphan: Omit<Orphan, "index">) => void) | undefined;
  /** Gives up after this time, submission included. Milliseconds. Default 15 minutes after the submission. */
  timeoutMs?: number | undefined;
}

export interface RunManyOptions<Output, Input = unknown>
  extends Omit<WaitOptions, "graceMs" | "onProgress">,
    Pick<SubmitOptions, "idempotent" | "emptyInput">,
    TypedOptions<Output> {
  /** Most running jobs and unfetched results together, at least 1. Default 20. */
  concurrency?: number | undefined;
  /** The policy of every job whose `request` has none. Default: the service's. */
  policy?: JobPolicy | undefined;
  /**
   * Makes the request for an input, for example with its own webhook, policy or storage. An error from it ends the batch.
   * Default: the input as it is, with `policy`.
   */
  request?: ((input: Input, index: number) => JobRequest) | undefined;
  /** Stops waiting for a job after this time, submission included, without cancelling it. Milliseconds. Default 15 minutes. */
  timeoutMs?: number | undefined;
  /** The number of inputs, for `onProgress`. Default: the length of an array, otherwise unknown. */
  total?: number | undefined;
  /** Called before each result is yielded. An error from it ends the batch. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
  /**
   * Path of a file, or a store, for the progress of the batch. A run with the same inputs and journal continues an earlier run
   * that was killed or left early. It follows known jobs, and does not repeat delivered results. Leaving early cancels
   * nothing, because the next run follows the jobs. `request` must make the same job inputs again. Default: none.
   *
   * Each result is final then. Inputs without a final result, as after a refusal or `timeoutMs`, end the loop in a
   * BatchUnfinishedError that names them, after all other results; the next run submits or follows them.
   *
   * A kill may cut off a submission, which may have become a job. The next run yields a SubmissionLostError for it, or with
   * `idempotent` submits it again. It yields a ResultExpiredError, or submits again, where the queue has dropped a result.
   */
  journal?: string | JournalStore | undefined;
  /**
   * Whether a run on another machine, in another container or in another thread, that did not close the journal's file has ended.
   * Nothing tells from here, and two runs at once run jobs twice. Set it where only one can run, as by a job of a cluster.
   * Default false.
   */
  takeOver?: boolean | undefined;
  /**
   * Looks for the job of an input whose submission was not answered, in this run or in an earlier one with the journal: returns
   * its id, for example from its webhook's post. Called every few seconds until `timeoutMs`, also after an error of it; the input
   * then yields its SubmissionLostError. Anything but a text, and an empty one, means that the id is not known. Not called with
   * `idempotent`. Default: the error comes at once.
   */
  findLost?: ((index: number) => string | null | undefined | Promise<string | null | undefined>) | undefined;
  /** Called when the loop ends early: for each job that may still run, and for each result that was not delivered. */
  onOrphan?: ((orphan: Orphan) => void) | undefined;
}

/** The progress of a batch. Times are in milliseconds. */
export interface BatchProgress {
  /** Results so far, including those that earlier runs with the same journal delivered. */
  done: number;
  /** Results of this run that are errors. */
  failed: number;
  /** Jobs that are not finished. */
  running: number;
  /** The number of inputs; undefined where it is unknown. */
  total: number | undefined;
  /** Since the loop began. */
  elapsedMs: number;
  /** Estimated from the pace since the first result; undefined before the second result, and without `total`. */
  remainingMs: number | undefined;
}

/** What remains of a batch that ended early: a job that may still run, or a result that was not delivered. */
export interface Orphan {
  /** The position of its input, from 0. */
  index: number;
  /** Absent when the answer to its submission was lost. */
  id?: string | undefined;
  /** The completed job; absent otherwise. */
  job?: Job | undefined;
  /** Why the job could not be cancelled, or how it failed; absent where it has completed. */
  error?: unknown;
}
