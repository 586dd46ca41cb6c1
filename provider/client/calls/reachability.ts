/** How a connection fails to be made; `unresolved`: the name server did not answer, which says nothing of the address. */
export type Unreachable = "refusing" | "silent" | "unresolved";

/** Whether anything has ever answered at one address: one that never did is more likely to be wrong than down. */
export class Reachability {
  readonly #firstContactMs: number;
  #hasAnswered = false;
  #refusingSince: number | undefined;

  /** @param firstContactMs how long an address is tried that refuses every connection and has never answered */
  constructor(firstContactMs: number) {
    this.#firstContactMs = firstContactMs;
  }

  answered(): void {
    this.#hasAnswered = true;
  }

  /**
   * How long an address that can't be reached is tried from now on; undefined: as long as the call is.
   *
   * @param beganAt when the attempt began that has failed
   */
  patienceMs(unreachable: Unreachable, beganAt: number, now: number): number | undefined {
    if (this.#hasAnswered || unreachable === "unresolved") return undefined;
    // The connect time-out was its time.
    if (unreachable === "silent") return 0;
    this.#refusingSince ??= beganAt;
    return this.#firstContactMs - (now - this.#refusingSince);
  }
}
