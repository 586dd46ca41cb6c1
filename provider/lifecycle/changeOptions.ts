import type { Difference } from "./diff";
import type { Properties } from "./values";

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

function isMeant({ path }: Difference, patterns: readonly string[]): boolean {
  const changed = path.split(".");
  return patterns.some((pattern) => {
    const wanted = segments(pattern);
    // A change of the whole is a change of all that lies in it.
    return wanted.slice(0, changed.length).every((part, index) => part === "*" || part === changed[index]);
  });
}

/** The option as it is for what lies at a path. */
export function replaceOnChangesWithin({ __replaceOnChanges }: Properties, path: readonly string[]): string[] {
  return texts(__replaceOnChanges).flatMap((pattern) => {
    const wanted = segments(pattern);
    const isWithin = path.every((part, index) => [undefined, "*", part].includes(wanted[index]));
    const rest = wanted.slice(path.length).map((part) => `["${part}"]`);
    return isWithin ? [rest.join("")] : [];
  });
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
