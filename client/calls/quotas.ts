export type Header = (name: string) => string | undefined;

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

/** The windows of `RateLimit`; none when it is absent or malformed. */
export function readQuotas(header: Header): QuotaWindow[] {
  return members(header("ratelimit")).flatMap(({ name, params: { r: remaining, t: resetSeconds } }) =>
    remaining === undefined || resetSeconds === undefined ? [] : [{ name, remaining, resetSeconds }],
  );
}

/**
 * The wait that `Retry-After` asks for, in milliseconds. It holds seconds, or a date by the service's clock: the answer's
 * `Date` cancels a clock difference.
 */
export function retryAfterMs(header: Header): number | undefined {
  const value = header("retry-after");
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (!Number.isNaN(seconds)) return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
  const now = Date.parse(header("date") ?? "");
  const ms = Date.parse(value) - (Number.isNaN(now) ? Date.now() : now);
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

interface Member {
  name: string;
  params: Partial<Record<string, number>>;
}

/** The form that the service sends: `"minute";r=0;t=12, "hour";r=2800;t=1812`. */
const PLAIN = /^"[\w-]+"(?:;[a-z]=\d{1,15})*(?:, ?"[\w-]+"(?:;[a-z]=\d{1,15})*)*$/;

/** Named members with integer parameters, in that form; none in any other. Every answer has them, so no library parses them. */
function members(text: string | undefined): Member[] {
  if (text === undefined || !PLAIN.test(text)) return [];
  return text.split(",").map((member) => {
    const [name = "", ...params] = member.trim().split(";");
    const numbers: Member["params"] = {};
    for (const param of params) numbers[param.charAt(0)] = Number(param.slice(2));
    return { name: name.slice(1, -1), params: numbers };
  });
}
