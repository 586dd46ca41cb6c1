/** One window of a quota, as an answer tells it. */
export interface QuotaWindow {
  name: string;
  /** Calls left. */
  remaining: number;
  /** Seconds until it starts anew. */
  resetSeconds: number;
  /** Calls in a whole window, where the policy says it. */
  quota: number | undefined;
}

type Header = (name: string) => string | undefined;

/** The windows of `RateLimit` and `RateLimit-Policy`; none when they are absent or malformed. */
export function readQuotas(header: Header): QuotaWindow[] {
  const quotas = new Map(members(header("ratelimit-policy")).map(({ name, params }) => [name, params.get("q")]));
  return members(header("ratelimit")).flatMap(({ name, params }) => {
    const remaining = params.get("r");
    const resetSeconds = params.get("t");
    if (remaining === undefined || resetSeconds === undefined) return [];
    return [{ name, remaining, resetSeconds, quota: quotas.get(name) }];
  });
}

/** `"minute";r=0;t=12, …`: named members with whole numbers as parameters. */
function members(text: string | undefined): { name: string; params: ReadonlyMap<string, number> }[] {
  if (text === undefined) return [];
  // Loaded with the first quota: callers that have none never need it.
  const { isInnerList, parseList } = require("structured-headers") as typeof import("structured-headers");
  try {
    return parseList(text).flatMap((member) => {
      if (isInnerList(member)) return [];
      const [name, params] = member;
      if (typeof name !== "string") return [];
      const numbers = [...params].flatMap(([key, value]) => (typeof value === "number" ? [[key, value] as const] : []));
      return [{ name, params: new Map(numbers) }];
    });
  } catch {
    return [];
  }
}
