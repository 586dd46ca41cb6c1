/** Promises of an iterable are awaited, one by one. */
export type Inputs<Input> = Iterable<Input | PromiseLike<Input>> | AsyncIterable<Input>;

/** The inputs of a batch, which are read one by one. */
export class Source<Input> {
  readonly #iterator: Iterator<Input | PromiseLike<Input>> | AsyncIterator<Input>;
  #next = 0;
  /** Whether there is no further input, or one could not be read: then it has closed itself. */
  hasEnded = false;
  /** Whether somebody reads one after the other. */
  isPulled = false;

  constructor(inputs: Inputs<Input>) {
    // A promise may be rejected before its turn has come.
    if (Array.isArray(inputs)) for (const input of inputs) if (input instanceof Promise) input.catch(() => {});
    this.#iterator = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
  }

  /** The next input with its position; undefined after the last. */
  async read(): Promise<{ readonly index: number; readonly input: Input } | undefined> {
    let step: IteratorResult<Input | PromiseLike<Input>, unknown>;
    try {
      step = await this.#iterator.next();
    } catch (error) {
      this.hasEnded = true;
      throw error;
    }
    this.hasEnded = step.done === true;
    return step.done === true ? undefined : { index: this.#next++, input: await step.value };
  }

  /** An iterator that is being read learns of its end only after that, so it is not waited for. */
  async close(): Promise<void> {
    if (this.hasEnded) return;
    const closing = Promise.resolve(this.#iterator.return?.());
    closing.catch(() => {});
    if (!this.isPulled) await closing;
  }
}
