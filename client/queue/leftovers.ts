import { messageOf } from "../../common/messageOf";
import { AbortError, ComputeCloudError } from "../errors";
import type { QueueCalls } from "./calls";
import type { EarlyExit } from "./earlyExit";
import { JobWaitError, JournalError } from "./errors";
import type { Orphan } from "./options";

/** How long a loop that ends by `break` cancels its jobs. The service accepts 100 cancellations in 10 s. */
const BREAK_MS = 60_000;
/** Ids in the message of an error. */
const MOST_NAMED = 20;

/** What a batch leaves when its loop ends early: jobs that may run on, and results that were not yielded. */
export class Leftovers {
  readonly #calls: QueueCalls;
  readonly #exit: EarlyExit;
  /** Whether the next run follows the jobs. */
  readonly #isJournaled: boolean;
  /** Jobs that could not be followed to their end, by the position of their input. */
  readonly #unfollowed = new Map<number, string>();
  readonly #orphans: Orphan[] = [];
  #leaving: Promise<void> | undefined;

  constructor(calls: QueueCalls, exit: EarlyExit, isJournaled: boolean) {
    this.#calls = calls;
    this.#exit = exit;
    this.#isJournaled = isJournaled;
  }

  /** A job that may run on after this error. While the batch is left, it is cancelled at once. @returns whether it is left */
  async add(index: number, id: string, error: unknown): Promise<boolean> {
    const isLeft = this.#exit.hasBegun;
    if (isLeft) await this.#abandon(index, id, error);
    else this.#unfollowed.set(index, id);
    return isLeft;
  }

  /** Cancels the unfinished jobs, once. @param underWay are cancelled by the code that waits for them */
  leave(underWay: Iterable<Promise<void>>): Promise<void> {
    this.#exit.begin(new ComputeCloudError("The batch was left."), BREAK_MS);
    this.#leaving ??= this.#calls.transport.finish(async () => {
      const { reason } = this.#exit;
      const unfollowed = [...this.#unfollowed].map(([index, id]) => this.#abandon(index, id, reason));
      await Promise.all([...underWay, ...unfollowed]);
    });
    return this.#leaving;
  }

  /** Cancels a job that is unfinished when the loop ends, unless the next run will follow it. */
  async #abandon(index: number, id: string, reason: unknown): Promise<void> {
    if (this.#isJournaled) return void this.#orphans.push({ index, id, error: reason });
    const { job, error } = await this.#exit.cancel(id);
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
