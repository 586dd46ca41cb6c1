import type { z } from "zod";
import type { AnyDefinition, Run } from "../definition";
import { isChosen, notes } from "../fields/declared";
import type { Difference } from "../fields/difference";
import { factsOf, without } from "../fields/fields";
import { PLACEHOLDER, unreadIn } from "../fields/unread";
import type { Properties } from "../fields/values";
import { shrinks } from "./adoption";
import { ignored, replacedOnChange } from "./changeOptions";
import { differences } from "./diff";

/**
 * Compares the recorded with the declared arguments. `changes` is what an update or a replacement has to change. `drift` is
 * what only a replacement could repair, and the program did not ask for one: it is reported, not repaired.
 */
export function compare(
  definition: AnyDefinition,
  old: Properties,
  next: Properties,
  run: Run,
): { changes: readonly Difference[]; drift: readonly Difference[] } {
  const all = allDifferences(definition, old, next, run);
  const noted = notes(old);
  if (Object.keys(noted).length === 0) return { changes: all, drift: [] };
  const programChanges = allDifferences(definition, { ...old, ...noted }, next, run);
  const isDrift = (each: Difference) =>
    each.field in noted && isDrastic(definition, each) && !programChanges.some(({ path }) => isWithin(path, each.path));
  return { changes: all.filter((each) => !isDrift(each)), drift: all.filter(isDrift) };
}

export function allDifferences(
  definition: AnyDefinition,
  old: Properties,
  next: Properties,
  run: Run,
): readonly Difference[] {
  const { inputs: schema } = definition;
  // A state written before an argument existed counts as having its default, even one that depends on other arguments.
  // Arguments that steer the provider say what this run wants, not what was recorded.
  const complete = definition.withDefaults?.(without(schema, old, ["control"])) ?? old;
  const unread = unreadIn(old);
  const changes = [...differences(schema, complete, next), ...withdrawn(schema, old, next)].filter(
    ({ path, old: before }) => before !== PLACEHOLDER && !unread.some((one) => isWithin(path, one)),
  );
  if (definition.differences === undefined) return changes;
  const paths = new Set(changes.map(({ path }) => path));
  return definition.differences(changes, old, next, run).filter((each) => paths.has(each.path) || !ignored(each, next));
}

/** Whether the resource does something else after these changes. */
export function revises(changes: readonly Difference[]): boolean {
  return changes.some(({ keepsRevision }) => keepsRevision !== true);
}

/** Whether this difference replaces the resource. */
export function isReplacing({ update }: AnyDefinition, difference: Difference, next: Properties): boolean {
  return difference.replaces || update === undefined || replacedOnChange(difference, next);
}

/** Whether a difference can't be repaired in place. */
export function isDrastic({ update }: Pick<AnyDefinition, "update">, difference: Difference): boolean {
  return difference.replaces || update === undefined || shrinks(difference);
}

/**
 * Whether the program now declares the value that an argument drifted to. Nothing is sent for that, but the state has to
 * record it.
 */
export function acceptsDrift(definition: AnyDefinition, old: Properties, next: Properties, run: Run): boolean {
  const drifted = Object.keys(notes(old)).filter((field) => !isChosen(definition.inputs.shape[field]));
  if (drifted.length === 0) return false;
  const { drift } = compare(definition, old, next, run);
  return drifted.some((field) => !drift.some((each) => each.field === field));
}

/** Arguments that the program no longer declares, so that the service chooses their values again. */
function withdrawn(schema: z.ZodObject, old: Properties, next: Properties): Difference[] {
  return Object.keys(notes(old)).flatMap((field): Difference[] => {
    const facts = factsOf(schema.shape[field]);
    if (next[field] !== undefined || !facts.computed || facts.replaces !== undefined) return [];
    return [{ path: field, field, old: old[field], next: undefined, replaces: false, facts }];
  });
}

/** Whether two dotted paths are equal or one contains the other. */
function isWithin(one: string, other: string): boolean {
  return `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);
}
