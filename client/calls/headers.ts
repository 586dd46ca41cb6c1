import type { IncomingHttpHeaders } from "node:http";

export type Headers = IncomingHttpHeaders;

export function headerIn(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The exhausted quota window of a 429, and how long calls must wait. */
export interface Refusal {
  window: string | undefined;
  waitMs: number;
}

/** One window of a quota, as an answer's headers report it. */
export interface QuotaWindow {
  name: string;
  /** Calls left. */
  remaining: number;
  /** Seconds until the window is reset. */
  resetSeconds: number;
}

/** The service never asks for more. A gateway may write any number, and a date that far ahead could not be shown. */
const LONGEST_WAIT_S = 365 * 86_400;

/** The form that the service sends: `"minute";r=0;t=12, "hour";r=2800;t=1812`. */
const QUOTAS = /^"[\w-]+"(?:;[a-z]=\d{1,15})*(?:, ?"[\w-]+"(?:;[a-z]=\d{1,15})*)*$/;

/**
 * The windows of a `RateLimit` header in that form; none in any other. Every answer has one, so no library parses it.
 */
export function readQuotas(ratelimit: string | undefined): QuotaWindow[] {
  if (ratelimit === undefined || !QUOTAS.test(ratelimit)) return [];
  const windows: QuotaWindow[] = [];
  for (const member of ratelimit.split(",")) {
    const [name = "", ...params] = member.trim().split(";");
    const numbers: { r?: number; t?: number } & Record<string, number> = {};
    for (const param of params) numbers[param.charAt(0)] = Number(param.slice(2));
    const { r: remaining, t: resetSeconds } = numbers;
    if (remaining !== undefined && resetSeconds !== undefined && resetSeconds <= LONGEST_WAIT_S)
      windows.push({ name: name.slice(1, -1), remaining, resetSeconds });
  }
  return windows;
}

/**
 * The wait that `Retry-After` asks for, in milliseconds; undefined without one, or for more than a year. It holds seconds,
 * or a date by the service's clock: the answer's `Date` cancels a clock difference.
 */
export function retryAfterMs(header: (name: string) => string | undefined): number | undefined {
  const value = header("retry-after");
  if (value === undefined) return undefined;
  const now = Date.parse(header("date") ?? "");
  const ms = Number(value) * 1000;
  const waitMs = Number.isNaN(ms) ? Date.parse(value) - (Number.isNaN(now) ? Date.now() : now) : ms;
  return waitMs <= LONGEST_WAIT_S * 1000 ? Math.max(0, waitMs) : undefined;
}
