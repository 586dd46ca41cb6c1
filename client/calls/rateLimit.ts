import { RateLimitError } from "../errors";
import type { Clock, RetryEvent } from "../options";
import type { Refusal } from "../outcomes/failures";
import { backoffMs } from "../outcomes/retry";
import { errorMessage } from "../outcomes/statuses";
import type { WireCall } from "./call";
import { abortable } from "./clock";
import { readQuotas, retryAfterMs } from "./quotas";

/** When a window is reported exhausted for longer than calls wait, one call is sent this often all the same. */
const PROBE_MS = 60_000;
/** Below this share of a window's quota, calls are spread over the window's remaining time. */
const PACED_SHARE = 0.05;
/** Pacing delays no call by more than this: near the end of a day's quota it would stall a run. */
const LONGEST_PACE_MS = 1_000;
/** The reset times of one window may differ by this much between answers: they come in whole seconds. */
const SAME_WINDOW_MS = 2_000;
/** Other calls do not wait for the quota of an answer that takes longer. In real time, not by the client's clock. */
const SLOW_ANSWER_MS = 2_000;
/** While more than this remains of every window, the headers of most answers are not parsed: their calls are counted. */
const PLENTY = 1_000;
const READ_ONE_IN = 16;
/** How long a group of held calls is watched for refusals before the next one. */
const GROUP_MS = 250;
/** A larger group would not limit anything. */
const LARGEST_GROUP = 512;
/** Interfaces whose answers report quotas. */
export const announced: ReadonlySet<string> = new Set(["rest"]);

type Header = (name: string) => string | undefined;

interface Window {
  remaining: number;
  resetAt: number;
  quota: number | undefined;
}

/** Permission to send one call. */
export interface Permit {
  /** After a 429: the exhausted window, and how long calls must wait. */
  readonly refusal: Refusal | undefined;
  /** The answer has begun. */
  answered(status: number, header: Header): void;
  /** The call is over, answered or not. */
  done(): void;
}

export interface LimiterPolicy {
  clock: Clock;
  /** A window that stays exhausted for longer fails the call at once. Milliseconds. */
  longestWaitMs: number;
}

export type LimitedCall = Pick<WireCall, "label" | "kind" | "heldMs">;

/** How long a call can wait for its permit, and what ends the wait. */
export interface Patience {
  leftMs(): number;
  readonly signal: AbortSignal;
  /** Called before every wait. */
  readonly hooks?: { retry(event: RetryEvent): void } | undefined;
}

/** What a call must wait for: a time, or the answers of calls under way. */
type Obstacle = { readonly ms: number; readonly window?: string | undefined } | "answers";

/**
 * Admits calls in the order they came. The quota is unknown at first, when a window has ended, and after a 429. Then one
 * call probes, and the others wait for its answer, so hundreds of waiting calls never become a herd. Calls under way count
 * as spent, so this process never exceeds the reported quota. Other processes with the same key may: a 429 is still
 * possible.
 */
export class RateLimiter {
  readonly #policy: LimiterPolicy;
  readonly #windows = new Map<string, Window>();
  /** Whether more calls must wait for the next answer. */
  #probing: boolean;
  /** Calls under way, oldest first. */
  readonly #underWay = new Set<CountedPermit>();
  #waiting = 0;
  #shutAt = -Infinity;
  #shutUntil = -Infinity;
  #shutBy: string | undefined;
  #refusalsInRow = 0;
  #answers = 0;
  #lastSentAt = 0;
  readonly #groups = new Groups();
  #turn: Promise<void> = Promise.resolve();
  #answer: PromiseWithResolvers<void> | undefined;

  constructor(policy: LimiterPolicy, announced: boolean) {
    this.#policy = policy;
    this.#probing = announced;
  }

  /** A permit, unless the call has to wait. */
  tryAdmit(call: LimitedCall): Permit | undefined {
    return this.#waiting === 0 && this.#obstacle(call) === undefined ? this.#permit(call) : undefined;
  }

  /** A permit, once it is the call's turn. @throws RateLimitError when the wait would be too long */
  async admit(call: LimitedCall, patience: Patience): Promise<Permit> {
    const before = this.#turn;
    const turn = Promise.withResolvers<void>();
    this.#turn = turn.promise;
    this.#waiting += 1;
    try {
      await abortable(before, patience.signal);
      for (let obstacle = this.#obstacle(call); obstacle !== undefined; obstacle = this.#obstacle(call)) {
        if (obstacle === "answers") await this.#nextAnswer(patience.signal);
        else if (this.#mayProbe(obstacle, patience)) break;
        else await this.#sleep(call, obstacle, patience);
      }
      return this.#permit(call);
    } finally {
      this.#waiting -= 1;
      before.then(turn.resolve);
    }
  }

  /** Only when no 429 closed the window: an answer may have misreported it, or the account has a larger quota by now. */
  #mayProbe({ ms }: Exclude<Obstacle, "answers">, patience: Patience): boolean {
    const now = this.#policy.clock.now();
    const isTooLong = ms > Math.min(this.#policy.longestWaitMs, patience.leftMs());
    return isTooLong && this.#shutUntil <= now && now - this.#lastSentAt >= PROBE_MS;
  }

  #obstacle(call: LimitedCall): Obstacle | undefined {
    const now = this.#policy.clock.now();
    this.#forgetEnded(now);
    if (this.#shutUntil > now) return { ms: this.#shutUntil - now, window: this.#shutBy };
    // A held answer reports its quota minutes later, so such a call neither probes nor waits for a probe.
    if (call.heldMs !== undefined) {
      const ms = this.#groups.waitMs(now);
      if (ms > 0) return { ms };
    } else if (this.#underWay.size > 0 && this.#mustSeeAnswers()) return "answers";
    return this.#windows.size === 0 ? undefined : (this.#exhausted(now) ?? this.#pace(now));
  }

  #forgetEnded(now: number): void {
    for (const [name, window] of this.#windows) {
      if (window.resetAt > now) continue;
      this.#windows.delete(name);
      this.#probing = true;
    }
  }

  /**
   * While the quota is unknown, one call at a time; and no more calls once those under way are a quarter of what remains.
   * Other programs may share the key, and they see the quota shrink only in answers. So the less remains, the fewer calls
   * are under way.
   */
  #mustSeeAnswers(): boolean {
    const crowded = (calls: number) => this.#probing || this.#someWindow(({ remaining }) => calls * 4 >= remaining);
    if (!crowded(this.#underWay.size)) return false;
    const prompt = this.#prompt();
    return prompt > 0 && crowded(prompt);
  }

  #someWindow(holds: (window: Window) => boolean): boolean {
    for (const window of this.#windows.values()) if (holds(window)) return true;
    return false;
  }

  /** The number of calls under way that are not slow. */
  #prompt(): number {
    const since = performance.now() - SLOW_ANSWER_MS;
    let slow = 0;
    for (const { sentAt } of this.#underWay) {
      if (sentAt > since) break;
      slow += 1;
    }
    return this.#underWay.size - slow;
  }

  #exhausted(now: number): Obstacle | undefined {
    const spent = this.#underWay.size;
    if (!this.#someWindow(({ remaining }) => remaining <= spent)) return undefined;
    const exhausted = [...this.#windows].filter(([, { remaining }]) => remaining <= spent);
    const [longest] = exhausted.sort(([, a], [, b]) => b.resetAt - a.resetAt);
    return longest && { ms: longest[1].resetAt - now, window: longest[0] };
  }

  /** No pacing while all waiting calls fit into the remaining quota. */
  #pace(now: number): Obstacle | undefined {
    for (const [window, { remaining, quota, resetAt }] of this.#windows) {
      const unspent = remaining - this.#underWay.size;
      if (quota === undefined || unspent > quota * PACED_SHARE || this.#waiting <= unspent) continue;
      const ms = this.#lastSentAt + Math.min((resetAt - now) / (unspent + 1), LONGEST_PACE_MS) - now;
      if (ms >= 1) return { ms, window };
    }
    return undefined;
  }

  /** Waits for an answer, but not for a slow one. */
  async #nextAnswer(signal: AbortSignal): Promise<void> {
    this.#answer ??= Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    const timer = setTimeout(slow.resolve, SLOW_ANSWER_MS);
    try {
      await abortable(Promise.race([this.#answer.promise, slow.promise]), signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async #sleep(call: LimitedCall, obstacle: Exclude<Obstacle, "answers">, patience: Patience): Promise<void> {
    const { clock, longestWaitMs } = this.#policy;
    const { ms, window } = obstacle;
    if (ms > Math.min(longestWaitMs, patience.leftMs())) throw exhausted(call, window, Math.ceil(ms / 1000));
    patience.hooks?.retry({
      call: call.label,
      attempt: 0,
      waitMs: ms,
      reason: `quota${window === undefined ? "" : ` (${window})`}`,
    });
    await clock.sleep(ms, patience.signal);
  }

  #permit(call: LimitedCall): Permit {
    this.#lastSentAt = this.#policy.clock.now();
    const permit = new CountedPermit(this.#lastSentAt, (answer) => this.#settle(permit, answer));
    if (call.heldMs === undefined) this.#underWay.add(permit);
    else this.#groups.sent(this.#lastSentAt);
    return permit;
  }

  #settle(permit: CountedPermit, answer: { status: number; header: Header } | undefined): void {
    this.#underWay.delete(permit);
    if (answer === undefined) this.#spend();
    else {
      this.#answers += 1;
      const counted = answer.status !== 429 && this.#answers % READ_ONE_IN !== 0 && this.#hasPlenty();
      if (counted) this.#spend();
      else this.#learn(answer.header);
      if (answer.status === 429) permit.refusal = this.#shut(permit, answer.header);
      else this.#opened();
    }
    this.#answer?.resolve();
    this.#answer = undefined;
  }

  #learn(header: Header): void {
    const told = readQuotas(header);
    const now = this.#policy.clock.now();
    if (told.length === 0) this.#spend();
    for (const { name, remaining, resetSeconds, quota } of told) {
      const resetAt = now + resetSeconds * 1000;
      const known = this.#windows.get(name);
      // A late answer about a window that has ended says nothing about the current one.
      if (known !== undefined && resetAt < known.resetAt - SAME_WINDOW_MS) continue;
      // Answers may arrive out of order: within a window the smallest number is the latest.
      if (known !== undefined && resetAt <= known.resetAt + SAME_WINDOW_MS) {
        known.remaining = Math.min(known.remaining, remaining);
      } else this.#windows.set(name, { remaining, resetAt, quota });
    }
  }

  #hasPlenty(): boolean {
    return !this.#probing && this.#windows.size > 0 && !this.#someWindow(({ remaining }) => remaining <= PLENTY);
  }

  /** The service has counted the call, even if its answer reported no quota. */
  #spend(): void {
    for (const window of this.#windows.values()) window.remaining -= 1;
  }

  #opened(): void {
    this.#probing = false;
    this.#refusalsInRow = 0;
  }

  /** Stops all calls until the longest exhausted window ends. */
  #shut(permit: CountedPermit, header: Header): Refusal {
    const now = this.#policy.clock.now();
    this.#probing = true;
    const exhausted = readQuotas(header).filter(({ remaining }) => remaining <= 0);
    const [longest] = exhausted.sort((a, b) => b.resetSeconds - a.resetSeconds);
    const askedMs = Math.max((longest?.resetSeconds ?? 0) * 1000, retryAfterMs(header) ?? 0);
    // Calls that were under way together are refused together: they count as one refusal for the back-off.
    const together = permit.admittedAt <= this.#shutAt;
    if (!together) this.#refusalsInRow += 1;
    const waitMs =
      askedMs > 0 ? askedMs : together ? Math.max(0, this.#shutUntil - now) : backoffMs(this.#refusalsInRow);
    if (!together) this.#shutAt = now;
    // Where no window says the same, this one answer keeps nobody back for longer than until the next probe.
    const until = now + (longest === undefined ? Math.min(waitMs, PROBE_MS) : waitMs);
    this.#groups.refused(Math.max(until, this.#shutUntil));
    if (until > this.#shutUntil) {
      this.#shutUntil = until;
      this.#shutBy = longest?.name;
    }
    return { window: longest?.name, waitMs };
  }
}

/**
 * Limits calls with held answers, after one of them was refused. Their answers come minutes later, but a refusal comes at
 * once. So they are sent in groups that grow while none is refused, as in TCP's slow start.
 */
class Groups {
  /** The size of the current group. */
  #most = Number.POSITIVE_INFINITY;
  /** From this size on, groups grow by one call: twice this size was refused (slow start's threshold). */
  #careful = Number.POSITIVE_INFINITY;
  #sent = 0;
  #endsAt = 0;

  /** @param until when calls may go again */
  refused(until: number): void {
    // Calls that were sent together are refused together.
    if (this.#most > 1) this.#careful = Math.max(1, this.#most / 2);
    this.#most = 1;
    this.#sent = 0;
    this.#endsAt = until + GROUP_MS;
  }

  sent(now: number): void {
    this.#turn(now);
    this.#sent += 1;
  }

  /** How long the next call waits for its group. Milliseconds. */
  waitMs(now: number): number {
    this.#turn(now);
    return this.#sent < this.#most ? 0 : this.#endsAt - now;
  }

  #turn(now: number): void {
    if (now < this.#endsAt || this.#most > LARGEST_GROUP) return;
    this.#most += this.#most < this.#careful ? this.#most : 1;
    this.#sent = 0;
    this.#endsAt = now + GROUP_MS;
  }
}

class CountedPermit implements Permit {
  refusal: Refusal | undefined;
  /** Real time. */
  readonly sentAt = performance.now();
  readonly admittedAt: number;
  #leave: ((answer?: { status: number; header: Header }) => void) | undefined;

  constructor(admittedAt: number, leave: (answer?: { status: number; header: Header }) => void) {
    this.admittedAt = admittedAt;
    this.#leave = leave;
  }

  answered(status: number, header: Header): void {
    const leave = this.#leave;
    this.#leave = undefined;
    leave?.({ status, header });
  }

  done(): void {
    const leave = this.#leave;
    this.#leave = undefined;
    leave?.();
  }
}

function exhausted(call: LimitedCall, window: string | undefined, retryAfter: number): RateLimitError {
  const title = `${call.label} was not sent`;
  const facts = { kind: call.kind, title, window, retryAfter };
  const detail = `the quota of the ${window ?? "present"} window is used up`;
  return new RateLimitError(errorMessage({ ...facts, detail }, `Run it again in ${retryAfter} s.`), facts);
}
