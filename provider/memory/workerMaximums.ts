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

  /** @param until when a request of this change may still arrive, also after this process. Milliseconds since 1970. */
  changed(id: string, workersMax: number, account?: string, until?: number): void {
    this.pages.write({ is: "awake", id, workersMax, account, until });
  }

  /** The endpoint has its own maximum again, whichever runs had changed it, or is gone. */
  restored(id: string): void {
    for (const { name, awake } of this.pages.open()) if (awake.has(id)) this.pages.end(name, { is: "rested", id });
  }

  /** When a change of an ended run may still arrive and undo this run's. 0 if none may. */
  mayChangeUntil(id: string): number {
    const left = [...this.pages.open()].flatMap(({ awake }) => awake.get(id) ?? []).filter(isOfKilledRun);
    return Math.max(0, ...left.map(({ until = 0 }) => until));
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
    if (awake !== undefined && isElsewhere(awake, account) === false) this.restored(id);
  }

  /** The program declares a schedule for this endpoint, which may set 0 workers now. */
  schedules(id: string): void {
    this.#scheduled.add(id);
  }

  isScheduled(id: string): boolean {
    return this.#scheduled.has(id);
  }
}
