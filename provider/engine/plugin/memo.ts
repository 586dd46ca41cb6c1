import { abortable } from "../../../client";

/** Shares answers by key: one that is known or on its way is not requested again. A failure is forgotten. */
export class Memo {
  readonly #calls = new Map<string, SharedCall<unknown>>();

  /**
   * @param load makes the call; its signal aborts when all callers have left
   * @param caller aborts when this caller leaves
   */
  get<T>(key: string, load: (signal: AbortSignal) => Promise<T>, caller?: AbortSignal): Promise<T> {
    let call = this.#calls.get(key) as SharedCall<T> | undefined;
    if (call === undefined) {
      const newCall = new SharedCall(load, () => {
        if (this.#calls.get(key) === newCall) this.#calls.delete(key);
      });
      this.#calls.set(key, newCall);
      call = newCall;
    }
    return call.join(caller);
  }

  /** The next caller makes a new call. */
  forget(key: string): void {
    this.#calls.delete(key);
  }
}

class SharedCall<T> {
  readonly #controller = new AbortController();
  readonly #answer: Promise<T>;
  readonly #failed: () => void;
  #waiting = 0;
  #settled = false;

  constructor(load: (signal: AbortSignal) => Promise<T>, failed: () => void) {
    this.#failed = failed;
    this.#answer = load(this.#controller.signal).finally(() => {
      this.#settled = true;
    });
    this.#answer.catch(failed);
  }

  async join(caller: AbortSignal | undefined): Promise<T> {
    this.#waiting += 1;
    try {
      return await abortable(this.#answer, caller);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#settled) {
        this.#failed();
        this.#controller.abort(caller?.reason);
      }
    }
  }
}
