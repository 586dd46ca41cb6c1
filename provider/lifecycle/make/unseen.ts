import { NotFoundError } from "../../../client";
import type { Context } from "../definition";
import { FIRST_PAUSE_MS, longerPause, pauseFor } from "./wait";

/** Looks again for a new resource that the service does not show yet. */
export class Unseen {
  #until: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  /** @param forMs how long the service may not show it, asked after the first look */
  constructor(
    private readonly context: Pick<Context, "client" | "log" | "signal">,
    private readonly subject: string,
    private readonly forMs: () => number,
  ) {}

  /**
   * Waits a moment before another look. False, at once, if the resource is so old that the service has to show it.
   *
   * @throws InterruptedError
   */
  async waits(): Promise<boolean> {
    const { client, log } = this.context;
    const now = client.clock.now();
    this.#until ??= now + this.forMs();
    const leftMs = this.#until - now;
    if (leftMs <= 0) return false;
    log.status(this.subject, `not shown by the service yet: looking for up to ${Math.ceil(leftMs / 1000)} s`);
    await pauseFor(Math.min(this.#pauseMs, leftMs), this.context);
    this.#pauseMs = longerPause(this.#pauseMs);
    return true;
  }

  /**
   * Repeats a call until it finds the resource.
   *
   * @param isAbsent whether the call's error means that there is no such resource
   */
  async find<T>(call: () => Promise<T>, isAbsent: (error: unknown) => boolean | Promise<boolean>): Promise<T> {
    for (let hasAppeared = false; ; ) {
      try {
        return await call();
      } catch (error) {
        if (await isAbsent(error)) {
          if (!(await this.waits())) throw error;
        } else if (error instanceof NotFoundError && !hasAppeared && this.forMs() > 0) {
          // It may have appeared between the call and the second look, so the call is repeated once.
          hasAppeared = true;
        } else throw error;
      }
    }
  }
}
