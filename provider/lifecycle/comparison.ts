import type { z } from "zod";
import { shrinks } from "./adoption";
import { ignored, replacedOnChange } from "./changeOptions";
import { isChosen, notes } from "./declared";
import type { ResourceDefinition } from "./definition";
import { type Difference, differences } from "./diff";
import { factsOf } from "./fields";
import { PLACEHOLDER, unreadIn } from "./unread";
import type { Properties } from "./values";

/** Compares the recorded with the declared arguments of one kind. */
export class Comparison<Schema extends z.ZodObject, Live extends { id: string }, Outputs extends z.ZodObject> {
  constructor(private readonly definition: ResourceDefinition<Schema, Live, Outputs>) {}

  /**
   * Splits the differences. `found` is what an update or a replacement has to change. `drift` is what only a replacement
   * could repair, and the program did not ask for one: it is reported, not repaired.
   */
  of(old: Properties, next: Properties): { found: Difference[]; drift: Difference[] } {
    const all = this.all(old, next);
    const kept = notes(old);
    const asked = this.all({ ...old, ...kept }, next);
    const isDrift = (each: Difference) =>
      each.field in kept && this.isDrastic(each) && !asked.some(({ path }) => isWithin(path, each.path));
    return { found: all.filter((each) => !isDrift(each)), drift: all.filter(isDrift) };
  }

  all(old: Properties, next: Properties): Difference[] {
    const { inputs: schema, isMet, further } = this.definition;
    // A state written before an argument existed counts as having its default, even one that depends on other arguments.
    // Arguments that steer the provider, such as a schedule, say what this run wants, not what was recorded.
    const steers = (field: string) => field in schema.shape && factsOf(schema.shape[field]).control === true;
    const recorded = Object.fromEntries(Object.entries(old).filter(([field]) => !steers(field)));
    const complete = this.definition.withDefaults?.(recorded) ?? recorded;
    const unread = unreadIn(old);
    const found = [...differences(schema, complete, next), ...withdrawn(schema, old, next)]
      .filter((each) => !isMet?.(each, old))
      .filter(({ path, old: before }) => before !== PLACEHOLDER && !unread.some((one) => isWithin(path, one)));
    return [...found, ...(further?.(old, next) ?? []).filter((each) => !ignored(each, next))];
  }

  /** Whether the resource does something else after these changes. Workers by the clock are the same ones. */
  revises(found: readonly Difference[], { schedule }: Properties): boolean {
    const { byClock = [] } = this.definition;
    return found.some(({ path }) => schedule === undefined || !byClock.includes(path));
  }

  /** Whether this difference replaces the resource. */
  replaces(difference: Difference, next: Properties): boolean {
    return difference.replaces || this.definition.update === undefined || replacedOnChange(difference, next);
  }

  /** Whether a difference can't be repaired in place. */
  isDrastic(difference: Difference): boolean {
    return difference.replaces || this.definition.update === undefined || shrinks(difference);
  }

  /**
   * Whether the program now declares the value that an argument drifted to. Nothing is sent for that, but the state has
   * to record it.
   */
  isAccepted(old: Properties, next: Properties): boolean {
    const drifted = Object.keys(notes(old)).filter((field) => !isChosen(this.definition.inputs.shape[field]));
    if (drifted.length === 0) return false;
    const { drift } = this.of(old, next);
    return drifted.some((field) => !drift.some((each) => each.field === field));
  }
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
