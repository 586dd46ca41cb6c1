import { AbortError, NotFoundError } from "../errors";
import { errorMessage } from "../outcomes/statuses";
import type { QueueCalls } from "./calls";
import type { Orphan } from "./options";
import { isFinal } from "./status";
import type { Job } from "./types";

/** How long an abort waits for running calls, and for jobs to be cancelled. Real time, because a network is waited for. */
const LEAVING_MS = 5_000;

/** The reason for ending calls that are still running when the time for leaving is over. */
class LeftBehind extends Error {
  override readonly name = "LeftBehind";
  constructor(ms: number) {
    super(`There was no answer within ${ms / 1000} s of leaving.`);
  }
}

/** The result of cancelling a job: the finished job, or `error` where it may still run, or neither where it is gone. */
interface Cancelled {
  readonly job?: Job;
  readonly error?: unknown;
}

/**
 * Leaves jobs. First the waits end, and submissions under way are heard, so that their jobs can be cancelled; after a
 * while that ends too.
 */
export class Leaving {
  readonly #calls: QueueCalls;
  readonly #source: AbortSignal | undefined;
  readonly #waits = new AbortController();
  readonly #calling = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** @param source leaves when it is aborted */
  constructor(calls: QueueCalls, source?: AbortSignal) {
    this.#calls = calls;
    this.#source = source;
    if (source?.aborted) this.begin(source.reason);
    else source?.addEventListener("abort", this);
  }

  handleEvent(): void {
    this.begin(this.#source?.reason);
  }

  /** `waitSignal` ends what only waits, `signal` what is under way. */
  get signals(): { signal: AbortSignal; waitSignal: AbortSignal } {
    return { signal: this.#calling.signal, waitSignal: this.#waits.signal };
  }

  get hasBegun(): boolean {
    return this.#waits.signal.aborted;
  }

  /** Whether the error is that of something that was ended before it was sent. */
  hasEnded(error: unknown): boolean {
    return [this.#waits.signal, this.#calling.signal].some(({ aborted, reason }) => aborted && error === reason);
  }

  /** @param ms how long it may take */
  begin(reason: unknown, ms = LEAVING_MS): void {
    if (this.hasBegun) return;
    this.#timer = setTimeout(() => this.#calling.abort(new LeftBehind(ms)), ms);
    this.#waits.abort(reason);
  }

  /** Stops listening. */
  over(): void {
    clearTimeout(this.#timer);
    this.#source?.removeEventListener("abort", this);
  }

  /** Cancels a job that is not finished, in the time that is left, and resolves to it as it ended. */
  async cancel(id: string): Promise<Cancelled> {
    const options = { signal: this.#calling.signal };
    try {
      return await this.#calls.transport.finish(async () => {
        const job = await this.#calls.status(id, options).catch(unlessGone);
        return { job: job !== undefined && isFinal(job.status) ? job : await this.#calls.cancel(id, options) };
      });
    } catch (error) {
      return error instanceof NotFoundError ? {} : { error };
    }
  }

  /**
   * Waits for one job. Left early, the job is cancelled.
   *
   * @throws AbortError with the job's id, once the signal has ended the wait
   */
  async cancelOnAbort<T>(
    id: string,
    onOrphan: ((orphan: Omit<Orphan, "index">) => void) | undefined,
    wait: () => Promise<T>,
  ): Promise<T> {
    try {
      this.#waits.signal.throwIfAborted();
      return await wait();
    } catch (error) {
      if (!this.hasEnded(error)) throw error;
      const { job, error: cause } = await this.cancel(id);
      const facts = { kind: "Job", id, code: "ABORTED", outcomeUnknown: cause !== undefined };
      const end =
        cause === undefined ? `it is ${job?.status ?? "gone"}` : "it may run on, for it could not be cancelled";
      const title = `its call was aborted; ${end}`;
      const wayOut = "Its id cancels it, or reads its result.";
      if (cause !== undefined) onOrphan?.({ id, error: cause });
      throw new AbortError(errorMessage({ ...facts, title }, wayOut), facts, error);
    }
  }
}

/** A job whose status can't be read may run. */
function unlessGone(error: unknown): undefined {
  if (error instanceof NotFoundError) throw error;
}
