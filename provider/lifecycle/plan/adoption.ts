import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { isRecord } from "../../../common/json";
import { type AnyDefinition, type Context, markedSecrets } from "../definition";
import type { Difference } from "../fields/difference";
import { factsOf } from "../fields/fields";
import { containsUnknown } from "../fields/unknown";
import type { Properties } from "../fields/values";
import { differences, refreshed } from "./diff";

/** An existing resource, compared with the arguments that would adopt it. */
export interface AdoptionPlan {
  readonly live: { readonly id: string };
  readonly differences: readonly Difference[];
  /** Keys that the resource has and the program doesn't declare, such as variables. They stay. */
  readonly undeclared: readonly string[];
}

/**
 * Reads an existing resource and compares it with the arguments. It writes nothing. The plan does not bind anybody: the
 * adoption itself reads and compares again.
 *
 * @throws Error if the resource doesn't exist, or if only a replacement could bring it to the arguments
 */
export async function planAdoption(
  definition: AnyDefinition,
  context: Context,
  id: string,
  inputs: Properties,
): Promise<AdoptionPlan> {
  const { kind, inputs: schema } = definition;
  const live = await definition.read(context, id, inputs);
  if (live === undefined) throw new Error(`there is no ${kind} "${id}" in this account. Check the id.`);
  refuseUnfit(definition, live);
  const liveArgs = definition.observe(live, inputs);
  const observed = refreshed(schema, inputs, liveArgs);
  const allDifferences = [...differences(schema, observed, inputs), ...unreadable(schema, inputs, liveArgs)];
  // Outputs of other resources may not be known in a preview.
  const knownDifferences = allDifferences.filter(({ next }) => !containsUnknown(next));
  const fixed = knownDifferences.filter((each) => each.replaces || definition.update === undefined || shrinks(each));
  if (fixed.length > 0) {
    throw new Error(`${kind} "${id}" ${fixedText(fixed, inputs)}`);
  }
  return { live, differences: allDifferences, undeclared: undeclaredKeys(schema, inputs, liveArgs) };
}

/** Why arguments do not fit an existing resource that is taken over, and the way out. */
export function fixedText(fixed: readonly Difference[], inputs: Properties): string {
  return `can't be brought to these arguments in place: ${differenceText(fixed, inputs)}. Declare these values as they are.`;
}

/** @throws Error if the existing resource can't be managed as this kind */
export function refuseUnfit({ kind, adoption }: AnyDefinition, live: { readonly id: string }): void {
  const reason = adoption === "none" ? undefined : adoption.unfit?.(live);
  if (reason !== undefined) throw new Error(`${kind} "${live.id}" ${reason}`);
}

/**
 * Write-only arguments as differences. The service never shows them, so an adoption sends them once to be sure that they
 * hold. Those that `observe` shows as equal are left out.
 */
function unreadable(schema: z.ZodObject, inputs: Properties, liveArgs: Properties): Difference[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const facts = factsOf(field);
    const next = inputs[key];
    if (!facts.writeOnly || facts.trigger || facts.replaces !== undefined || next === undefined) return [];
    if (key in liveArgs && isDeepStrictEqual(liveArgs[key], next)) return [];
    return [{ path: key, field: key, old: undefined, next, replaces: false, facts }];
  });
}

function undeclaredKeys(schema: z.ZodObject, inputs: Properties, liveArgs: Properties): string[] {
  return Object.entries(schema.shape).flatMap(([field, type]) => {
    const now = liveArgs[field];
    const mine = inputs[field];
    if (!factsOf(type).declaredKeys || !isRecord(now)) return [];
    return Object.keys(now).filter((key) => !isRecord(mine) || !Object.hasOwn(mine, key));
  });
}

/** Whether a number that may only grow would become smaller. */
export function shrinks({ facts, old, next }: Difference): boolean {
  // mutant volume-shrinks: false
  return facts.growsOnly !== undefined && typeof old === "number" && typeof next === "number" && next < old;
}

export function differenceText(changes: readonly Difference[], inputs: Properties): string {
  return changes.map((each) => lineOf(each, inputs)).join(", ");
}

/** Such as `size 100 -> 200`. A secret's values are never shown, because the text goes to the terminal and its logs. */
function lineOf({ path, field, old, next, facts }: Difference, inputs: Properties): string {
  // mutant secrets-in-differences: false
  if (facts.secret || markedSecrets(inputs).includes(field)) return `${path} (secret)`;
  return `${path} ${facts.writeOnly ? "(not readable)" : show(old)} -> ${show(next)}`;
}

function show(value: unknown): string {
  if (value === undefined) return "(none)";
  return containsUnknown(value) ? "(known after the update)" : JSON.stringify(value);
}
