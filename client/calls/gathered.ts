import DataLoader from "dataloader";
import { kept } from "../../common/kept";
import type { CallOptions } from "../options";
import { awaitShared } from "./cancellation";

/** Calls within this time are sent together: the engine reads a whole fleet at once. Milliseconds. */
const GATHER_MS = 5;

interface Ways<Asked, Answer> {
  /** Sends a single call. Default: as `together`. */
  readonly alone?: (asked: Asked) => Promise<Answer>;
  /** Sends several as one request. */
  readonly together: (all: readonly Asked[]) => Promise<readonly (Answer | Error)[]>;
}

/** A call that waits a moment for others like it, to be sent with them. */
export function gathered<Asked, Answer>(
  most: number,
  { alone, together }: Ways<Asked, Answer>,
): (asked: Asked) => Promise<Answer> {
  const send = (all: readonly Asked[]) =>
    alone === undefined || all.length > 1 ? together(all) : Promise.all(all.map((asked) => alone(asked)));
  const loader = new DataLoader<Asked, Answer>(send, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: (dispatch) => setTimeout(dispatch, GATHER_MS),
  });
  return (asked) => loader.load(asked);
}

/**
 * A list that callers share when they ask within the same moment and allow the same number of attempts. The list is never
 * older than the call.
 */
export function gatheredList<Item>(
  kind: string,
  list: (options?: CallOptions) => Promise<Item[]>,
): (options?: CallOptions) => Promise<Item[]> {
  const shared = new Map<number | undefined, (kind: string) => Promise<Item[]>>();
  const newlyShared = (attempts: number | undefined) =>
    gathered<string, Item[]>(Infinity, {
      alone: () => list({ attempts }),
      together: async (all) => {
        const items = await list({ attempts });
        return all.map(() => items);
      },
    });
  return (options = {}) => {
    const { signal, timeoutMs, attempts, ...others } = options;
    if (hasAny(others)) return list(options);
    const ask = kept(shared, attempts, newlyShared);
    return awaitShared(ask(kind), { signal, timeoutMs }, { kind });
  };
}

/** Whether a call has options of its own, which a shared call can't keep. */
export function hasAny(options: CallOptions = {}): boolean {
  return Object.values(options).some((value) => value !== undefined);
}

/** All answers, each of them or its error. */
export function each<Asked, Answer>(
  all: readonly Asked[],
  answer: (asked: Asked, index: number) => Promise<Answer>,
): Promise<(Answer | Error)[]> {
  return Promise.all(
    all.map((asked, index) =>
      answer(asked, index).catch((error: unknown) => {
        if (error instanceof Error) return error;
        throw error;
      }),
    ),
  );
}
