import type { ComputeCloudError } from "./errors";
import type { Clock, RetryEvent } from "./options";
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

/** `settle`: find out what became of the call before sending it again. */
export type Verdict = "retry" | "settle" | "fail";

export const retryTable: Readonly<Record<CallClass, Readonly<Record<Fault, Verdict>>>> = {
  repeatable: { untouched: "retry", doubtful: "retry", unreadable: "fail", refused: "fail" },
  create: { untouched: "retry", doubtful: "settle", unreadable: "settle", refused: "fail" },
  job: { untouched: "retry", doubtful: "fail", unreadable: "fail", refused: "fail" },
  action: { untouched: "retry", doubtful: "settle", unreadable: "settle", refused: "fail" },
};

const firstWaitMs = 250;
const longestWaitMs = 20_000;
/** Lists lag behind a create by up to 2.5 s: to look sooner could mean to create twice. */
const settleAfterMs: Partial<Record<CallClass, number>> = { create: 3_000 };

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
  /** There is no connection to the address: it refuses, or says nothing. */
  readonly unreachable?: "refusing" | "silent" | undefined;
  toError(tally: Tally): ComputeCloudError;
}

export type Outcome<T> = { readonly value: T } | { readonly failure: Failure };

/** What became of a doubtful call; undefined: nothing, so that it may be sent again. */
export type Settle<T> = (error: ComputeCloudError) => Promise<{ readonly value: T } | undefined>;

export interface RetryRun<T> {
  /** e.g. `GET /v2/pods`. */
  label: string;
  class: CallClass;
  attempt(): Promise<Outcome<T>>;
  /** How often it may be sent. */
  attempts?: number | undefined;
  /** Milliseconds until the call has to be over. */
  leftMs(): number;
  /** Milliseconds that a quota has kept the call back so far: they do not count against the budget. */
  heldBackMs(): number;
  settle?: Settle<T> | undefined;
  signal?: AbortSignal | undefined;
}

export interface RetryPolicy {
  clock: Clock;
  budgetMs: number;
  onRetry?: ((event: RetryEvent) => void) | undefined;
}

/** Exponential back-off with full jitter, so that callers which failed together do not come back together. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  return random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempts - 1));
}

/** Sends a call until it is answered, refused, or the budget is spent. */
export async function withRetries<T>(run: RetryRun<T>, policy: RetryPolicy): Promise<T> {
  const { clock, budgetMs } = policy;
  const began = clock.now();
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await run.attempt();
    if ("value" in outcome) return outcome.value;
    const { failure } = outcome;
    const verdict = retryTable[run.class][failure.fault];
    const elapsedMs = clock.now() - began;
    const spentMs = elapsedMs - run.heldBackMs();
    const unknown = (failure.fault === "doubtful" || failure.fault === "unreadable") && run.class !== "repeatable";
    const error = failure.toError({ attempts, elapsedMs, ...(unknown && { outcomeUnknown: true }) });
    const settle = verdict === "settle" ? run.settle : undefined;
    if (verdict === "fail" || (verdict === "settle" && settle === undefined)) throw error;

    const leastMs = settle === undefined ? 0 : (settleAfterMs[run.class] ?? 0);
    const waitMs = Math.max(backoffMs(attempts), failure.waitMs ?? 0, leastMs);
    const leftMs = run.leftMs() - (failure.quotaMs ?? 0);
    const patienceMs = Math.min(budgetMs - spentMs, failure.patienceMs ?? Infinity, leftMs);
    const spent = waitMs > patienceMs || attempts >= (run.attempts ?? Infinity);
    // What a lost create left behind is looked for even when there is no time left to send it again.
    if (spent && settle === undefined) throw error;
    const sleepMs = spent ? leastMs : waitMs;
    policy.onRetry?.({ call: run.label, attempt: attempts, waitMs: sleepMs, reason: failure.reason });
    await clock.sleep(sleepMs, run.signal);
    const settled = await settle?.(error);
    if (settled !== undefined) return settled.value;
    if (spent) throw error;
  }
}
