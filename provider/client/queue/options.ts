import type { CallOptions } from "../options";
import type { StandardSchema } from "./standardSchema";
import type { Job, JobPolicy } from "./types";

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

export interface RunManyOptions<Output>
  extends Omit<WaitOptions, "graceMs" | "onProgress">,
    Pick<SubmitOptions, "idempotent">,
    TypedOptions<Output> {
  /** Jobs under way, and results not yet fetched. Default 20. */
  concurrency?: number | undefined;
  policy?: JobPolicy | undefined;
  /** Gives up a job after this time, submission included; it is not cancelled. Milliseconds. Default 15 minutes. */
  timeoutMs?: number | undefined;
  /** Told, when the loop is left early, of each job that may run on, and of each result that was not delivered. */
  onOrphan?: ((orphan: Orphan) => void) | undefined;
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
