import type { Clock } from "../clock";
import { Problem } from "../problem";
import type { Settings } from "../settings";

/** The service's windows and their lengths in seconds. */
const WINDOWS = { minute: 60, hour: 3600, day: 86_400 } as const;
type WindowName = keyof typeof WINDOWS;
const windowNames = Object.keys(WINDOWS) as WindowName[];

type Headers = Readonly<Record<string, string>>;

/** Calls of one key in the windows that are open now. */
interface Counter {
  startedAt: number;
  calls: number;
}

/** Fixed windows per key. A window begins with the first call after the end of the last one. */
export class RateLimits {
  private readonly counters = new Map<string, Record<WindowName, Counter>>();

  constructor(
    private readonly clock: Clock,
    private readonly settings: () => Settings,
  ) {}

  /** Counts a call. Returns the headers for its answer; throws a 429 when a window is used up. */
  count(key: string): Headers {
    const { quotas, rateLimitExempt } = this.settings();
    if (rateLimitExempt) return {};
    const now = this.clock.now();
    const counters = this.open(key, now);
    const full = windowNames.find((name) => counters[name].calls >= quotas[name]);
    if (full === undefined) for (const name of windowNames) counters[name].calls += 1;

    const secondsLeft = (name: WindowName) =>
      Math.max(1, Math.ceil((counters[name].startedAt - now) / 1000) + WINDOWS[name]);
    const headers = {
      RateLimit: windowNames
        .map((name) => `"${name}";r=${Math.max(0, quotas[name] - counters[name].calls)};t=${secondsLeft(name)}`)
        .join(", "),
      "RateLimit-Policy": windowNames.map((name) => `"${name}";q=${quotas[name]};w=${WINDOWS[name]}`).join(", "),
    };
    if (full === undefined) return headers;
    throw new Problem(429, `rate limit exceeded for the ${full} window`, undefined, {
      ...headers,
      "Retry-After": String(secondsLeft(full)),
    });
  }

  private open(key: string, now: number): Record<WindowName, Counter> {
    let counters = this.counters.get(key);
    if (counters === undefined) {
      counters = { minute: fresh(now), hour: fresh(now), day: fresh(now) };
      this.counters.set(key, counters);
    }
    for (const name of windowNames)
      if (now - counters[name].startedAt >= WINDOWS[name] * 1000) counters[name] = fresh(now);
    return counters;
  }
}

const fresh = (startedAt: number): Counter => ({ startedAt, calls: 0 });
