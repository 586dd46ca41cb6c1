import type { Client, CompletedJob, Job, Queue } from "../client";
import { JobExpiredError, JobFailedError, JobWaitError, ResultExpiredError } from "../client";
import { diagnose } from "./diagnosis";
import { type Expectation, type Mismatch, mismatches } from "./expectation";
import { SmokeError } from "./smokeError";

/** How long a new endpoint may be unknown to the queue. */
const graceMs = 30_000;
const leastTtlMs = 10_000;
const mostTtlMs = 7 * 24 * 3_600_000;
/** The queue keeps the job a little longer than it is waited for, so that giving up is ours to tell. */
const ttlMarginMs = 60_000;

export interface SmokePlan {
  readonly endpointId: string;
  readonly input: unknown;
  readonly expect?: Expectation | undefined;
  /** For everything: cold start, run and further attempts. */
  readonly timeoutMs: number;
  /** How often a job that failed, or whose output was not as expected, is run again. */
  readonly retries: number;
  /** Keeps the output, and the texts of the input, out of errors. */
  readonly secretOutput?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told after every look at a job that is not finished. */
  readonly onProgress?: ((job: Job, elapsedMs: number) => void) | undefined;
}

/**
 * Runs a job on the endpoint and looks at what comes of it. A job that is given up is cancelled.
 *
 * @throws SmokeError when the endpoint did not pass; ComputeCloudError when it could not be asked
 */
export async function runSmoke(client: Client, plan: SmokePlan): Promise<CompletedJob> {
  const queue = client.queue(plan.endpointId);
  const began = Date.now();
  for (let attempts = 1; ; attempts += 1) {
    const leftMs = Math.max(0, plan.timeoutMs - (Date.now() - began));
    const { id } = await queue.run(
      { input: plan.input, policy: { ttl: ttlOf(leftMs) } },
      { idempotent: true, graceMs: Math.min(graceMs, leftMs), signal: plan.signal },
    );
    const end = await endOf(queue, id, plan, leftMs, began);
    if (end.passed) return end.job;
    const again = end.again && attempts <= plan.retries && Date.now() - began < plan.timeoutMs;
    if (again) continue;
    const gaveUpAfterMs = end.gaveUp ? Date.now() - began : undefined;
    const failure = {
      endpointId: plan.endpointId,
      jobId: id,
      job: end.job,
      attempts,
      mismatches: end.mismatches,
      diagnosis: await diagnose(client, plan.endpointId, end.job),
      gaveUpAfterMs,
      hidden: plan.secretOutput === true ? textsIn(plan.input) : undefined,
    };
    // Only now: cancelling changes what the diagnosis shows.
    if (end.gaveUp) await giveUp(queue, id);
    throw new SmokeError(failure, { cause: end.cause });
  }
}

type End =
  | { passed: true; job: CompletedJob }
  | {
      passed: false;
      job: Job | undefined;
      mismatches: readonly Mismatch[];
      /** Running it once more may help. */
      again: boolean;
      gaveUp: boolean;
      cause?: unknown;
    };

/** How the job ended, or that it did not. */
async function endOf(queue: Queue, id: string, plan: SmokePlan, timeoutMs: number, began: number): Promise<End> {
  let last: Job | undefined;
  const onProgress = (job: Job) => {
    last = job;
    plan.onProgress?.(job, Date.now() - began);
  };
  try {
    const job = await queue.wait(id, { timeoutMs, graceMs, signal: plan.signal, onProgress });
    const found = plan.expect === undefined ? [] : mismatches(plan.expect, job.output);
    return found.length === 0
      ? { passed: true, job }
      : { passed: false, job, mismatches: found, again: true, gaveUp: false };
  } catch (cause) {
    const failed = { passed: false, mismatches: [], cause } as const;
    if (cause instanceof JobFailedError) {
      return { ...failed, job: cause.job, again: cause.job.status !== "CANCELLED", gaveUp: false };
    }
    if (cause instanceof JobWaitError) return { ...failed, job: cause.job, again: false, gaveUp: true };
    if (cause instanceof JobExpiredError || cause instanceof ResultExpiredError) {
      return { ...failed, job: last, again: false, gaveUp: true };
    }
    await giveUp(queue, id);
    throw cause;
  }
}

/** The queue drops the job when its time to live ends: a cancel that fails only costs more of that time. */
async function giveUp(queue: Queue, id: string): Promise<void> {
  await queue.cancel(id, { signal: AbortSignal.timeout(10_000) }).catch(() => {});
}

function ttlOf(leftMs: number): number {
  return Math.min(mostTtlMs, Math.max(leastTtlMs, leftMs + ttlMarginMs));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
