/** One window of a quota, as an answer's headers report it. */
export interface QuotaWindow {
  name: string;
  /** Calls left. */
  remaining: number;
  /** Seconds until the window is reset. */
  resetSeconds: number;
  /** Calls in a whole window, if the policy header names it. */
  quota: number | undefined;
}

type Header = (name: string) => string | undefined;

/** The windows of `RateLimit` and `RateLimit-Policy`; none when they are absent or malformed. */
export function readQuotas(header: Header): QuotaWindow[] {
  const windows = members(header("ratelimit"));
  if (windows.length === 0) return [];
  const policy = members(header("ratelimit-policy"));
  return windows.flatMap(({ name, params }) => {
    const { r: remaining, t: resetSeconds } = params;
    if (remaining === undefined || resetSeconds === undefined) return [];
    return [{ name, remaining, resetSeconds, quota: policy.find((each) => each.name === name)?.params.q }];
  });
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
