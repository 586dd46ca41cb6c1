/** How often a provider checks whether the engine that started it still runs. */
const WATCH_MS = 1_000;

/**
 * Ends this process soon after its engine was killed. A kill sends no signal to the provider, but gives it another
 * parent. A call under way is not waited for, so its outcome is unknown.
 */
export function endWithEngine(): void {
  const engine = process.ppid;
  setInterval(() => {
    if (process.ppid !== engine) process.exit(0);
  }, WATCH_MS).unref();
}
