import { isDeepStrictEqual } from "node:util";
import { isObject, ownMember, type Properties, valueAt } from "../../lifecycle/fields/values";
import { ignoreChanges, joined, optionWithin, replaceOnChanges } from "../../lifecycle/plan/changeOptions";
import { objectIn, within } from "./members";

/**
 * The paths of Pulumi's option `replaceOnChanges` for one member. A path in the defaults counts for the members that take
 * them, when it changes.
 *
 * @param state the fleet's recorded state
 */
export function replacedOnChangesOf(name: string, fleet: Properties, state: Properties): string[] {
  const paths = replaceOnChanges(fleet);
  const ofDefaults = paths.flatMap(([first, ...rest]) => {
    if (first !== "defaults") return [];
    const path = rest.includes("*") ? rest.slice(0, rest.indexOf("*")) : rest;
    return isDeepStrictEqual(valueAt(state.defaults, path), valueAt(fleet.defaults, path)) ? [] : [joined(rest)];
  });
  return [...optionWithin(paths, ["endpoints", name]), ...ofDefaults];
}

/** The paths of `ignoreChanges` for one member. They matter for differences that no argument shows. */
export function ignoredChangesOf(name: string, fleet: Properties): string[] {
  const paths = ignoreChanges(fleet);
  return [...optionWithin(paths, ["endpoints", name]), ...optionWithin(paths, ["defaults"])];
}

/**
 * The arguments, with the recorded values of paths that `ignoreChanges` names for all members (`*`). The engine restores
 * these before the check. But it stops at the first member that is no longer declared, in no particular order.
 */
export function withIgnored(fleet: Properties, state: Properties): Properties {
  const paths = ignoreChanges(fleet).flatMap(([first, name, ...rest]) =>
    first === "endpoints" && name === "*" && rest.length > 0 ? [rest] : [],
  );
  if (paths.length === 0 || !isObject(fleet.endpoints)) return fleet;
  const recorded = objectIn(state, "endpoints");
  const members = Object.entries(fleet.endpoints).map(([name, next]) => {
    const old = ownMember(recorded, name);
    return [name, old === undefined ? next : paths.reduce((value, path) => reset(value, old, path), next)];
  });
  return { ...fleet, endpoints: Object.fromEntries(members) };
}

/** A value in which the part at a path is restored to the old one. */
function reset(value: unknown, old: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return old;
  if (!isObject(value) || !isObject(old)) return value;
  const keys = key === "*" ? Object.keys({ ...old, ...value }) : [key];
  const members = keys.map((each) => [each, reset(ownMember(value, each), ownMember(old, each), rest)] as const);
  const all = { ...value, ...Object.fromEntries(members) };
  return Object.fromEntries(Object.entries(all).filter(([, member]) => member !== undefined));
}

/**
 * The engine sets an argument that `ignoreChanges` names to the state's value. From a member that the state doesn't have,
 * it removes the argument.
 *
 * @throws Error if a new member lost a value that way
 */
export function refuseLostValues(fleet: Properties, state: Properties): void {
  const recorded = objectIn(state, "endpoints");
  for (const [first, name, ...rest] of ignoreChanges(fleet)) {
    if (first !== "endpoints" || name === undefined || name === "*" || rest.length === 0) continue;
    if (!Object.hasOwn(objectIn(fleet, "endpoints"), name) || Object.hasOwn(recorded, name)) continue;
    throw new Error(
      `ignoreChanges names ${within(name, rest.join("."))}, and ${within(name, "")} is new: Pulumi drops the value because ` +
        `the state has none. Leave that path out until the member is made, or write endpoints["*"].${rest.join(".")}.`,
    );
  }
}
