const FIRST_MS = 250;
const SHORTEST_MS = 500;
const LONGEST_MS = 10_000;
/** A pause of a ninth of what has passed ends at most a tenth of the whole wait after what it waits for. */
const SHARE = 1 / 9;

/**
 * The pause before the next look at something that takes an unknown time: what ends is seen within a tenth of the whole wait,
 * within half a second where that is more, and within ten seconds.
 */
export function pollPause(elapsedMs: number): number {
  return elapsedMs < SHORTEST_MS ? FIRST_MS : Math.min(Math.max(elapsedMs * SHARE, SHORTEST_MS), LONGEST_MS);
}
