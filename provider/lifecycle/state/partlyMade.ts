import { messageOf } from "../../../common/messageOf";
import type { Properties } from "../fields/values";

/** A resource was created or changed and may be billed, but did not become usable. The engine records it in the state. */
export class PartlyMadeError extends Error {
  override readonly name = "PartlyMadeError";
  constructor(
    readonly id: string,
    readonly properties: Properties,
    readonly reasons: readonly string[],
  ) {
    super(reasons.join("; "));
  }
}

/**
 * What was created or changed can be reached, and does not do its work. An update that ends in it is undone. The cause has the
 * reason.
 */
export class UnprovenError extends Error {
  override readonly name = "UnprovenError";
  constructor(override readonly cause: unknown) {
    super(messageOf(cause));
  }
}

/** Mark of an unfinished resource. The engine has a mark of its own, but drops it in a refresh. */
const UNFINISHED = "__unfinished";

/** The state of a resource that was created or changed and did not become usable. */
export const unfinished = (state: Properties): Properties => ({ ...state, [UNFINISHED]: true });

export const isUnfinished = (state: Properties): boolean => state[UNFINISHED] === true;
