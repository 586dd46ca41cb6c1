import type { z } from "zod";
import type { Context, ResourceDefinition } from "./definition";
import { type Difference, differences, refreshed } from "./diff";
import { factsOf } from "./fields";
import type { Properties } from "./values";

/** An existing resource beside the arguments that would take it over. */
export interface AdoptionPlan<Live> {
  readonly live: Live;
  readonly differences: readonly Difference[];
}

/**
 * Reads what `adoptId` names and compares it with the arguments; nothing is written.
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
  if (live === undefined) {
    throw new Error(
      `adoptId: there is no ${kind} "${id}" in this account. Check the id, or remove adoptId to create one.`,
    );
  }
  const observed = refreshed(schema, inputs, definition.observe(live, inputs));
  const found = [...differences(schema, observed, inputs), ...unreadable(schema, inputs)];
  const fixed = found.filter((difference) => difference.replaces || definition.update === undefined);
  if (fixed.length > 0) {
    throw new Error(
      `adoptId: ${kind} "${id}" can't be brought to these arguments in place: ${fixed.map(describe).join(", ")}. ` +
        "Declare these values as they are, or remove adoptId to create a new one.",
    );
  }
  return { live, differences: found };
}

/** Arguments that the service takes but never shows are sent once, so that they hold from the adoption on. */
function unreadable(schema: z.ZodObject, inputs: Properties): Difference[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const facts = factsOf(field);
    const next = inputs[key];
    if (!facts.writeOnly || facts.replaces !== undefined || next === undefined) return [];
    return [{ path: key, field: key, old: undefined, next, replaces: false, facts }];
  });
}

/** `workersMax 3 -> 5`; a secret's values are not shown. */
export function describe({ path, old, next, facts }: Difference): string {
  if (facts.secret) return `${path} (secret)`;
  return `${path} ${facts.writeOnly ? "(not readable)" : show(old)} -> ${show(next)}`;
}

function show(value: unknown): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}
