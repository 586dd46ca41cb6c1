import { TimeLimit } from "../calls/cancellation";
import type { ComputeCloudError } from "../errors";
import type { Clock, RetryEvent } from "../options";
import type { Fault } from "./statuses";

/** What sending the same call a second time would do. */
export type CallClass =
  /** Nothing more: GET, PUT, PATCH, DELETE, GraphQL queries, saveEndpoint with an id. */
  | "repeatable"
  /** Create a second resource. */
  | "create"
  /** Run a second job. */
  | "job"
  /** It depends on the resource's state. */
  | "action";

/** `reconcile`: find out whether the call was done, which also decides whether to send it again. */
export type Verdict = "retry" | "reconcile" | "fail";

/**
 * The service has no idempotency keys. So `retry` for a create or a job after a `doubtful` fault could create a second
 * resource, or run the job twice. A job has no name to search for, so it fails at once.
 */
export const retryTable: Readonly<Record<CallClass, Readonly<Record<Fault, Verdict>>>> = {
  repeatable: { untouched: "retry", doubtful: "retry", unreadable: "fail", refused: "fail" },
  // mutant create-again: { untouched: "retry", doubtful: "retry", unreadable: "retry", refused: "fail" }
  create: { untouched: "retry", doubtful: "reconcile", unreadable: "reconcile", refused: "fail" },
  // mutant action-again: { untouched: "retry", doubtful: "retry", unreadable: "retry", refused: "fail" }
  job: { untouched: "retry", doubtful: "fail", unreadable: "fail", refused: "fail" },
  action: { untouched: "retry", doubtful: "reconcile", unreadable: "reconcile", refused: "fail" },
};

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 20_000;

export interface Tally {
  attempts: number;
  elapsedMs: number;
  outcomeUnknown?: boolean | undefined;
}

/** One attempt that failed. */
export interface Failure {
  readonly fault: Fault;
  /** HTTP status or connection code. */
  readonly reason: string;
  /** The least wait before the next attempt, if the service named one. */
  readonly waitMs?: number | undefined;
  /** How long the next attempt must wait for a quota. */
  readonly quotaMs?: number | undefined;
  /** How long to go on retrying, if less than the remaining budget. */
  readonly patienceMs?: number | undefined;
  /** The call's time limit ended this attempt, so it says nothing about the service. */
  readonly cutShort?: boolean | undefined;
  /** There is no connection to the address: it refuses, or does not answer. */
  readonly unreachable?: "refusing" | "silent" | undefined;
  toError(tally: Tally): ComputeCloudError;
}

export type AttemptResult<T> = { readonly value: T } | { readonly failure: Failure };

/** The result of a doubtful call. Undefined only if the service certainly did nothing: the call is sent again then. */
export type Reconcile<T> = (error: ComputeCloudError) => Promise<{ readonly value: T } | undefined>;

export interface RetryRun<T> {
  /** e.g. `GET /v2/pods`. */
  label: string;
  class: CallClass;
  attempt(): Promise<AttemptResult<T>>;
  /** How often it may be sent. Default: as often as time allows. */
  attempts?: number | undefined;
  /** Milliseconds until the call has to be over. */
  leftMs(): number;
  /** How long the call has waited for a quota so far, which does not count against the budget. Milliseconds. */
  heldBackMs(): number;
  reconcile?: Reconcile<T> | undefined;
  /** Ends the pauses. Called before each of them. */
  signal(): AbortSignal;
  /** Called before every pause. */
  hooks?: { retry(event: RetryEvent): void } | undefined;
}

export interface RetryPolicy {
  clock: Clock;
  budgetMs: number;
}

/** Exponential back-off with full jitter, so that callers that failed together do not retry together. Milliseconds. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  return random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
}

/** Sends a call until it is answered, refused, or the budget is spent. */
export async function withRetries<T>(run: RetryRun<T>, policy: RetryPolicy): Promise<T> {
  const { clock, budgetMs } = policy;
  const began = clock.now();
  let met: Failure | undefined;
  for (let attempts = 1; ; attempts += 1) {
    const result = await run.attempt();
    if ("value" in result) return result.value;
    const { failure } = result;
    const verdict = retryTable[run.class][failure.fault];
    const tally = { attempts, elapsedMs: clock.now() - began };
    const unknown = (failure.fault === "doubtful" || failure.fault === "unreadable") && run.class !== "repeatable";
    // An earlier failure explains more than 'the time is over'. But an attempt that may have acted must be reported.
    if (!failure.cutShort || unknown) met = failure;
    const error = (met ?? failure).toError({ ...tally, ...(unknown && { outcomeUnknown: true }) });
    if (verdict === "fail" || (verdict === "reconcile" && run.reconcile === undefined)) throw error;
    const found = verdict === "reconcile" ? await run.reconcile?.(error) : undefined;
    if (found !== undefined) return found.value;

    const spentMs = clock.now() - began - run.heldBackMs();
    const waitMs = Math.max(backoffMs(attempts), failure.waitMs ?? 0);
    const leftMs = run.leftMs() - (failure.quotaMs ?? 0);
    const patienceMs = Math.min(budgetMs - spentMs, failure.patienceMs ?? Infinity, leftMs);
    if (waitMs > patienceMs || attempts >= (run.attempts ?? Infinity)) throw error;
    run.hooks?.retry({ call: run.label, attempt: attempts, waitMs, reason: failure.reason });
    await clock.sleep(waitMs, run.signal()).catch((reason: unknown) => {
      throw reason instanceof TimeLimit ? error : reason;
    });
  }
}
