import type { Clock } from "../clock";

/** Requests that are held open until something happens to their job. */
export class Holds {
  private readonly watchers = new Map<string, Set<() => void>>();

  constructor(private readonly clock: Clock) {}

  /** Resolves when `isOver` returns true after a change of the job, or after `ms` by the emulator's clock. */
  until(jobId: string, ms: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (isOver()) return resolve();
      const watchers = this.watchers.get(jobId) ?? new Set();
      this.watchers.set(jobId, watchers);
      const release = () => {
        timer.cancel();
        watchers.delete(look);
        if (watchers.size === 0) this.watchers.delete(jobId);
        resolve();
      };
      const look = () => {
        if (isOver()) release();
      };
      const timer = this.clock.after(ms, release);
      watchers.add(look);
    });
  }

  /** Notifies the requests that are held for a job. */
  changed(jobId: string): void {
    for (const look of [...(this.watchers.get(jobId) ?? [])]) look();
  }
}
