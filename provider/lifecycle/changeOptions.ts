import { isDeepStrictEqual } from "node:util";
import type { Difference } from "./diff";
import { containsUnknown } from "./unknown";
import { isObject, ownMember, type Properties } from "./values";

/**
 * Whether Pulumi's option `replaceOnChanges` asks for a replacement. The engine would need the changed properties for
 * that, which dynamic resources can't tell it; the sdk sends the option along.
 */
export function replacedOnChange(difference: Difference, { __replaceOnChanges }: Properties): boolean {
  return isMeant(difference, texts(__replaceOnChanges));
}

/**
 * Whether Pulumi's option `ignoreChanges` names what differs. The engine gives such arguments their old values by itself;
 * of a difference that no argument shows it knows nothing.
 */
export function ignored(difference: Difference, { __ignoreChanges }: Properties): boolean {
  return isMeant(difference, texts(__ignoreChanges));
}

function isMeant({ path, old, next }: Difference, patterns: readonly string[]): boolean {
  const changed = path.split(".");
  return patterns.some((pattern) => {
    const wanted = segments(pattern);
    const leadsThere = wanted.slice(0, changed.length).every((part, index) => part === "*" || part === changed[index]);
    const inside = wanted.slice(changed.length);
    // A difference that no argument shows, as of a copy from its template, is one although the values are the same.
    return leadsThere && (inside.length === 0 || differAt(old, next, inside));
  });
}

/** Whether two values that differ do so in what lies at a path of them, such as one variable of an environment. */
function differAt(old: unknown, next: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || containsUnknown(next)) return !isDeepStrictEqual(old, next);
  const [before, after] = [membersOf(old), membersOf(next)];
  const keys = key === "*" ? Object.keys({ ...before, ...after }) : [key];
  return keys.some((each) => differAt(ownMember(before, each), ownMember(after, each), rest));
}

function membersOf(value: unknown): Properties {
  return isObject(value) || Array.isArray(value) ? { ...value } : {};
}

/** The paths of an option as they are for what lies at one of them. */
export function optionWithin(paths: readonly (readonly string[])[], path: readonly string[]): string[] {
  return paths.flatMap((wanted) => {
    const isWithin = path.every((part, index) => [undefined, "*", part].includes(wanted[index]));
    return isWithin ? [joined(wanted.slice(path.length))] : [];
  });
}

/** The paths of the option `replaceOnChanges`, each by its parts. */
export function replaceOnChanges({ __replaceOnChanges }: Properties): string[][] {
  return texts(__replaceOnChanges).map(segments);
}

/** The paths of the option `ignoreChanges`, each by its parts. */
export function ignoreChanges({ __ignoreChanges }: Properties): string[][] {
  return texts(__ignoreChanges).map(segments);
}

/** A property path of its parts. */
export function joined(parts: readonly string[]): string {
  return parts.map((part) => `["${part}"]`).join("");
}

function texts(patterns: unknown): string[] {
  return Array.isArray(patterns) ? patterns.map(String) : [];
}

/** Of a property path such as `mounts.network[0].path` or `env["A"]`. */
function segments(pattern: string): string[] {
  return [...pattern.matchAll(/\["([^"]*)"\]|\[([^\]]*)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, name]) => quoted ?? index ?? name ?? "",
  );
}
