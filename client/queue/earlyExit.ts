import { messageOf } from "../../common/messageOf";
import type { Cancellation } from "../calls/cancellation";
import { AbortError, ComputeCloudError, NotFoundError } from "../errors";
import { errorMessage } from "../outcomes/statuses";
import type { QueueCalls } from "./calls";
import { JobWaitError, JournalError } from "./errors";
import type { Orphan } from "./options";
import { isFinal } from "./status";
import type { Job } from "./types";

/** How long an abort waits for running calls, and for jobs to be cancelled. In real time, not by the client's clock. */
const LEAVING_MS = 5_000;
/** How long a loop that ends by `break` cancels its jobs. The service accepts 100 cancellations in 10 s. */
const BREAK_MS = 60_000;
/** Ids in the message of an error. */
const MOST_NAMED = 20;

/** The reason for ending calls that are still running when the time for leaving is over. */
class ExitTimeout extends Error {
  override readonly name = "ExitTimeout";
  constructor(ms: number) {
    super(`There was no answer within ${ms / 1000} s of leaving.`);
  }
}

/** `waitSignal` ends waits, `signal` ends calls under way. */
export interface Ends {
  readonly signal: AbortSignal;
  readonly waitSignal: AbortSignal;
}

/**
 * Ends the work on jobs early. Waits end at once. Submissions under way get some time for their answers, because a job can't
 * be cancelled without its id.
 */
export class EarlyExit {
  readonly #calling = new AbortController();
  readonly signals: Ends;
  /** Aborted when too little time is left to wait for a window of the service's limits. */
  readonly #urgent = new AbortController();
  #timers: NodeJS.Timeout[] = [];
  #ms = LEAVING_MS;

  /** @param waits the exit begins when it ends */
  constructor(
    private readonly calls: QueueCalls,
    private readonly waits: Cancellation,
  ) {
    this.signals = { signal: this.#calling.signal, waitSignal: waits.signal };
    if (waits.ended) this.handleEvent();
    else this.signals.waitSignal.addEventListener("abort", this);
  }

  handleEvent(): void {
    const ms = this.#ms;
    this.#timers = [
      setTimeout(() => this.#calling.abort(new ExitTimeout(ms)), ms),
      setTimeout(() => this.#urgent.abort(), ms - LEAVING_MS),
    ];
  }

  get hasBegun(): boolean {
    return this.waits.ended;
  }

  get reason(): unknown {
    return this.waits.reason;
  }

  /** Whether the error is the reason of one of our signals: the work ended before a call was sent. */
  hasEnded(error: unknown): boolean {
    return Object.values(this.signals).some(({ aborted, reason }) => aborted && error === reason);
  }

  /** @param ms how long leaving may take */
  begin(reason: unknown, ms: number): void {
    if (!this.hasBegun) this.#ms = ms;
    this.waits.end(reason);
  }

  /** Stops listening. */
  over(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.waits.release();
  }

  /**
   * Cancels an unfinished job within the remaining time. Resolves to the job as it ended, `error` if it may still run, or neither
   * if the queue has dropped it. It is not read before, because statuses may have used up their own limit.
   */
  async cancel(id: string): Promise<Pick<Orphan, "job" | "error">> {
    const options = { signal: this.#calling.signal, urgent: this.#urgent.signal };
    try {
      const job = await this.calls.transport.finish(() => this.calls.cancel(id, options));
      // mutant cancel-in-progress: true
      return isFinal(job.status) ? { job } : { error: stillRuns(job) };
    } catch (error) {
      return error instanceof NotFoundError ? {} : { error };
    }
  }

  /** The error of a submission, by the caller's signal if that has ended it. */
  endedSubmission(error: unknown): unknown {
    if (!(error instanceof AbortError && this.hasBegun)) return error;
    return new AbortError(error.message, error, this.waits.reason);
  }

  /**
   * Waits for one job. If the signal ends the wait, the job is cancelled.
   *
   * @throws AbortError with the job's id, once the signal has ended the wait
   */
  async cancelOnAbort<T>(
    id: string,
    onOrphan: ((orphan: Omit<Orphan, "index">) => void) | undefined,
    wait: () => Promise<T>,
  ): Promise<T> {
    try {
      this.waits.throwIfEnded();
      return await wait();
    } catch (error) {
      if (!this.hasEnded(error)) throw error;
      const { job, error: cause } = await this.cancel(id);
      const facts = { kind: "Job", id, code: "ABORTED", outcomeUnknown: cause !== undefined };
      const end =
        cause === undefined ? `it is ${job?.status ?? "gone"}` : "it may run on, for it could not be cancelled";
      const title = `its call was aborted; ${end}`;
      const wayOut = "Its id cancels it, or reads its result.";
      if (cause !== undefined) onOrphan?.({ id, error: cause });
      throw new AbortError(errorMessage({ ...facts, title }, wayOut), facts, error);
    }
  }
}

function stillRuns({ id, status }: Job): ComputeCloudError {
  const facts = { kind: "Job", id, outcomeUnknown: true };
  return new ComputeCloudError(
    `Job ${id} is ${status} after it was cancelled, so it may run on. Read its status.`,
    facts,
  );
}

/** What a batch leaves when its loop ends early: jobs that may run on, and results that were not yielded. */
export class Leftovers {
  /** Jobs that could not be followed to their end, by the position of their input. */
  readonly #unfollowed = new Map<number, string>();
  readonly #orphans: Orphan[] = [];
  #leaving: Promise<void> | undefined;

  /** @param isJournaled whether the next run follows the jobs */
  constructor(
    private readonly calls: QueueCalls,
    private readonly exit: EarlyExit,
    private readonly isJournaled: boolean,
  ) {}

  /** A job that may run on after this error. While the batch is left, it is cancelled at once. @returns whether it is left */
  async add(index: number, id: string, error: unknown): Promise<boolean> {
    const isLeft = this.exit.hasBegun;
    if (isLeft) await this.#abandon(index, id, error);
    else this.#unfollowed.set(index, id);
    return isLeft;
  }

  /** Cancels the unfinished jobs, once. @param underWay are cancelled by the code that waits for them */
  leave(underWay: Iterable<Promise<void>>): Promise<void> {
    this.exit.begin(new ComputeCloudError("The batch was left."), BREAK_MS);
    this.#leaving ??= this.calls.transport.finish(async () => {
      const { reason } = this.exit;
      const unfollowed = [...this.#unfollowed].map(([index, id]) => this.#abandon(index, id, reason));
      await Promise.all([...underWay, ...unfollowed]);
    });
    return this.#leaving;
  }

  /** Cancels a job that is unfinished when the loop ends, unless the next run will follow it. */
  async #abandon(index: number, id: string, reason: unknown): Promise<void> {
    if (this.isJournaled) return void this.#orphans.push({ index, id, error: reason });
    const { job, error } = await this.exit.cancel(id);
    // It has finished in the meantime.
    if (job?.status === "COMPLETED") this.#orphans.push({ index, id, job });
    else if (error !== undefined) this.#orphans.push({ index, id, error });
  }

  /** @param unfetched results that were not yielded; those of cancelled jobs are left out */
  all(unfetched: readonly Orphan[]): Orphan[] {
    const orphaned = new Set(this.#orphans.map(({ index }) => index));
    const undelivered = unfetched.flatMap(({ index, job, error }): Orphan[] => {
      if (orphaned.has(index)) return [];
      const id = job?.id ?? (error instanceof ComputeCloudError && error.kind === "Job" ? error.id : undefined);
      return [{ index, id, ...(job === undefined ? { error } : { job }) }];
    });
    return [...this.#orphans, ...undelivered];
  }

  /** Of all: the jobs that may run on. One that was not yielded was given up, or its submission was not answered. */
  running(all: readonly Orphan[]): Orphan[] {
    const isUnended = ({ error }: Orphan) =>
      error instanceof JobWaitError || (error instanceof ComputeCloudError && error.outcomeUnknown === true);
    return all.filter((each) => (this.#orphans.includes(each) ? each.job === undefined : isUnended(each)));
  }
}

/** The error of a batch that leaves jobs which may run on. */
export function runningJobsError(running: readonly Orphan[], cause: unknown): ComputeCloudError {
  const jobIds = running.flatMap(({ id }) => id ?? []);
  const unknown = running.length - jobIds.length;
  const named = [
    ...(jobIds.length > 0 ? [jobIds.slice(0, MOST_NAMED).join(", ")] : []),
    ...(jobIds.length > MOST_NAMED ? [`${jobIds.length - MOST_NAMED} more, all in jobIds`] : []),
    ...(unknown > 0 ? [`${unknown} of unknown id, whose submission was not answered`] : []),
  ];
  const facts = { code: "ABORTED", outcomeUnknown: true, jobIds };
  const ended = messageOf(cause).replace(/\.?$/, ".");
  const message = `The batch has ended: ${ended} ${running.length} of its jobs may run on: ${named.join("; ")}.`;
  return cause instanceof JournalError
    ? new JournalError(message, cause.cause, facts)
    : new AbortError(`${message} Cancel them by id, or read their results.`, facts, cause);
}
