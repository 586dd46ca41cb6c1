import { UsageError } from "../errors";

/** People who know other SDKs write `list().withResponse()`: the compiler's message shows them the way here. */
export type HowToGetTheResponse = "write client.withResponse((options) => client.pods.list(options))";
const HOW: HowToGetTheResponse = "write client.withResponse((options) => client.pods.list(options))";

/** A list under way: await it, or loop over its items by `for await`. For a list of many pages take `iterate`. */
export interface ListCall<Item> extends Promise<Item[]>, AsyncIterable<Item> {
  /** @internal */
  readonly withResponse: HowToGetTheResponse;
}

export function listCall<Item>(list: Promise<Item[]>): ListCall<Item> {
  return Object.defineProperties(
    Object.assign(list, {
      async *[Symbol.asyncIterator]() {
        yield* await list;
      },
      withResponse: HOW,
    }),
    {
      withResponse: {
        // Not seen by what prints all that an object has.
        enumerable: false,
        get(): HowToGetTheResponse {
          list.catch(() => {});
          throw new UsageError(`A list has no withResponse: ${HOW}.`);
        },
      },
    },
  );
}
