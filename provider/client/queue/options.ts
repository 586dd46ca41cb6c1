import type { CallOptions } from "../options";
import type { JournalStore } from "./journalTypes";
import type { StandardSchema } from "./standardSchema";
import type { Job, JobPolicy, JobRequest } from "./types";

/** How a job's output is read. */
export interface OutputOptions {
  /**
   * Integers beyond 2^53, such as seeds, come as the text of their digits, for a `schema` that takes them. An output with 16
   * digits in a row takes five to ten times as long to read then. Default: they are rounded, as by JSON.parse.
   */
  exactIntegers?: boolean | undefined;
}

/** `timeoutMs` of every option below is for everything: waits for the service's limits, repetitions and the answer. */
export interface QueueCallOptions extends CallOptions, OutputOptions {
  /** Gives up after this time. Milliseconds. Default: as long as the service is asked again, two minutes unless told. */
  timeoutMs?: number | undefined;
}

export interface SubmitOptions extends QueueCallOptions {
  /** Running it twice does no harm: a lost answer is followed by another submission. Default false. */
  idempotent?: boolean | undefined;
  /** How long a 404 is taken for an endpoint too new to be known everywhere. Milliseconds. Default 0. */
  graceMs?: number | undefined;
}

export interface StatusOptions extends QueueCallOptions {
  /** Lets the job live for so long from now on, whatever its state. Milliseconds, 1 to 7 d. Default: as submitted. */
  ttl?: number | undefined;
}

export interface WaitOptions extends CallOptions, OutputOptions {
  /** Gives up after this time. Milliseconds. Default 15 minutes. */
  timeoutMs?: number | undefined;
  /** How long a 404 is taken for a job or endpoint that is too new to be known everywhere. Milliseconds. Default 10000. */
  graceMs?: number | undefined;
  /** Told after every look at a job that is not finished. */
  onProgress?: ((job: Job) => void) | undefined;
}

/** A zod schema, or any other Standard Schema, of the job's output. */
export interface TypedOptions<Output> {
  schema?: StandardSchema<Output> | undefined;
}

export interface RunSyncOptions<Output> extends SubmitOptions, Omit<WaitOptions, "graceMs">, TypedOptions<Output> {
  /**
   * How long the submission itself may be held open, 1000 to 300000. Milliseconds. Default 90000, less when `timeoutMs` is;
   * 1000 with a `signal`, for nobody knows the job's id before the submission is answered.
   */
  waitMs?: number | undefined;
  /** Told, when the signal ends the call, of a job that may run on because it could not be cancelled. */
  onOrphan?: ((orphan: Omit<Orphan, "index">) => void) | undefined;
  /** Gives up after this time, submission included. Milliseconds. Default 15 minutes after the submission. */
  timeoutMs?: number | undefined;
}

export interface RunManyOptions<Output, Input = unknown>
  extends Omit<WaitOptions, "graceMs" | "onProgress">,
    Pick<SubmitOptions, "idempotent">,
    TypedOptions<Output> {
  /** Jobs under way, and results not yet fetched. Default 20. */
  concurrency?: number | undefined;
  /** Of every job, unless its `request` has one. */
  policy?: JobPolicy | undefined;
  /**
   * Makes the request of an input, with a webhook, policy or storage of its own. What it throws ends the batch, as what the
   * inputs throw does. Default: the input as it is.
   */
  request?: ((input: Input, index: number) => JobRequest) | undefined;
  /** Gives up a job after this time, submission included; it is not cancelled. Milliseconds. Default 15 minutes. */
  timeoutMs?: number | undefined;
  /** How many inputs there are, for `onProgress`. Default: the length of an array, else not known. */
  total?: number | undefined;
  /** Told before each result is yielded. What it throws ends the batch. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
  /**
   * Path of a file, or a store, that notes how far the batch is. A run with the same inputs and journal goes on where an
   * earlier one was killed, or was left: it submits no input twice whose job is known, and yields no result again that was
   * delivered. With a journal, leaving early cancels nothing: the next run takes the jobs over.
   *
   * A submission that a kill cut off may have become a job: it is a SubmissionLostError, or submitted again with
   * `idempotent`. So is a job whose result the queue has dropped in the meantime.
   */
  journal?: string | JournalStore | undefined;
  /** Told, when the loop is left early, of each job that may run on, and of each result that was not delivered. */
  onOrphan?: ((orphan: Orphan) => void) | undefined;
}

/** How far a batch is. Times are milliseconds. */
export interface BatchProgress {
  /** Results so far, with those that earlier runs with the same journal have delivered. */
  done: number;
  /** Results of this run that are errors. */
  failed: number;
  /** Jobs under way. */
  running: number;
  /** How many inputs there are; undefined where that is not known. */
  total: number | undefined;
  /** Since the loop began. */
  elapsedMs: number;
  /** An estimate, by the pace since the first result; undefined before the second one, and where `total` is. */
  remainingMs: number | undefined;
}

/** What a batch that was left early leaves behind: a job that may run on, or a result that nobody was given. */
export interface Orphan {
  /** Place of its input. */
  index: number;
  /** Absent when the answer to its submission was lost. */
  id?: string | undefined;
  /** The job, where it has completed. */
  job?: Job | undefined;
  /** Why it could not be cancelled, or what became of it; absent where the job has completed. */
  error?: unknown;
}
