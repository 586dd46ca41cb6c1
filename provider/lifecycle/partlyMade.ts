import type { Properties } from "./values";

/** A resource that exists, and is billed, but could not be brought into use: the engine keeps it in the state. */
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

/** The engine marks it too, but drops its mark in a refresh. */
const UNFINISHED = "__unfinished";

/** The state of a resource that was made or changed and never became usable. */
export function unfinished(state: Properties): Properties {
  return { ...state, [UNFINISHED]: true };
}

export function isUnfinished(state: Properties): boolean {
  return state[UNFINISHED] === true;
}
