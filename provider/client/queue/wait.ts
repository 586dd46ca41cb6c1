import { NotFoundError } from "../errors";
import type { CallOptions, Clock } from "../options";
import type { QueueCalls } from "./calls";
import { JobExpiredError, JobFailedError, JobWaitError, ResultExpiredError } from "./errors";
import { isFinal } from "./outcome";
import type { Job } from "./schemas";

const firstPauseMs = 250;
const longestPauseMs = 5_000;

export interface WaitOptions extends CallOptions {
  /** Gives up after this time. Milliseconds. Default 15 minutes. */
  timeoutMs?: number | undefined;
  /** How long a 404 is taken for a job or endpoint that is too new to be known everywhere. Milliseconds. Default 10000. */
  graceMs?: number | undefined;
  /** Told after every look at a job that is not finished. */
  onProgress?: ((job: Job) => void) | undefined;
}

const defaultTimeoutMs = 15 * 60_000;
const defaultGraceMs = 10_000;

/**
 * The job once it is finished, however it ended. Looks at it with growing pauses of up to 5 s.
 *
 * @throws JobWaitError, JobExpiredError, ResultExpiredError
 */
export async function finished(calls: QueueCalls, id: string, options: WaitOptions): Promise<Job> {
  const { timeoutMs = defaultTimeoutMs, graceMs = defaultGraceMs, signal, onProgress } = options;
  const { clock } = calls.transport;
  const began = clock.now();
  let job: Job | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    // A job that was seen once is known: a 404 after that is no lack of news.
    const patienceMs = job === undefined ? graceMs - (clock.now() - began) : 0;
    job = (await unlessMissing(() => calls.status(id, { signal }), patienceMs > 0)) ?? job;
    if (job !== undefined && isFinal(job.status)) return job;
    const leftMs = timeoutMs - (clock.now() - began);
    if (leftMs <= 0) throw new JobWaitError(id, timeoutMs, job);
    if (job !== undefined) onProgress?.(job);
    // Jobs that began together are not asked for together.
    await clock.sleep(Math.min(pauseMs * (0.8 + 0.4 * Math.random()), leftMs), signal);
  }
}

/** @throws JobFailedError unless the job completed */
export function completed(job: Job): Job & { status: "COMPLETED" } {
  const { status } = job;
  if (status !== "COMPLETED") throw new JobFailedError(job);
  return { ...job, status };
}

/** The call's answer; for `graceMs` a 404 is taken for an endpoint that is too new to be known everywhere. */
export async function patiently<T>(
  clock: Clock,
  graceMs: number,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
): Promise<T> {
  const began = clock.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const leftMs = graceMs - (clock.now() - began);
    const answer = await unlessMissing(async () => ({ value: await call() }), leftMs > 0);
    if (answer !== undefined) return answer.value;
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
  }
}

/** Undefined for a 404 that is tolerated. What is known to be gone is an error in any case. */
async function unlessMissing<T>(call: () => Promise<T>, tolerated: boolean): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const gone = error instanceof JobExpiredError || error instanceof ResultExpiredError;
    if (error instanceof NotFoundError && !gone && tolerated) return undefined;
    throw error;
  }
}
