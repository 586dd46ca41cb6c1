import { getOrCreate } from "../../common/getOrCreate";
import type { Run } from "./definition";

/**
 * What lasts for a run: made at its first question, and the same for all of its operations, which share a ledger.
 *
 * @param start may ask for a whole context, which the questions then have to give
 */
export function perRun<State extends object, In extends Run = Run>(
  start: (context: In) => State,
): (context: In) => State {
  const states = new WeakMap<Run["ledger"], State>();
  return (context) => getOrCreate(states, context.ledger, () => start(context));
}
