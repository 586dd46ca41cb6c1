/** How long a group is watched for refusals before the next one. */
const GROUP_MS = 250;
/** A larger group would not limit anything. */
const LARGEST_GROUP = 512;

/**
 * Limits calls with held answers, after one of them was refused. Their answers come minutes later, but a refusal comes at once.
 * So they are sent in groups that grow while none is refused, as in TCP's slow start.
 */
export class SlowStart {
  /** The size of the current group. */
  #most = Number.POSITIVE_INFINITY;
  /** From this size on, groups grow by one call: twice this size was refused (slow start's threshold). */
  #careful = Number.POSITIVE_INFINITY;
  #sent = 0;
  #endsAt = 0;

  /** @param until when calls may go again */
  refused(until: number): void {
    // Calls that were sent together are refused together.
    if (this.#most > 1) this.#careful = Math.max(1, this.#most / 2);
    this.#most = 1;
    this.#sent = 0;
    this.#endsAt = until + GROUP_MS;
  }

  sent(now: number): void {
    this.#turn(now);
    this.#sent += 1;
  }

  /** How long the next call waits for its group. Milliseconds. */
  waitMs(now: number): number {
    this.#turn(now);
    return this.#sent < this.#most ? 0 : this.#endsAt - now;
  }

  #turn(now: number): void {
    if (now < this.#endsAt || this.#most > LARGEST_GROUP) return;
    this.#most += this.#most < this.#careful ? this.#most : 1;
    this.#sent = 0;
    this.#endsAt = now + GROUP_MS;
  }
}
