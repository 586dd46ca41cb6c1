import { TimeLimit } from "../calls/cancellation";
import type { ComputeCloudError } from "../errors";
import type { Clock, RetryEvent } from "../options";
import type { Fault } from "./statuses";

/** What a second sending of the same call would do. */
export type CallClass =
  /** The same as one: GET, PUT, PATCH, DELETE, GraphQL queries, saveEndpoint with an id. */
  | "repeatable"
  /** Make a second thing. */
  | "create"
  /** Run a second job. */
  | "job"
  /** Depends on the state it finds. */
  | "action";

/** `reconcile`: find out what became of the call; whether it is sent again is for who finds out to say. */
export type Verdict = "retry" | "reconcile" | "fail";

export const retryTable: Readonly<Record<CallClass, Readonly<Record<Fault, Verdict>>>> = {
  repeatable: { untouched: "retry", doubtful: "retry", unreadable: "fail", refused: "fail" },
  create: { untouched: "retry", doubtful: "reconcile", unreadable: "reconcile", refused: "fail" },
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
  /** The least to wait, where the service said so. */
  readonly waitMs?: number | undefined;
  /** How long a quota keeps the next attempt back. */
  readonly quotaMs?: number | undefined;
  /** How long to go on asking from now, where that is less than what the budget leaves. */
  readonly patienceMs?: number | undefined;
  /** The time of the whole call was over, whatever this attempt would have met. */
  readonly cutShort?: boolean | undefined;
  /** There is no connection to the address: it refuses, or says nothing. */
  readonly unreachable?: "refusing" | "silent" | undefined;
  toError(tally: Tally): ComputeCloudError;
}

export type AttemptResult<T> = { readonly value: T } | { readonly failure: Failure };

/** What became of a doubtful call; undefined: nothing, so that it may be sent again. */
export type Reconcile<T> = (error: ComputeCloudError) => Promise<{ readonly value: T } | undefined>;

export interface RetryRun<T> {
  /** e.g. `GET /v2/pods`. */
  label: string;
  class: CallClass;
  attempt(): Promise<AttemptResult<T>>;
  /** How often it may be sent. */
  attempts?: number | undefined;
  /** Milliseconds until the call has to be over. */
  leftMs(): number;
  /** Milliseconds that a quota has kept the call back so far: they do not count against the budget. */
  heldBackMs(): number;
  reconcile?: Reconcile<T> | undefined;
  /** Ends the pauses. Asked for when there is one. */
  signal(): AbortSignal;
  /** Told of every pause. */
  hooks?: { retry(event: RetryEvent): void } | undefined;
}

export interface RetryPolicy {
  clock: Clock;
  budgetMs: number;
}

/** Exponential back-off with full jitter, so that callers which failed together do not come back together. */
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
    // What the attempts before met says more than that there was no time for another, unless this one may have acted.
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
