import type { Failure } from "../outcomes/retry";

/** The name server did not answer: that says nothing of the address. */
const NO_NAME_SERVER = "EAI_AGAIN";

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
  patienceMs({ unreachable, reason }: Failure, beganAt: number, now: number): number | undefined {
    if (this.#hasAnswered || unreachable === undefined || reason === NO_NAME_SERVER) return undefined;
    // The connect time-out was its time.
    if (unreachable === "silent") return 0;
    this.#refusingSince ??= beganAt;
    return this.#firstContactMs - (now - this.#refusingSince);
  }
}
