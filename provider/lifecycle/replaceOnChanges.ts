import type { Difference } from "./diff";
import type { Properties } from "./values";

/**
 * Whether Pulumi's option `replaceOnChanges` asks for a replacement. The engine would need the changed properties for
 * that, which dynamic resources can't tell it; the sdk sends the option along.
 */
export function replacedOnChange({ path }: Difference, next: Properties): boolean {
  const changed = path.split(".");
  return patternsOf(next).some((pattern) => {
    const wanted = segments(pattern);
    // A change of the whole is a change of all that lies in it.
    return wanted.slice(0, changed.length).every((part, index) => part === "*" || part === changed[index]);
  });
}

/** The option as it is for what lies at a path. */
export function replaceOnChangesWithin(next: Properties, path: readonly string[]): string[] {
  return patternsOf(next).flatMap((pattern) => {
    const wanted = segments(pattern);
    const isMeant = path.every((part, index) => [undefined, "*", part].includes(wanted[index]));
    const rest = wanted.slice(path.length).map((part) => `["${part}"]`);
    return isMeant ? [rest.join("")] : [];
  });
}

function patternsOf({ __replaceOnChanges: patterns }: Properties): string[] {
  return Array.isArray(patterns) ? patterns.map(String) : [];
}

/** Of a property path such as `mounts.network[0].path` or `env["A"]`. */
function segments(pattern: string): string[] {
  return [...pattern.matchAll(/\["([^"]*)"\]|\[([^\]]*)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, name]) => quoted ?? index ?? name ?? "",
  );
}
