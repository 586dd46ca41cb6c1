/** How often a provider looks whether the engine that started it still runs. */
const WATCH_MS = 1_000;

let watching = false;

/** Ends this process soon after its engine was killed: that sends no signal, but an orphan gets another parent. */
export function endWithEngine(): void {
  if (watching) return;
  watching = true;
  const engine = process.ppid;
  setInterval(() => {
    if (process.ppid !== engine) process.exit(0);
  }, WATCH_MS).unref();
}
