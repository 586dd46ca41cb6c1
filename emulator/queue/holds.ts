import { EventEmitter } from "node:events";
import type { Clock } from "../clock";

/** Requests that are held open until something happens to their job. */
export class Holds {
  /** Each change of a job is an event. */
  private readonly changes = new EventEmitter().setMaxListeners(0);

  constructor(private readonly clock: Clock) {}

  /** Resolves when `isOver` returns true after a change of the job, or after `ms` by the emulator's clock. */
  until(jobId: string, ms: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (isOver()) return resolve();
      const release = () => {
        timer.cancel();
        this.changes.off(`job ${jobId}`, look);
        resolve();
      };
      const look = () => {
        if (isOver()) release();
      };
      const timer = this.clock.after(ms, release);
      this.changes.on(`job ${jobId}`, look);
    });
  }

  /** Notifies the requests that are held for a job. */
  changed(jobId: string): void {
    this.changes.emit(`job ${jobId}`);
  }
}
