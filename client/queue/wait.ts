import { pollPause } from "../../common/pollPause";
import { ConnectionError, NotFoundError, RateLimitError, ServiceError, TimeoutError, UsageError } from "../errors";
import type { Clock } from "../options";
import type { QueueCalls } from "./calls";
import { JobExpiredError, JobFailedError, JobOutputError, JobWaitError, ResultExpiredError } from "./errors";
import type { QueueCallOptions, WaitOptions } from "./options";
import { type StandardSchema, typedOutput } from "./standardSchema";
import { isFinal } from "./status";
import type { CompletedJob, Job } from "./types";

export const FIRST_PAUSE_MS = 250;
export const LONGEST_PAUSE_MS = 5_000;
export const DEFAULT_TIMEOUT_MS = 15 * 60_000;
export const DEFAULT_GRACE_MS = 10_000;
/** The end of the time is kept for a last look: this much of it, and no more than a second. */
const LAST_LOOK_SHARE = 0.1;
export const LONGEST_LAST_LOOK_MS = 1_000;
/** A timer that is so late did not run: the machine, or the process, was asleep. */
const OVERSLEPT_MS = 5_000;
/** For the read after that. The network may need a moment, too. */
const WAKING_MS = 10_000;
/** Timers may fire this much before the clock says so. */
const EARLY_TIMER_MS = 20;
/** Errors after which a later read may succeed. */
const passing = [ConnectionError, RateLimitError, ServiceError, TimeoutError];

/**
 * Waits until a job is finished, in any final state, with the pauses of `pollPause`. Reads continue while the service is down.
 *
 * @param submitted the job, where its caller does not know it: then each end of the wait names it
 * @throws JobWaitError, JobExpiredError, ResultExpiredError
 */
export async function finished(calls: QueueCalls, id: string, options: WaitOptions, submitted?: Job): Promise<Job> {
  const { clock } = calls.transport;
  const lasting = calls.transport.lasting(options.signal);
  const began = clock.now();
  let seen = submitted;
  const onProgress = (job: Job) => {
    seen = job;
    options.onProgress?.(job);
  };
  try {
    return await followed(calls, id, { ...options, onProgress, signal: lasting.signal });
  } catch (error) {
    const isReason = error === lasting.reason;
    const isUsage = error instanceof UsageError;
    // mutant job-of-a-closed-client: isUsage && isReason
    const isEnd = submitted === undefined ? isUsage && isReason : isUsage || isReason;
    const isByClient = isEnd && lasting.ended && options.signal?.aborted !== true;
    throw isByClient ? new JobWaitError(id, clock.now() - began, seen, error) : error;
  } finally {
    lasting.release();
  }
}

/** As `finished`, for a signal that the client's end aborts too. */
export async function followed(
  calls: QueueCalls,
  id: string,
  { timeoutMs = DEFAULT_TIMEOUT_MS, graceMs = DEFAULT_GRACE_MS, onProgress, ...options }: WaitOptions,
): Promise<Job> {
  const { clock } = calls.transport;
  const lastLookMs = Math.min(timeoutMs * LAST_LOOK_SHARE, LONGEST_LAST_LOOK_MS);
  const began = clock.now();
  let job: Job | undefined;
  /** Why the last read failed. */
  let met: unknown;
  /** The time for a read after a pause that took far too long: the machine slept, and the job may have finished since. */
  let wakingMs = 0;
  let missingSince: number | undefined;
  for (;;) {
    const elapsedMs = clock.now() - began;
    const leftMs = Math.max(timeoutMs - elapsedMs, wakingMs);
    if (leftMs <= 0) throw new JobWaitError(id, timeoutMs, job, met);
    met = undefined;
    let look: Job | undefined;
    try {
      look = await calls.status(id, { ...options, timeoutMs: leftMs });
    } catch (error) {
      missingSince = isMissing(error) ? (missingSince ?? clock.now()) : undefined;
      const isNew = job === undefined && elapsedMs < graceMs;
      // What was unfinished a moment ago may be missing in one answer, and be there in the next.
      const isDoubtful = calls.knownJobs.isUnfinished(id) && clock.now() - (missingSince ?? 0) < DEFAULT_GRACE_MS;
      // mutant first-404-is-gone: missingSince !== undefined && isNew
      const mayAppear = missingSince !== undefined && (isNew || isDoubtful);
      if (!mayAppear) {
        if (!passing.some((kind) => error instanceof kind)) throw error;
        const waitedMs = clock.now() - began;
        if (waitedMs >= timeoutMs - EARLY_TIMER_MS) throw new JobWaitError(id, timeoutMs, job, error);
        // The caller has set how often a read is sent, so no further read follows.
        if (options.attempts !== undefined) throw new JobWaitError(id, waitedMs, job, error);
        met = error;
      }
    }
    if (look !== undefined) {
      job = look;
      missingSince = undefined;
      if (isFinal(look.status)) return look;
      onProgress?.(look);
    }
    // Jobs that began together are read at different moments.
    const unevenMs = pollPause(clock.now() - began) * (0.9 + 0.1 * Math.random());
    const idleMs = timeoutMs - (clock.now() - began) - lastLookMs;
    // The last read has been made: the time that is left is too short for another.
    if (idleMs <= 0) throw new JobWaitError(id, timeoutMs, job, met);
    const wakesAt = clock.now() + Math.min(unevenMs, idleMs);
    await clock.sleep(wakesAt - clock.now(), options.signal);
    wakingMs = clock.now() - wakesAt > OVERSLEPT_MS ? WAKING_MS : 0;
  }
}

/** @throws JobFailedError unless the job completed; JobOutputError when the schema refuses the output */
export async function completed<Output>(
  job: Job,
  schema: StandardSchema<Output> | undefined,
): Promise<CompletedJob<Output>> {
  const { id, status, output } = job;
  if (status !== "COMPLETED") throw new JobFailedError(job);
  return { ...job, status, output: schema === undefined ? (output as Output) : await typedOutput(id, output, schema) };
}

/**
 * As `completed`. Without a schema that takes it, a missing output is an error: the service drops a result above its limit.
 *
 * @throws JobFailedError, JobOutputError
 */
export async function completedWithOutput<Output>(
  job: Job,
  schema: StandardSchema<Output> | undefined,
): Promise<CompletedJob<Output>> {
  const done = await completed(job, schema);
  if (job.output === undefined && schema === undefined)
    throw new JobOutputError(
      job.id,
      undefined,
      [],
      `Job ${job.id} completed without output. The service drops a result that is too large, and only its worker's log says so: ` +
        "let the worker put it into storage. If its handler returns nothing, pass a schema that takes undefined.",
    );
  return done;
}

/** The answer to the call. For `graceMs` a 404 is retried: a new endpoint may not be known everywhere yet. */
export async function withGrace<T>(
  clock: Clock,
  graceMs: number,
  { timeoutMs = Number.POSITIVE_INFINITY, ...options }: QueueCallOptions,
  call: (remaining: QueueCallOptions) => Promise<T>,
): Promise<T> {
  const began = clock.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const elapsedMs = clock.now() - began;
    // The last call has some of the time to itself.
    const leftMs = Math.min(graceMs, timeoutMs * 0.9) - elapsedMs;
    const remainingMs = timeoutMs === Number.POSITIVE_INFINITY ? undefined : Math.max(0, timeoutMs - elapsedMs);
    try {
      return await call({ ...options, timeoutMs: remainingMs });
    } catch (error) {
      if (leftMs <= 0 || !isMissing(error)) throw error;
    }
    await clock.sleep(Math.min(pauseMs, leftMs), options.signal);
  }
}

/** A 404 that may mean that the job is too new to be known everywhere. */
export function isMissing(error: unknown): boolean {
  const gone = error instanceof JobExpiredError || error instanceof ResultExpiredError;
  // Also of a gateway that does not know a new endpoint yet.
  return (error instanceof NotFoundError && !gone) || (error instanceof ConnectionError && error.status === 404);
}
