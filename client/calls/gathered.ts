import DataLoader from "dataloader";
import { getOrCreate } from "../../common/getOrCreate";
import type { CallOptions } from "../options";
import { awaitShared, checkTime } from "./cancellation";

/** Calls within this time are sent together: the engine reads a whole fleet at once. Milliseconds. */
const GATHER_MS = 5;

/**
 * A call that waits a moment for others like it, to be sent with them.
 *
 * @param together sends several as one request
 * @param alone sends a single one; by default as several
 */
export function gathered<Call, Answer>(
  most: number,
  together: (all: readonly Call[]) => Promise<readonly (Answer | Error)[]>,
  alone?: (call: Call) => Promise<Answer>,
): (call: Call) => Promise<Answer> {
  const send = (all: readonly Call[]) =>
    alone === undefined || all.length > 1 ? together(all) : Promise.all(all.map((call) => alone(call)));
  const loader = new DataLoader<Call, Answer>(send, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: (dispatch) => setTimeout(dispatch, GATHER_MS),
  });
  return (call) => loader.load(call);
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
    gathered<string, Item[]>(Infinity, async (all) => {
      const items = await list({ attempts });
      return all.map(() => items);
    });
  return async (options = {}) => {
    const { signal, timeoutMs, attempts, ...others } = options;
    if (hasAny(others)) return list(options);
    signal?.throwIfAborted();
    if (timeoutMs !== undefined) checkTime(timeoutMs, { kind });
    const ask = getOrCreate(shared, attempts, newlyShared);
    return awaitShared(ask(kind), { signal, timeoutMs }, { kind });
  };
}

/** Whether a call has options of its own, which a shared call can't keep. */
export function hasAny(options: CallOptions = {}): boolean {
  return Object.values(options).some((value) => value !== undefined);
}

/** All answers, each of them or its error. */
export function each<Call, Answer>(
  all: readonly Call[],
  answer: (call: Call, index: number) => Promise<Answer>,
): Promise<(Answer | Error)[]> {
  return Promise.all(
    all.map((call, index) =>
      answer(call, index).catch((error: unknown) => {
        if (error instanceof Error) return error;
        throw error;
      }),
    ),
  );
}
