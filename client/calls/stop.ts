import type { Clock } from "../options";
import { backoffMs } from "../outcomes/retry";
import type { Waiting } from "./call";

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
