import type { CheckFailure } from "../lifecycle/definition";
import { engineText } from "./text";

/**
 * The engine prints the value of the property that a failure names, even of a secret. So the failure names no property,
 * and its reason does.
 */
export function shownFailures(failures: readonly CheckFailure[]): CheckFailure[] {
  return failures.map(({ property, reason }) => ({
    property: "",
    reason: engineText(property === "" ? reason : `${property}: ${reason}`),
  }));
}
