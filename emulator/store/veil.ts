import type { Clock } from "../clock";

/** Simulates eventual consistency: ids that reads must not find yet, although the records exist. */
export class Veil {
  private readonly until = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  cover(id: string, ms: number): void {
    this.until.set(id, this.clock.now() + ms);
  }

  hides(id: string): boolean {
    if (this.until.size === 0) return false;
    const until = this.until.get(id);
    if (until === undefined) return false;
    if (this.clock.now() < until) return true;
    this.until.delete(id);
    return false;
  }
}
