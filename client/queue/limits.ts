import { messageOf } from "../../common/messageOf";
import { UsageError } from "../errors";
import { checkInput, isEmptyInput } from "../values/jobInput";
import { PayloadTooLargeError } from "./errors";
import type { JobRequest } from "./types";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const MEGABYTE = 1024 * 1024;

export type QueueOperation = "run" | "runSync" | "status" | "stream" | "cancel" | "retry" | "purgeQueue" | "health";

/** What the service allows per user and endpoint. */
export interface Limit {
  /** Calls that may begin within 10 seconds. */
  per10s: number;
  /** Calls without an answer yet. */
  concurrent: number;
}

/** By operation. An operation without an entry has no limit. */
export type Limits = Readonly<Partial<Record<QueueOperation, Limit>>>;

export interface QueueLimits extends Limits {
  /**
   * The part of every limit that is this process's, above 0 and up to 1, such as `1 / 20` for each of twenty machines. Default 1:
   * refusals lower the rate, so several processes share a limit after some calls were refused.
   */
  readonly share?: number | undefined;
}

/** The documented limits. Accounts may have higher ones. */
export const documentedLimits: Limits = {
  run: { per10s: 1000, concurrent: 200 },
  runSync: { per10s: 2000, concurrent: 400 },
  status: { per10s: 2000, concurrent: 400 },
  stream: { per10s: 2000, concurrent: 400 },
  cancel: { per10s: 100, concurrent: 20 },
  purgeQueue: { per10s: 2, concurrent: 2 },
};

/** Largest request, in bytes. */
const largest = { run: 10 * MEGABYTE, runSync: 20 * MEGABYTE } as const;

/** How long the result of a finished job is kept. */
export const retentionMs = { run: 30 * MINUTE, runSync: MINUTE } as const;
export const defaultTtlMs = DAY;

/** How long `runSync` may be held open. */
export const syncWait = { least: SECOND, most: 5 * MINUTE, default: 90 * SECOND } as const;
/** How long the service holds a stream that has nothing new. */
export const STREAM_HELD_MS = 10 * SECOND;

export const ranges = {
  executionTimeout: { least: 5 * SECOND, most: 7 * DAY },
  ttl: { least: 10 * SECOND, most: 7 * DAY },
  /** For an existing job, whose time to live may be shorter than a new job's. */
  statusTtl: { least: 1, most: 7 * DAY },
} as const;

/**
 * The request as JSON text.
 *
 * @param emptyInput whether the job may have nothing in its input
 * @throws UsageError for a request that the service would refuse
 */
export function requestText(operation: "run" | "runSync", request: JobRequest, emptyInput = false): string {
  if (["undefined", "function", "symbol"].includes(typeof request.input)) {
    throw new UsageError(
      `${operation}: input is missing, or a function. Pass what the handler takes, as JSON can hold it.`,
    );
  }
  checkRange("policy.executionTimeout", request.policy?.executionTimeout, ranges.executionTimeout);
  checkRange("policy.ttl", request.policy?.ttl, ranges.ttl);
  let text: string;
  try {
    text = JSON.stringify(request);
    checkInput(operation, request.input);
    if (!emptyInput && isEmptyInput(request.input))
      throw new UsageError(
        `${operation}: input is empty, and workers take no job without input. Pass what the handler takes, or set emptyInput for ` +
          "workers of your own that take it. Nothing was sent.",
      );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${operation}: the request can't be written as JSON: ${messageOf(error)}.`);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > largest[operation]) throw new PayloadTooLargeError(operation, bytes, largest[operation]);
  return text;
}

/**
 * The limits of this process. An operation that is not given has the documented limit.
 *
 * @throws UsageError for limits below 1, which no call could stay within, and for a share of nothing
 */
export function limitsOf({ share = 1, ...limits }: QueueLimits = {}): Limits {
  if (!(share > 0 && share <= 1)) throw new UsageError(`queueLimits.share is ${share}; it takes more than 0, up to 1.`);
  for (const [operation, limit] of Object.entries(limits)) {
    for (const [name, value] of Object.entries(limit ?? {})) {
      if (!(value >= 1)) throw new UsageError(`queueLimits.${operation}.${name} is ${value}; it takes 1 or more.`);
    }
  }
  const shares = Object.entries({ ...documentedLimits, ...limits }).flatMap(([operation, limit]) =>
    limit === undefined ? [] : [[operation, { per10s: limit.per10s * share, concurrent: limit.concurrent * share }]],
  );
  return Object.fromEntries(shares);
}

/** @throws UsageError when the value is given and is not a whole number of milliseconds in the range */
export function checkRange(name: string, value: number | undefined, range: { least: number; most: number }): void {
  if (value === undefined || (Number.isInteger(value) && value >= range.least && value <= range.most)) return;
  throw new UsageError(`${name} is ${value}; it takes ${range.least} to ${range.most} milliseconds.`);
}
