import { UsageError } from "../errors";

/** People who know other SDKs write `list().withResponse()`: the compiler's message shows them the way here. */
export type HowToGetTheResponse = "write client.withResponse((options) => client.pods.list(options))";
const HOW: HowToGetTheResponse = "write client.withResponse((options) => client.pods.list(options))";

/** A list under way: await it, or loop over its items by `for await`. For a list of many pages take `iterate`. */
export interface ListCall<Item> extends Promise<Item[]>, AsyncIterable<Item> {
  /** @internal */
  readonly withResponse: HowToGetTheResponse;
}

export const listCall = <Item>(list: Promise<Item[]>): ListCall<Item> => new List<Item>((resolve) => resolve(list));

/** A class, because V8 keeps the accessors of single objects, and with them every list, until its next full collection. */
class List<Item> extends Promise<Item[]> implements ListCall<Item> {
  /** What follows a list, as by `then`, is a promise like any other. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }

  get withResponse(): HowToGetTheResponse {
    this.catch(() => {});
    throw new UsageError(`A list has no withResponse: ${HOW}.`);
  }
}
