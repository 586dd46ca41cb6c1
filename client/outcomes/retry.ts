import { ComputeCloudError } from "../errors";
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

/**
 * The edge gives up on a call before the origin, which goes on for up to a minute. So a call may still be done that long after a
 * 504, a time-out or a broken connection: a resource appears, a change undoes a later one. The rest is margin.
 */
export const APPEARS_WITHIN_MS = 90_000;

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
  /** The least wait before the next attempt, if the service named one. Milliseconds. */
  readonly waitMs?: number | undefined;
  /** The service refused it for its limits: the wait does not count against the budget. */
  readonly isLimit?: boolean | undefined;
  /** How long to go on retrying, if less than the remaining budget. */
  readonly patienceMs?: number | undefined;
  /** The call's time limit ended this attempt, so it says nothing about the service. */
  readonly cutShort?: boolean | undefined;
  /** There is no connection to the address: it refuses, or does not answer. */
  readonly unreachable?: "refusing" | "silent" | undefined;
  toError(tally: Tally): ComputeCloudError;
}

const UNTOUCHED = Symbol("untouched");

/** Marks the error with what the last failure of a call says of the service: whether it certainly has begun nothing. */
export function errorOfFailure({ fault, toError }: Failure, tally: Tally): ComputeCloudError {
  return Object.defineProperty(toError(tally), UNTOUCHED, { value: fault === "untouched" });
}

/**
 * Whether certainly nobody has begun the call that ended in this error: there was no connection, or the service said so. To
 * send it again does no harm.
 */
export const isUntouched = (error: unknown): boolean =>
  error instanceof ComputeCloudError && Reflect.get(error, UNTOUCHED) === true;

export type AttemptResult<T> = { readonly value: T } | { readonly failure: Failure };

/** The result of a doubtful call. Undefined only if the service certainly did nothing: the call is sent again then. */
export type Reconcile<T> = (error: ComputeCloudError) => Promise<{ readonly value: T } | undefined>;

/** Exponential back-off with full jitter, so that callers that failed together do not retry together. Milliseconds. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  return random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
}
