import type { QueueHealth } from "../../client";

/**
 * How long jobs wait and take, from a queue's counts alone: the service lists no jobs. Jobs are numbered as they arrive, and
 * are taken to start and end in this order. So the oldest waiting job is the one after those that have started, and it came
 * by the first look whose count of arrived jobs includes it. Times are as exact as the looks are frequent.
 */
export class Arrivals {
  /** Looks that saw new jobs: when, and how many had arrived by then. The oldest first. */
  #looks: { readonly at: number; readonly arrived: number }[] = [];
  #ended: number | undefined;

  /**
   * @param now in milliseconds
   * @returns seconds; no latency if no job has ended since the last look
   */
  seen(jobs: QueueHealth["jobs"], now: number): { queueAge: number; latency: number | undefined } {
    const ended = jobs.completed + jobs.failed;
    const arrived = ended + jobs.inProgress + jobs.inQueue;
    // Cancelled and purged jobs leave the count.
    this.#looks = this.#looks.map((look) => ({ ...look, arrived: Math.min(look.arrived, arrived) }));
    if (arrived > (this.#looks.at(-1)?.arrived ?? -1)) this.#looks.push({ at: now, arrived });
    const since = (job: number) => (now - (this.#looks.find((look) => look.arrived >= job)?.at ?? now)) / 1000;
    const times = {
      queueAge: jobs.inQueue === 0 ? 0 : since(arrived - jobs.inQueue + 1),
      latency: this.#ended !== undefined && ended > this.#ended ? since(ended) : undefined,
    };
    this.#ended = ended;
    this.#looks = this.#looks.filter((look) => look.arrived >= ended);
    return times;
  }
}
