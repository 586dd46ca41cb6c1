import { isElsewhere } from "./notes";
import { isOfKilledRun, type RunPages } from "./runPages";

/**
 * Maximums of workers that runs have changed for a while: an endpoint with 0 workers gets some for a job, one that is to be
 * deleted gets 0. If the run is killed or fails, the endpoint keeps that. The next run that compares the endpoint finds a
 * difference, and its update restores what is declared.
 */
export class WorkerMaximums {
  readonly #scaledBack = new Set<string>();
  readonly #scheduled = new Set<string>();

  constructor(private readonly pages: RunPages) {}

  /** @param until what was set back may be undone by an earlier change that arrives late, also after this process */
  changed(id: string, workersMax: number, account?: string, until?: Date): void {
    this.pages.write({ is: "awake", id, workersMax, account, until: until?.getTime() });
  }

  /** The endpoint has its own maximum again, whichever runs had changed it. What may still be undone stays noted. */
  restored(id: string, isGone = false): void {
    for (const { name, awake } of this.pages.open()) {
      const note = awake.get(id);
      const isOver = isGone || (note?.until ?? 0) <= Date.now();
      if (note !== undefined && isOver) this.pages.end(name, { is: "rested", id });
    }
  }

  /** The maximum of workers that an ended run left the endpoint with; undefined if none did. */
  leftoverMaximum(id: string): number | undefined {
    const awake = this.pages.find((page) => page.awake.get(id))?.entry;
    return isOfKilledRun(awake) ? awake?.workersMax : undefined;
  }

  /**
   * Ids of endpoints that a killed run left with workers and that this run does not scale back.
   *
   * @param account the key's, if it is known: without the endpoints of others
   */
  leftoverIds(account?: string): string[] {
    return [...this.pages.open()]
      .flatMap(({ awake }) => [...awake.values()])
      .filter((each) => isOfKilledRun(each) && each.workersMax > 0 && !isElsewhere(each, account))
      .flatMap(({ id }) => (this.#scaledBack.has(id) ? [] : [id]));
  }

  /** Called when this run scales the endpoint back, or its preview announces that. */
  scalesBack(id: string): void {
    this.#scaledBack.add(id);
  }

  /** The endpoint was not found. Its entry ends, unless it may be in another account than the key's. */
  endpointGone(id: string, account: string | undefined): void {
    const awake = this.pages.find((page) => page.awake.get(id))?.entry;
    if (awake !== undefined && isElsewhere(awake, account) === false) this.restored(id, true);
  }

  /** The program declares a schedule for this endpoint, which may set 0 workers now. */
  schedules(id: string): void {
    this.#scheduled.add(id);
  }

  isScheduled(id: string): boolean {
    return this.#scheduled.has(id);
  }
}
