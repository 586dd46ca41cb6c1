import { createHash } from "node:crypto";
import { withoutFlashBoot } from "../../../client";
import { MAX_NAME_LENGTH } from "../fields/fields";
import type { Properties } from "../fields/values";

/**
 * A generated name: the logical name and a hash. The same program generates the same name in every run. So a preview
 * shows the name, a plan holds it, and the run after a killed one knows what to look for.
 *
 * @param seed stands for the resource's place: organization, project, stack, parents, type and name
 * @param previous name of the resource that is replaced: both exist for a while and need different names
 */
function generatedName(logicalName: string, seed: string, previous = ""): string {
  const suffix = createHash("sha256").update(`${seed}\n${previous}`).digest("hex").slice(0, SUFFIX_LENGTH);
  return `${stem(logicalName)}-${suffix}`;
}

/**
 * The generated names of a place, in their order: the first, that of its first replacement, and so on.
 *
 * @param previous as in `generatedName`
 */
export function* generatedNames(logicalName: string, seed: string, previous?: string): Generator<string, never> {
  for (let name = generatedName(logicalName, seed, previous); ; name = generatedName(logicalName, seed, name))
    yield name;
}

/** How many replacements of one resource are followed: each rollout of a gated endpoint replaces its template. */
const MOST_REPLACEMENTS = 5_000;

/** The last of these names that was generated for a place. Undefined if none was. */
export function lastGeneratedName(
  names: Iterable<string>,
  logicalName: string,
  seed: string,
  most = MOST_REPLACEMENTS,
): string | undefined {
  const left = new Set([...names].filter((name) => looksGenerated(name, logicalName)));
  const places = generatedNames(logicalName, seed);
  let last: string | undefined;
  for (let tried = 0; left.size > 0 && tried <= most; tried++) {
    const name = places.next().value;
    if (left.delete(name)) last = name;
  }
  return last;
}

const SUFFIX_LENGTH = 7;

const stem = (logicalName: string): string => logicalName.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1);

/** Whether a name has the form of a generated one, whatever the resource. */
export const hasGeneratedForm = (name: string): boolean => /.-[0-9a-f]{7}$/.test(withoutFlashBoot(name));

/** Whether a name has the form of one that was generated for this logical name. */
export function looksGenerated(name: string, logicalName: string): boolean {
  return name.startsWith(`${stem(logicalName)}-`) && /^[0-9a-f]{7}$/.test(name.slice(stem(logicalName).length + 1));
}

/**
 * Drops `__logicalName`, the mark of a name that was left out, if the arguments have a name after all. A transform may
 * set one, and the class can't see that. A name that `ignoreChanges` restored is the generated one, so its mark stays.
 */
export function marked(old: Properties, args: Properties): Properties {
  const { __logicalName, ...declared } = args;
  return (args.name ?? undefined) === undefined || args.name === generatedNameIn(old) ? args : declared;
}

/** The generated name that a state holds; undefined if the program declared one. */
export function generatedNameIn(old: Properties): string | undefined {
  const isGenerated = old.__logicalName !== undefined;
  return isGenerated && typeof old.name === "string" ? old.name : undefined;
}
