import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../common/json";
import type { Difference } from "../fields/difference";
import { containsUnknown } from "../fields/unknown";
import { ownMember, type Properties } from "../fields/values";

/**
 * Whether Pulumi's option `replaceOnChanges` asks for a replacement. The engine can't decide that for dynamic resources,
 * which can't report which properties changed. So the sdk sends the option along.
 */
export const replacedOnChange = (difference: Difference, next: Properties): boolean =>
  isCovered(difference, replaceOnChanges(next));

/**
 * Whether Pulumi's option `ignoreChanges` covers a difference. The engine itself restores the old values of ignored
 * arguments. It does not know of differences that no argument shows.
 */
export const ignored = (difference: Difference, next: Properties): boolean =>
  isCovered(difference, ignoreChanges(next));

function isCovered({ path, old, next }: Difference, paths: readonly (readonly string[])[]): boolean {
  const changed = path.split(".");
  return paths.some((wanted) => {
    const leadsThere = wanted.slice(0, changed.length).every((part, index) => part === "*" || part === changed[index]);
    const inside = wanted.slice(changed.length);
    // A path that ends here covers the difference without comparing values. Where no argument shows it, as with an
    // outdated copy of a template, the values are equal.
    return leadsThere && (inside.length === 0 || differAt(old, next, inside));
  });
}

/** Whether two values differ at a path inside them, such as one variable of an environment. */
function differAt(old: unknown, next: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || containsUnknown(next)) return !isDeepStrictEqual(old, next);
  const [before, after] = [membersOf(old), membersOf(next)];
  const keys = key === "*" ? Object.keys({ ...before, ...after }) : [key];
  return keys.some((each) => differAt(ownMember(before, each), ownMember(after, each), rest));
}

const membersOf = (value: unknown): Properties => (isRecord(value) || Array.isArray(value) ? { ...value } : {});

/** The paths of an option that concern `path`, relative to it. A path that covers all of `path` becomes empty. */
export function optionWithin(paths: readonly (readonly string[])[], path: readonly string[]): string[] {
  return paths.flatMap((wanted) => {
    const isWithin = path.every((part, index) => [undefined, "*", part].includes(wanted[index]));
    return isWithin ? [joined(wanted.slice(path.length))] : [];
  });
}

/** The paths of the option `replaceOnChanges`, each split into its parts. */
export const replaceOnChanges = ({ __replaceOnChanges }: Properties): string[][] => pathsOf(__replaceOnChanges);

/** The paths of the option `ignoreChanges`, each split into its parts. */
export const ignoreChanges = ({ __ignoreChanges }: Properties): string[][] => pathsOf(__ignoreChanges);

/** Writes a property path from its parts. */
export const joined = (parts: readonly string[]): string => parts.map((part) => `["${part}"]`).join("");

const pathsOf = (option: unknown): string[][] => (Array.isArray(option) ? option.map(String).map(segments) : []);

/** Splits a property path such as `mounts.network[0].path` or `env["A"]`. */
function segments(pattern: string): string[] {
  return [...pattern.matchAll(/\["([^"]*)"\]|\[([^\]]*)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, name]) => quoted ?? index ?? name ?? "",
  );
}
