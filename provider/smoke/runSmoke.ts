import {
  type Client,
  type CompletedJob,
  type Job,
  JobExpiredError,
  JobFailedError,
  JobWaitError,
  type Queue,
  ResultExpiredError,
} from "../../client";
import { mayBeRounded } from "../../common/json";
import { hide } from "../../common/redact";
import { textsIn } from "../lifecycle/fields/values";
import { CrashLoopError, CrashLoopWatch, type WorkerCounts } from "./crashLoop";
import { diagnose } from "./diagnosis";
import { type Expectation, type Mismatch, mismatches, show } from "./expectation";
import { SmokeError } from "./smokeError";
import { GRACE_MS } from "./watch";

const LEAST_TTL_MS = 10_000;
const MOST_TTL_MS = 7 * 24 * 3_600_000;
/** How much longer the queue keeps the job than we wait for it. So the wait ends first, and can report the reason. */
const TTL_MARGIN_MS = 60_000;
/** Share of the time that is reserved for a diagnosis and for cancelling the job. */
const DIAGNOSIS_SHARE = 0.3;
const LONGEST_DIAGNOSIS_MS = 8_000;
const LEAST_CANCEL_MS = 250;
/** Time for the cancel of a job whose run is to end. */
const LAST_CANCEL_MS = 2_000;
/** Pause between two reads of the workers while a job waits for one. */
const WORKERS_PAUSE_MS = 3_000;

export interface SmokePlan {
  readonly endpointId: string;
  readonly input: unknown;
  readonly expect?: Expectation | undefined;
  /** Time for everything: cold start, run and further attempts. */
  readonly timeoutMs: number;
  /** How often a job that failed or returned an unexpected output is repeated. */
  readonly retries: number;
  /** Keeps the output, and the texts of input and expectation, out of errors. */
  readonly secretOutput?: boolean | undefined;
  /** Ends the wait, and cancels the job. */
  readonly signal: AbortSignal;
  /** Called after each poll of a job that is not finished. */
  readonly onProgress?: ((job: Job, elapsedMs: number, workers?: WorkerCounts) => void) | undefined;
}

/**
 * Runs a job on the endpoint and compares its result with the expectation.
 *
 * A job that is given up is cancelled. The cancel is best effort: if it fails, a worker may still run the job until its
 * time to live ends. A submission whose answer was lost is sent again, so the job may run twice.
 *
 * @throws SmokeError if the endpoint did not pass
 * @throws ComputeCloudError if the queue could not be reached
 */
export async function runSmoke(client: Client, plan: SmokePlan): Promise<CompletedJob> {
  // What was sent and expected, no message shows.
  if (plan.secretOutput === true) hide(...textsIn([plan.input, plan.expect?.output]));
  const queue = client.queue(plan.endpointId);
  const began = client.clock.now();
  const diagnosisMs = diagnosisTime(plan.timeoutMs);
  const leftMs = () => Math.max(0, plan.timeoutMs - (client.clock.now() - began));
  for (let attempts = 1; ; attempts += 1) {
    const waitMs = Math.max(1, leftMs() - diagnosisMs);
    const { id } = await queue.run(
      { input: plan.input, policy: { ttl: ttlOf(waitMs) } },
      { idempotent: true, graceMs: Math.min(GRACE_MS, waitMs), timeoutMs: waitMs, signal: plan.signal },
    );
    const end = await endOf(client, id, plan, Math.max(1, leftMs() - diagnosisMs), began);
    if (end.passed) return end.job;
    const again = end.again && attempts <= plan.retries && leftMs() > diagnosisMs;
    if (again) continue;
    const gaveUpAfterMs = end.gaveUp ? client.clock.now() - began : undefined;
    const patienceMs = Math.min(LONGEST_DIAGNOSIS_MS, Math.max(diagnosisMs, leftMs()) - LEAST_CANCEL_MS);
    const failure = {
      endpointId: plan.endpointId,
      jobId: id,
      job: end.job,
      attempts,
      mismatches: end.mismatches,
      diagnosis: await diagnose(client, plan, end.job, Math.max(LEAST_CANCEL_MS, patienceMs)),
      gaveUpAfterMs,
    };
    // Cancelled only now, because a cancel changes what the diagnosis shows.
    if (end.gaveUp) await giveUp(queue, id, Math.max(LEAST_CANCEL_MS, leftMs()));
    throw new SmokeError(failure, end.cause, plan.secretOutput);
  }
}

type End =
  | { passed: true; job: CompletedJob }
  | {
      passed: false;
      job: Job | undefined;
      mismatches: readonly Mismatch[];
      /** Whether another attempt may pass. */
      again: boolean;
      gaveUp: boolean;
      cause?: unknown;
    };

/** Waits for the job's end. Says how it ended, or that it did not. */
async function endOf(client: Client, id: string, plan: SmokePlan, timeoutMs: number, began: number): Promise<End> {
  const queue = client.queue(plan.endpointId);
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, plan.signal]);
  const lookAtWorkers = workersLook(client, plan.endpointId, ending);
  let last: Job | undefined;
  const onProgress = (job: Job) => {
    last = job;
    const workers = job.status === "IN_QUEUE" ? lookAtWorkers() : undefined;
    plan.onProgress?.(job, client.clock.now() - began, workers);
  };
  try {
    const job = await queue.wait(id, { timeoutMs, graceMs: GRACE_MS, signal, onProgress });
    const { expect } = plan;
    const isExact = expect === undefined || !("output" in expect) || !mayBeRounded(job.output);
    const { output } = isExact ? job : await queue.status(id, { timeoutMs, signal, exactIntegers: true });
    const outputMismatches = expect === undefined ? missing(job) : mismatches(expect, job.output, output);
    return outputMismatches.length === 0
      ? { passed: true, job }
      : { passed: false, job, mismatches: outputMismatches, again: true, gaveUp: false };
  } catch (cause) {
    const failed = { passed: false, mismatches: [], cause } as const;
    if (cause instanceof JobFailedError) {
      return { ...failed, job: cause.job, again: cause.job.status !== "CANCELLED", gaveUp: false };
    }
    if (cause instanceof JobWaitError) return { ...failed, job: cause.job, again: false, gaveUp: true };
    const gone = cause instanceof JobExpiredError || cause instanceof ResultExpiredError;
    if (gone || cause instanceof CrashLoopError) return { ...failed, job: last, again: false, gaveUp: true };
    await giveUp(queue, id, plan.signal.aborted ? LAST_CANCEL_MS : LONGEST_DIAGNOSIS_MS);
    throw cause;
  } finally {
    ending.abort();
  }
}

/** A result that was too large is not a success: the service drops it, and the job completes. */
function missing({ output }: CompletedJob): Mismatch[] {
  const problem =
    "is missing: its result was too large, or its handler returns nothing, which `expect: { schema: true }` takes";
  return output === undefined ? [{ path: "", problem, found: show(output) }] : [];
}

/** The part of the time that is kept for a diagnosis. */
export const diagnosisTime = (timeoutMs: number): number => Math.min(timeoutMs * DIAGNOSIS_SHARE, LONGEST_DIAGNOSIS_MS);

/** Reads the workers from time to time, and ends the wait when they crash in a loop. @returns a reader of the last counts */
export function workersLook(
  client: Client,
  endpointId: string,
  ending: AbortController,
): () => WorkerCounts | undefined {
  const watch = new CrashLoopWatch();
  let lookedAt = client.clock.now();
  let last: WorkerCounts | undefined;
  return () => {
    if (client.clock.now() - lookedAt < WORKERS_PAUSE_MS) return last;
    lookedAt = client.clock.now();
    client.serverless.workers(endpointId, { signal: ending.signal }).then(
      ({ summary = {} }) => {
        last = summary;
        if (watch.isLoop(summary, client.clock.now())) ending.abort(new CrashLoopError());
      },
      // A key without the right to see workers only makes the wait longer.
      () => {},
    );
    return last;
  };
}

/** Cancels the job, best effort. The queue drops it in any case when its time to live ends. */
async function giveUp(queue: Queue, id: string, timeoutMs: number): Promise<void> {
  await queue.cancel(id, { timeoutMs }).catch(() => {});
}

function ttlOf(leftMs: number): number {
  return Math.ceil(Math.min(MOST_TTL_MS, Math.max(LEAST_TTL_MS, leftMs + TTL_MARGIN_MS)));
}
