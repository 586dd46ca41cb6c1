import { inTimeAt } from "../../common/duration";
import { RateLimitError } from "../errors";
import type { Clock } from "../options";
import { backoffMs } from "../outcomes/retry";
import { errorMessage } from "../outcomes/statuses";
import type { CallLimiter, Permit, Waiting, WireCall } from "./call";
import { abortable, EARLY_TIMER_MS } from "./cancellation";
import { type Headers, headerIn, type QuotaWindow, type Refusal, readQuotas, retryAfterMs } from "./headers";

/** When a window is reported exhausted for longer than calls wait, one call is sent this often all the same. */
const PROBE_MS = 60_000;
/** The reset times of one window may differ by this much between answers: they come in whole seconds. */
const SAME_WINDOW_MS = 2_000;
/** Other calls do not wait for the quota of an answer that takes longer. In real time, not by the client's clock. */
const SLOW_ANSWER_MS = 2_000;
/** Interfaces whose answers report quotas. */
export const announced: ReadonlySet<string> = new Set(["rest"]);

interface Window {
  remaining: number;
  resetAt: number;
}

interface CountedPermit extends Permit {
  readonly admittedAt: number;
  /** Real time. */
  readonly sentAt: number;
  /** Whether its answer, or its end without one, was counted. */
  isSettled: boolean;
  refusal: Refusal | undefined;
}

/** What a call must wait for: a time, or the answers of calls under way. */
type Obstacle = { readonly ms: number; readonly window?: string | undefined } | "answers";

/**
 * Not limited: calls of other processes with the same key, which may use up the quota first, so a 429 is still possible; and
 * calls to an interface that reports no quota and has not refused one yet, such as GraphQL. Queues have limiters of their own.
 *
 * - **Fixed windows, counted down.** An answer reports what remains of each window, and when it ends. Calls under way count as
 *   spent. When nothing remains, calls wait for the window's end.
 * - **A probe.** While the quota is unknown, at first, after a window's end and after a 429, one call goes alone and the others
 *   wait for its answer. Hundreds of waiting calls never become a herd.
 * - **A stop.** After a 429 all calls wait until the longest exhausted window ends, or as long as it asks for, or for an
 *   exponential back-off.
 *
 * First come, first served.
 */
export class RateLimiter implements CallLimiter {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();
  /** Whether more calls must wait for the next answer. */
  #probing: boolean;
  /** Calls under way, oldest first. */
  readonly #underWay = new Set<CountedPermit>();
  readonly #stop = new Stop();
  #stoppedBy: string | undefined;
  #lastSentAt = 0;
  #waiting = 0;
  #turn: Promise<void> = Promise.resolve();
  #answer: PromiseWithResolvers<void> | undefined;

  /** @param isAnnounced whether answers report the quota, so that the first one is waited for */
  constructor(clock: Clock, isAnnounced: boolean) {
    this.#clock = clock;
    this.#probing = isAnnounced;
  }

  tryAdmit(call: WireCall): Permit | undefined {
    return this.#waiting === 0 && this.#obstacle(call) === undefined ? this.#permit(call) : undefined;
  }

  async admit(waiting: Waiting): Promise<Permit> {
    const { call, signal } = waiting;
    await pauseFirst(waiting, this.#clock);
    const before = this.#turn;
    const turn = Promise.withResolvers<void>();
    this.#turn = turn.promise;
    this.#waiting += 1;
    try {
      await abortable(before, signal);
      for (let obstacle = this.#obstacle(call); obstacle !== undefined; obstacle = this.#obstacle(call)) {
        if (obstacle === "answers") await this.#nextAnswer(signal);
        else if (this.#mayProbe(obstacle, waiting)) break;
        else await this.#sleep(obstacle, waiting);
      }
      return this.#permit(call);
    } finally {
      this.#waiting -= 1;
      before.then(turn.resolve);
    }
  }

  /** An answer, or one 429, may have misreported the window, or the account has a larger quota by now. */
  #mayProbe({ ms }: Exclude<Obstacle, "answers">, { longestWaitMs }: Waiting): boolean {
    const now = this.#clock.now();
    return ms > longestWaitMs && this.#stop.until <= now && now - this.#lastSentAt >= PROBE_MS;
  }

  #obstacle(call: WireCall): Obstacle | undefined {
    const now = this.#clock.now();
    let longest: Exclude<Obstacle, "answers"> | undefined;
    for (const [window, { remaining, resetAt }] of this.#windows) {
      const ms = resetAt - now;
      if (ms <= 0) {
        this.#windows.delete(window);
        this.#probing = true;
      } else if (remaining <= this.#underWay.size && ms > (longest?.ms ?? 0)) longest = { ms, window };
    }
    const stoppedMs = this.#stop.until - now;
    if (stoppedMs > EARLY_TIMER_MS)
      return longest !== undefined && longest.ms > stoppedMs ? longest : { ms: stoppedMs, window: this.#stoppedBy };
    // A held answer reports its quota minutes later, so such a call neither probes nor waits for a probe.
    return call.heldMs === undefined && this.#underWay.size > 0 && this.#mustSeeAnswers() ? "answers" : longest;
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

  async #sleep({ ms, window }: Exclude<Obstacle, "answers">, waiting: Waiting): Promise<void> {
    if (ms > waiting.longestWaitMs) throw exhausted(waiting.call, window, Math.ceil(ms / 1000));
    waiting.onWait(ms, `quota${window === undefined ? "" : ` (${window})`}`);
    await this.#clock.sleep(ms, waiting.signal);
  }

  #permit(call: WireCall): Permit {
    this.#lastSentAt = this.#clock.now();
    const permit: CountedPermit = {
      admittedAt: this.#lastSentAt,
      sentAt: performance.now(),
      isSettled: false,
      refusal: undefined,
      answered: (status, headers) => this.#settle(permit, status, headers),
      done: () => this.#settle(permit),
    };
    if (call.heldMs === undefined) this.#underWay.add(permit);
    return permit;
  }

  #settle(permit: CountedPermit, status?: number, headers: Headers = {}): void {
    if (permit.isSettled) return;
    permit.isSettled = true;
    this.#underWay.delete(permit);
    const quotas = readQuotas(headerIn(headers, "ratelimit"));
    this.#learn(quotas);
    if (status === 429) {
      const retryMs = retryAfterMs((name) => headerIn(headers, name)) ?? 0;
      permit.refusal = this.#refused(permit, quotas, retryMs);
    } else if (status !== undefined) {
      this.#probing = false;
      this.#stop.accepted();
    }
    this.#answer?.resolve();
    this.#answer = undefined;
  }

  #learn(quotas: readonly QuotaWindow[]): void {
    const now = this.#clock.now();
    // The service has counted the call, even if its answer reported no quota.
    if (quotas.length === 0) for (const window of this.#windows.values()) window.remaining -= 1;
    for (const { name, remaining, resetSeconds } of quotas) {
      const resetAt = now + resetSeconds * 1000;
      const window = this.#windows.get(name);
      // A late answer about a window that has ended says nothing about the current one.
      if (window !== undefined && resetAt < window.resetAt - SAME_WINDOW_MS) continue;
      // Answers may arrive out of order: within a window the smallest number is the latest.
      if (window !== undefined && resetAt <= window.resetAt + SAME_WINDOW_MS) {
        window.remaining = Math.min(window.remaining, remaining);
      } else this.#windows.set(name, { remaining, resetAt });
    }
  }

  #refused(permit: CountedPermit, quotas: readonly QuotaWindow[], retryMs: number): Refusal {
    this.#probing = true;
    const used = quotas.filter(({ remaining }) => remaining <= 0);
    const [longest] = used.sort((a, b) => b.resetSeconds - a.resetSeconds);
    const { until } = this.#stop;
    const askedMs = Math.max((longest?.resetSeconds ?? 0) * 1000, retryMs);
    // One answer keeps nobody back for longer than until the next probe. The window that it names does, as on any answer.
    const waitMs = this.#stop.refused(permit.admittedAt, this.#clock.now(), askedMs, PROBE_MS);
    if (this.#stop.until > until) this.#stoppedBy = longest?.name;
    return { window: longest?.name, waitMs };
  }
}

function exhausted(call: WireCall, window: string | undefined, retryAfter: number): RateLimitError {
  const title = `${call.label} was not sent`;
  const facts = { kind: call.kind, title, window, retryAfter };
  const detail = `the quota of the ${window ?? "present"} window is used up`;
  return new RateLimitError(errorMessage({ ...facts, detail }, `Run it again ${inTimeAt(retryAfter * 1000)}.`), facts);
}

/** A call's own pause, before it gets into the line. */
export async function pauseFirst(waiting: Waiting, clock: Clock): Promise<void> {
  const { pause, signal } = waiting;
  signal.throwIfAborted();
  if (pause === undefined) return;
  waiting.onWait(pause.ms, pause.reason);
  await clock.sleep(pause.ms, signal);
}

/** How long all calls stop after a 429: as long as it asks for, otherwise an exponential back-off. */
export class Stop {
  until = -Infinity;
  #refusedAt = -Infinity;
  #inRow = 0;

  /** Whether the call was under way when another one was refused: then its refusal says nothing more. */
  isKnown(admittedAt: number): boolean {
    return admittedAt <= this.#refusedAt;
  }

  /**
   * @param mostMs for how long it may stop other calls
   * @returns how long this call must wait. Milliseconds
   */
  refused(admittedAt: number, now: number, askedMs: number, mostMs: number): number {
    const isKnown = this.isKnown(admittedAt);
    if (!isKnown) {
      this.#inRow += 1;
      this.#refusedAt = now;
    }
    const ownMs = isKnown ? Math.max(0, this.until - now) : backoffMs(this.#inRow);
    const waitMs = askedMs > 0 ? askedMs : ownMs;
    this.until = Math.max(this.until, now + Math.min(waitMs, mostMs));
    return waitMs;
  }

  accepted(): void {
    this.#inRow = 0;
  }
}
