const FIRST_MS = 250;
const LONGEST_MS = 10_000;
/** While a wait is short, a pause is half of what has passed and a bit, and at most a second. */
const SHORT_MS = 1_000;
/** A pause of a ninth of what has passed ends at most a tenth of the whole wait after what it waits for. */
const SHARE = 1 / 9;

/**
 * The pause before the next look at something that takes an unknown time: what ends is seen within a tenth of the whole wait,
 * within a second where that is more, and within ten seconds.
 */
export function pollPause(elapsedMs: number): number {
  return Math.max(Math.min(FIRST_MS + elapsedMs / 2, SHORT_MS), Math.min(elapsedMs * SHARE, LONGEST_MS));
}
