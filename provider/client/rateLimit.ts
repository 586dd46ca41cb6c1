import { abortable } from "./clock";
import { RateLimitError } from "./errors";
import type { Refusal } from "./failures";
import type { Clock, RetryEvent } from "./options";
import { readQuotas } from "./quotas";
import { backoffMs } from "./retry";
import { describe } from "./statuses";

/** Below this share of a window's quota, calls are spread over what is left of its time. */
const pacedShare = 0.05;
/** No call is held longer for pacing alone: near the end of a day's quota that would stall a short update. */
const longestPaceMs = 5_000;
/** Answers of one window may differ by this much in when it ends: they tell whole seconds. */
const sameWindowMs = 2_000;
/** Interfaces whose answers tell their quotas. */
const announced = new Set(["rest"]);

type Header = (name: string) => string | undefined;

interface Window {
  remaining: number;
  resetAt: number;
  quota: number | undefined;
}

/** A call's leave to go. */
export interface Pass {
  /** After a 429: the exhausted window, and how long it keeps the gate shut. */
  readonly refusal: Refusal | undefined;
  /** The answer has begun. */
  answered(status: number, header: Header): void;
  /** The call is over, answered or not. */
  done(): void;
}

export interface GatePolicy {
  clock: Clock;
  /** A window that stays exhausted for longer fails the call at once. Milliseconds. */
  longestWaitMs: number;
  onRetry?: ((event: RetryEvent) => void) | undefined;
}

interface GatedCall {
  gate: string;
  label: string;
  kind: string;
  heldMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** One gate for each quota: a 429 to one call stops all calls that share it. */
export class RateGates {
  readonly #policy: GatePolicy;
  readonly #gates = new Map<string, Gate>();

  constructor(policy: GatePolicy) {
    this.#policy = policy;
  }

  admit(call: GatedCall): Promise<Pass> {
    let gate = this.#gates.get(call.gate);
    if (gate === undefined) {
      gate = new Gate(this.#policy, announced.has(call.gate));
      this.#gates.set(call.gate, gate);
    }
    return gate.admit(call);
  }
}

/**
 * Lets calls pass in the order they came. While the quota is not known - at first, when a window has ended, after a
 * 429 - one call goes ahead and the others wait for what its answer tells; so hundreds of waiting calls never become
 * a herd. What is known to remain is never overdrawn: calls under way count as spent.
 */
class Gate {
  readonly #policy: GatePolicy;
  readonly #windows = new Map<string, Window>();
  /** Whether the next answer must be seen before more calls may go. */
  #probing: boolean;
  #inFlight = 0;
  #shutUntil = 0;
  #shutBy: string | undefined;
  #refusalsInRow = 0;
  #lastSentAt = 0;
  #turn: Promise<void> = Promise.resolve();
  #answer = signalOnce();

  constructor(policy: GatePolicy, announced: boolean) {
    this.#policy = policy;
    this.#probing = announced;
  }

  async admit(call: GatedCall): Promise<Pass> {
    const before = this.#turn;
    const turn = signalOnce();
    this.#turn = turn.promise;
    try {
      await abortable(before, call.signal);
      await this.#room(call);
      return this.#pass(call);
    } finally {
      before.then(turn.fire);
    }
  }

  /** Waits until the call may go. */
  async #room(call: GatedCall): Promise<void> {
    const { clock } = this.#policy;
    for (;;) {
      const now = clock.now();
      this.#forgetEnded(now);
      // An answer held back on purpose tells nothing for minutes: such a call neither probes nor waits for a probe.
      const waitsForAnswer = call.heldMs === undefined && this.#inFlight > 0 && (this.#probing || this.#crowded());
      const wait = this.#shutFor(now) ?? (waitsForAnswer ? undefined : (this.#exhaustedFor(now) ?? this.#paceFor(now)));
      if (wait !== undefined) await this.#sleep(call, wait);
      else if (waitsForAnswer) await abortable(this.#answer.promise, call.signal);
      else return;
    }
  }

  #forgetEnded(now: number): void {
    for (const [name, window] of this.#windows) {
      if (window.resetAt > now) continue;
      this.#windows.delete(name);
      this.#probing = true;
    }
  }

  /**
   * Whether the calls under way are a quarter of what remains. Other programs may share the key: the less remains, the
   * fewer calls go at a time, so that all see it come to an end.
   */
  #crowded(): boolean {
    return [...this.#windows.values()].some(({ remaining }) => this.#inFlight * 4 >= remaining);
  }

  #shutFor(now: number): { ms: number; window: string | undefined } | undefined {
    return this.#shutUntil > now ? { ms: this.#shutUntil - now, window: this.#shutBy } : undefined;
  }

  #exhaustedFor(now: number): { ms: number; window: string } | undefined {
    const exhausted = [...this.#windows].filter(([, { remaining }]) => remaining - this.#inFlight <= 0);
    const [longest] = exhausted.sort(([, a], [, b]) => b.resetAt - a.resetAt);
    return longest && { ms: longest[1].resetAt - now, window: longest[0] };
  }

  #paceFor(now: number): { ms: number; window: string } | undefined {
    for (const [window, { remaining, quota, resetAt }] of this.#windows) {
      const left = remaining - this.#inFlight;
      if (quota === undefined || left > quota * pacedShare) continue;
      const ms = this.#lastSentAt + Math.min((resetAt - now) / (left + 1), longestPaceMs) - now;
      if (ms >= 1) return { ms, window };
    }
    return undefined;
  }

  async #sleep(call: GatedCall, { ms, window }: { ms: number; window: string | undefined }): Promise<void> {
    const { clock, longestWaitMs, onRetry } = this.#policy;
    if (ms > longestWaitMs) throw exhausted(call, window, Math.ceil(ms / 1000));
    onRetry?.({
      call: call.label,
      attempt: 0,
      waitMs: ms,
      reason: `quota${window === undefined ? "" : ` (${window})`}`,
    });
    await clock.sleep(ms, call.signal);
  }

  #pass(call: GatedCall): Pass {
    const counts = call.heldMs === undefined;
    let open = true;
    let refusal: Pass["refusal"];
    const leave = (learn: () => void) => {
      if (!open) return;
      open = false;
      if (counts) this.#inFlight -= 1;
      learn();
      this.#answer.fire();
      this.#answer = signalOnce();
    };
    if (counts) this.#inFlight += 1;
    this.#lastSentAt = this.#policy.clock.now();
    return {
      get refusal() {
        return refusal;
      },
      answered: (status, header) =>
        leave(() => {
          this.#learn(header);
          if (status === 429) refusal = this.#shut(header);
          else this.#opened();
        }),
      done: () => leave(() => this.#spend()),
    };
  }

  #learn(header: Header): void {
    const told = readQuotas(header);
    const now = this.#policy.clock.now();
    if (told.length === 0) this.#spend();
    for (const { name, remaining, resetSeconds, quota } of told) {
      const resetAt = now + resetSeconds * 1000;
      const known = this.#windows.get(name);
      // A late answer of a window that has ended says nothing of the present one.
      if (known !== undefined && resetAt < known.resetAt - sameWindowMs) continue;
      const same = known !== undefined && resetAt <= known.resetAt + sameWindowMs;
      // Answers overtake each other: within a window the least that remains is the latest.
      this.#windows.set(
        name,
        same ? { ...known, remaining: Math.min(known.remaining, remaining) } : { remaining, resetAt, quota },
      );
    }
  }

  /** A call whose answer told nothing was counted all the same. */
  #spend(): void {
    for (const window of this.#windows.values()) window.remaining -= 1;
  }

  #opened(): void {
    this.#probing = false;
    this.#refusalsInRow = 0;
  }

  /** Shuts the gate until the longest exhausted window ends. */
  #shut(header: Header): Refusal {
    this.#refusalsInRow += 1;
    this.#probing = true;
    const exhausted = readQuotas(header).filter(({ remaining }) => remaining <= 0);
    const [longest] = exhausted.sort((a, b) => b.resetSeconds - a.resetSeconds);
    const asked = Number(header("retry-after"));
    const seconds = Math.max(longest?.resetSeconds ?? 0, Number.isFinite(asked) ? asked : 0);
    const waitMs = seconds > 0 ? seconds * 1000 : backoffMs(this.#refusalsInRow);
    const until = this.#policy.clock.now() + waitMs;
    if (until > this.#shutUntil) {
      this.#shutUntil = until;
      this.#shutBy = longest?.name;
    }
    return { window: longest?.name, waitMs };
  }
}

function exhausted(call: GatedCall, window: string | undefined, retryAfter: number): RateLimitError {
  const facts = { kind: call.kind, status: 429, title: "Too Many Requests", window, retryAfter };
  const detail = `the quota of the ${window ?? "present"} window is used up`;
  return new RateLimitError(describe({ ...facts, detail }, `Run it again in ${retryAfter} s.`), facts);
}

/** A promise that is fulfilled from outside. */
function signalOnce(): { promise: Promise<void>; fire: () => void } {
  let fire = () => {};
  const promise = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}
