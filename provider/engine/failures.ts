import type { CheckFailure } from "../lifecycle/definition";
import { engineText } from "./text";

/** The engine prints the value of the property that a failure names, secret or not: the reason names it instead. */
export function shownFailures(failures: readonly CheckFailure[]): CheckFailure[] {
  return failures.map(({ property, reason }) => ({
    property: "",
    reason: engineText(property === "" ? reason : `${property}: ${reason}`),
  }));
}
