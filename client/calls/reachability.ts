import type { Failure } from "../outcomes/retry";

/** The name server did not answer, which says nothing about the address. */
const NO_NAME_SERVER = "EAI_AGAIN";

/** Whether an address has ever answered. One that never has is more likely to be wrong than down. */
export class Reachability {
  readonly #firstContactMs: number;
  #hasAnswered = false;
  #refusingSince: number | undefined;

  /** @param firstContactMs how long to try an address that refuses every connection and has never answered */
  constructor(firstContactMs: number) {
    this.#firstContactMs = firstContactMs;
  }

  answered(): void {
    this.#hasAnswered = true;
  }

  /**
   * How long to go on trying an unreachable address. Undefined: for as long as the call is retried.
   *
   * @param beganAt when the failed attempt began
   */
  patienceMs({ unreachable, reason }: Failure, beganAt: number, now: number): number | undefined {
    if (this.#hasAnswered || unreachable === undefined || reason === NO_NAME_SERVER) return undefined;
    // It had the whole connect time-out.
    if (unreachable === "silent") return 0;
    this.#refusingSince ??= beganAt;
    return this.#firstContactMs - (now - this.#refusingSince);
  }
}
