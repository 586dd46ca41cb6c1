import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { type Context, markedSecrets, type ResourceDefinition } from "./definition";
import { type Difference, differences, refreshed } from "./diff";
import { factsOf } from "./fields";
import { containsUnknown } from "./unknown";
import { isObject, type Properties } from "./values";

/** An existing resource beside the arguments that would take it over. */
export interface AdoptionPlan<Live> {
  readonly live: Live;
  readonly differences: readonly Difference[];
  /** Variables that are there and not declared: they stay. */
  readonly undeclared: readonly string[];
}

/**
 * Reads an existing resource and compares it with the arguments; nothing is written.
 *
 * @throws Error when it doesn't exist, or when it could only be matched by a replacement
 */
export async function planAdoption<Schema extends z.ZodObject, Live extends { id: string }>(
  definition: ResourceDefinition<Schema, Live>,
  context: Context,
  id: string,
  inputs: Properties,
): Promise<AdoptionPlan<Live>> {
  const { kind, inputs: schema } = definition;
  const live = await definition.read(context, id, inputs);
  if (live === undefined) throw new Error(`there is no ${kind} "${id}" in this account. Check the id.`);
  const shown = definition.observe(live, inputs);
  const observed = refreshed(schema, inputs, shown);
  const found = [...differences(schema, observed, inputs), ...unreadable(schema, inputs, shown)];
  // What comes of another resource of the same run isn't known in a preview.
  const known = found.filter(({ next }) => !containsUnknown(next));
  const fixed = known.filter((each) => each.replaces || definition.update === undefined || shrinks(each));
  if (fixed.length > 0) {
    throw new Error(
      `${kind} "${id}" can't be brought to these arguments in place: ${differenceText(fixed, inputs)}. ` +
        "Declare these values as they are.",
    );
  }
  return { live, differences: found, undeclared: undeclaredKeys(schema, inputs, shown) };
}

/**
 * Arguments that the service takes but never shows are sent once, so that they hold from the adoption on; but for those
 * that `observe` could tell to hold already.
 */
function unreadable(schema: z.ZodObject, inputs: Properties, shown: Properties): Difference[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const facts = factsOf(field);
    const next = inputs[key];
    if (!facts.writeOnly || facts.trigger || facts.replaces !== undefined || next === undefined) return [];
    if (key in shown && isDeepStrictEqual(shown[key], next)) return [];
    return [{ path: key, field: key, old: undefined, next, replaces: false, facts }];
  });
}

function undeclaredKeys(schema: z.ZodObject, inputs: Properties, shown: Properties): string[] {
  return Object.entries(schema.shape).flatMap(([field, type]) => {
    const now = shown[field];
    const mine = inputs[field];
    if (!factsOf(type).declaredKeys || !isObject(now)) return [];
    return Object.keys(now).filter((key) => !isObject(mine) || !Object.hasOwn(mine, key));
  });
}

/** A number that may only grow would become smaller. */
export function shrinks({ facts, old, next }: Difference): boolean {
  return facts.growsOnly !== undefined && typeof old === "number" && typeof next === "number" && next < old;
}

export function differenceText(found: readonly Difference[], inputs: Properties): string {
  return found.map((each) => describe(each, inputs)).join(", ");
}

/** `workersMax 3 -> 5`; a secret's values are not shown. */
function describe({ path, field, old, next, facts }: Difference, inputs: Properties): string {
  if (facts.secret || markedSecrets(inputs).includes(field)) return `${path} (secret)`;
  return `${path} ${facts.writeOnly ? "(not readable)" : show(old)} -> ${show(next)}`;
}

function show(value: unknown): string {
  if (value === undefined) return "(none)";
  return containsUnknown(value) ? "(known after the update)" : JSON.stringify(value);
}
