import type { CallLimiter, Permit, Waiting, WireCall } from "../calls/call";
import { type Headers, headerIn, type Refusal, retryAfterMs } from "../calls/headers";
import { pauseFirst, Stop } from "../calls/rateLimit";
import type { Clock } from "../options";
import type { Limit } from "./limits";

/** A little longer than the service's window, because clocks have whole milliseconds and timers may fire early. */
const WINDOW_MS = 10_050;
/** One refusal keeps other calls back for no longer, whatever it asks for. */
const LONGEST_STOP_MS = 60_000;
/** Calls under way at first, as TCP's initial window. At 100 ms an answer they are what `run` may do in 10 s. */
const FIRST_UNDER_WAY = 10;
/** The first refusal lowers the rate no further than to this share of the limit. */
const LEAST_SHARE = 1 / 20;
/** By this share of the limit the rate grows in each window without a refusal. */
const GROWTH = 1 / 40;
/** How long a group is watched for refusals before the next one. */
const GROUP_MS = 250;
/** A larger group would not limit anything. */
const LARGEST_GROUP = 512;

/**
 * Not limited: calls of other processes, which are not counted here and whose share only refusals show; and calls once `urgent`
 * is aborted, which wait for a place among those under way alone.
 *
 * - **A sliding window** for the documented calls per 10 s. We do not know when the service counts a call, only that it does so
 *   before its answer. So a call counts from its start until one window after its answer.
 * - **AIMD**, as TCP's congestion avoidance: a 429 halves the rate, at least to what got through in the last window, and the calls
 *   under way; both grow by a fixed step while none is refused. Refusals of calls that were under way together count as one.
 * - **Slow start** in place of AIMD for calls whose answers the service holds back: see SlowStart.
 * - **A stop** after a 429, as long as it asks for, or an exponential back-off.
 *
 * First come, first served.
 */
export class Limiter implements CallLimiter {
  /** Times of the answers within the last window, oldest first, without refusals. */
  readonly #answered: number[] = [];
  /** Callbacks that admit one waiting call each, in order. */
  readonly #waiting = new Set<(permit: Permit) => void>();
  /** The same for calls that do not wait for the window. */
  readonly #urgent = new Set<(permit: Permit) => void>();
  readonly #stop = new Stop();
  readonly #held: SlowStart | undefined;
  #underWay = 0;
  #mostUnderWay: number;
  /** Calls a window since `#loweredAt`, when the last refusal lowered it. */
  #rate: number;
  #loweredAt = 0;
  /** Ends the sleep until the next call may be admitted. */
  #alarm: AbortController | undefined;

  /** @param isHeld whether the service holds the answers back */
  constructor(
    private readonly clock: Clock,
    private readonly limit: Limit,
    isHeld = false,
  ) {
    this.#rate = limit.per10s;
    this.#mostUnderWay = isHeld ? limit.concurrent : Math.min(limit.concurrent, FIRST_UNDER_WAY);
    this.#held = isHeld ? new SlowStart() : undefined;
  }

  tryAdmit(_: WireCall): Permit | undefined {
    return this.#waiting.size + this.#urgent.size === 0 && this.#opensAt() === 0 ? this.#permit() : undefined;
  }

  async admit(waiting: Waiting): Promise<Permit> {
    await pauseFirst(waiting, this.clock);
    return this.enter(waiting.signal, waiting.call.urgent);
  }

  /**
   * Resolves when a call may begin.
   *
   * @param urgent once it is aborted, the call waits for a place among those under way, but not for the window
   */
  enter(signal?: AbortSignal, urgent?: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const over = () => {
        signal?.removeEventListener("abort", giveUp);
        urgent?.removeEventListener("abort", hurry);
      };
      const admit = (permit: Permit) => {
        over();
        resolve(permit);
      };
      const giveUp = () => {
        over();
        this.#urgent.delete(admit);
        this.#waiting.delete(admit);
        if (this.#waiting.size === 0) this.#alarm?.abort();
        reject(signal?.reason);
      };
      const hurry = () => {
        this.#waiting.delete(admit);
        this.#urgent.add(admit);
        this.#admit();
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      urgent?.addEventListener("abort", hurry, { once: true });
      if (urgent?.aborted) return hurry();
      this.#waiting.add(admit);
      this.#admit();
    });
  }

  #permit(): Permit {
    const { per10s, concurrent } = this.limit;
    const admittedAt = this.clock.now();
    this.#underWay += 1;
    this.#held?.sent(admittedAt);
    const permit: { refusal: Refusal | undefined } & Permit = {
      refusal: undefined,
      answered: (status, headers) => {
        if (status === 429) {
          permit.refusal = this.#refused(admittedAt, headers);
          return;
        }
        this.#stop.accepted();
        if (this.#held === undefined)
          this.#mostUnderWay = Math.min(concurrent, this.#mostUnderWay + 1 / this.#mostUnderWay);
      },
      done: () => {
        this.#underWay -= 1;
        if (permit.refusal === undefined && Number.isFinite(per10s)) this.#answered.push(this.clock.now());
        if (this.#waiting.size + this.#urgent.size > 0) this.#admit();
      },
    };
    return permit;
  }

  #refused(admittedAt: number, headers: Headers): Refusal {
    const now = this.clock.now();
    if (this.#held === undefined && !this.#stop.isKnown(admittedAt)) this.#lower(now);
    const askedMs = retryAfterMs((name) => headerIn(headers, name)) ?? 0;
    const waitMs = this.#stop.refused(admittedAt, now, askedMs, LONGEST_STOP_MS);
    this.#held?.refused(this.#stop.until);
    return { window: undefined, waitMs };
  }

  #lower(now: number): void {
    this.#forgetOlder(now);
    const passed = Math.max(this.#answered.length, this.limit.per10s * LEAST_SHARE);
    this.#rate = Math.max(1, Math.min(this.#rateAt(now) / 2, passed));
    this.#loweredAt = now;
    this.#mostUnderWay = Math.max(1, this.#mostUnderWay / 2);
  }

  /** Calls a window. */
  #rateAt(now: number): number {
    const { per10s } = this.limit;
    if (this.#rate >= per10s) return per10s;
    return Math.min(per10s, this.#rate + ((now - this.#loweredAt) / WINDOW_MS) * per10s * GROWTH);
  }

  #forgetOlder(now: number): void {
    while ((this.#answered[0] ?? Number.POSITIVE_INFINITY) <= now - WINDOW_MS) this.#answered.shift();
  }

  get #hasPlace(): boolean {
    return this.#underWay < this.#mostUnderWay;
  }

  /** When a call may begin, by the clock: 0 for at once, Infinity for after an answer. */
  #opensAt(): number {
    if (!this.#hasPlace) return Number.POSITIVE_INFINITY;
    const now = this.clock.now();
    if (this.#stop.until > now) return this.#stop.until;
    const heldMs = this.#held?.waitMs(now) ?? 0;
    if (heldMs > 0) return now + heldMs;
    this.#forgetOlder(now);
    if (this.#underWay + this.#answered.length < this.#rateAt(now)) return 0;
    const [oldest = Number.POSITIVE_INFINITY] = this.#answered;
    return oldest + WINDOW_MS;
  }

  /** Admits as many waiting calls as may begin. */
  #admit(): void {
    for (const admit of this.#urgent) {
      if (!this.#hasPlace) break;
      this.#urgent.delete(admit);
      admit(this.#permit());
    }
    for (const admit of this.#waiting) {
      const opensAt = this.#opensAt();
      if (opensAt === Number.POSITIVE_INFINITY) break;
      if (opensAt > 0) {
        void this.#admitAt(opensAt);
        break;
      }
      this.#waiting.delete(admit);
      admit(this.#permit());
    }
  }

  async #admitAt(time: number): Promise<void> {
    if (this.#alarm !== undefined) return;
    const alarm = new AbortController();
    this.#alarm = alarm;
    await this.clock.sleep(Math.max(0, Math.ceil(time - this.clock.now())), alarm.signal).catch(() => {});
    this.#alarm = undefined;
    if (this.#waiting.size > 0) this.#admit();
  }
}

/**
 * Limits calls with held answers, after one of them was refused. Their answers come minutes later, but a refusal comes at once.
 * So they are sent in groups that grow while none is refused, as in TCP's slow start.
 */
class SlowStart {
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
