import type { Clock } from "../clock";
import { Problem } from "../problem";
import type { Settings } from "../settings";

/** The limits of one key at one endpoint. Other operations have no limit. */
const LIMITS: Readonly<Record<string, { readonly per10s: number; readonly concurrent: number }>> = {
  runSync: { per10s: 2000, concurrent: 400 },
  status: { per10s: 2000, concurrent: 400 },
  statusSync: { per10s: 2000, concurrent: 400 },
  stream: { per10s: 2000, concurrent: 400 },
  openai: { per10s: 2000, concurrent: 400 },
  run: { per10s: 1000, concurrent: 200 },
  cancel: { per10s: 100, concurrent: 20 },
  purgeQueue: { per10s: 2, concurrent: Number.POSITIVE_INFINITY },
};

const WINDOW_MS = 10_000;

interface Counter {
  startedAt: number;
  calls: number;
  open: number;
}

/** Counts calls per key, endpoint and operation: open ones, and those of the current 10 s window. */
export class QueueLimits {
  private readonly counters = new Map<string, Counter>();

  constructor(
    private readonly clock: Clock,
    private readonly settings: () => Settings,
  ) {}

  /** Counts a call, or refuses it with a 429. Call the returned function when it is answered. */
  enter(key: string, endpointId: string, operation: string): () => void {
    const limit = LIMITS[operation];
    if (limit === undefined || this.settings().rateLimitExempt) return () => {};
    const counter = this.counter(JSON.stringify([key, endpointId, operation]));
    if (counter.calls >= limit.per10s || counter.open >= limit.concurrent)
      throw new Problem(429, `too many ${operation} requests for this endpoint`);
    counter.calls += 1;
    counter.open += 1;
    return () => {
      counter.open -= 1;
    };
  }

  private counter(name: string): Counter {
    const now = this.clock.now();
    const counter = this.counters.get(name) ?? { startedAt: now, calls: 0, open: 0 };
    this.counters.set(name, counter);
    if (now - counter.startedAt >= WINDOW_MS) Object.assign(counter, { startedAt: now, calls: 0 });
    return counter;
  }
}
