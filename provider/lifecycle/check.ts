import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import { type CheckFailure, COMMON_INPUTS, type ResourceDefinition } from "./definition";
import { factsOf, namesAt } from "./fields";
import { containsUnknown, tolerateUnknown } from "./unknown";
import { isObject, type Properties, valueAt, withoutNulls } from "./values";

/** Arguments as checked: complete with defaults and name, or the list of what is wrong with them. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

const tolerant = new WeakMap<z.ZodObject, z.ZodType>();

/**
 * Checks arguments without any call: types, limits, rules and defaults.
 *
 * @param madeUp the name where none is given
 */
export function checkInputs<Schema extends z.ZodObject, Live extends { id: string }>(
  definition: ResourceDefinition<Schema, Live>,
  given: Properties,
  madeUp?: string,
): Checked {
  const schema = tolerant.get(definition.inputs) ?? tolerateUnknown(definition.inputs.extend(COMMON_INPUTS));
  tolerant.set(definition.inputs, schema);

  const stated = withoutNulls(given);
  const result = schema.safeParse(stated);
  if (!result.success) {
    return {
      inputs: given,
      failures: result.error.issues.flatMap((issue) => explain(issue, stated, definition.inputs)),
    };
  }
  const parsed = withoutUnstated(definition.inputs, isObject(result.data) ? result.data : {}, stated);
  const inputs: Record<string, unknown> = { ...(definition.withDefaults?.(parsed) ?? parsed) };
  if (inputs.name === undefined && madeUp !== undefined) inputs.name = madeUp;
  const failures = definition.rules?.(known(inputs), (field) => containsUnknown(inputs[String(field)])) ?? [];
  return { inputs, failures };
}

/** A default of what steers the provider is no part of the resource: it stays out of the state. */
function withoutUnstated(schema: z.ZodObject, parsed: Properties, stated: unknown): Properties {
  const given = isObject(stated) ? stated : {};
  return Object.fromEntries(
    Object.entries(parsed).filter(([key]) => {
      const field = schema.shape[key];
      return field === undefined || key in given || !factsOf(field).control;
    }),
  );
}

/** Checked inputs without those that are, or hold, unknowns: what rules and the catalog may judge. */
export function known<Inputs>(inputs: Properties): Partial<Inputs> {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => !containsUnknown(value))) as Partial<Inputs>;
}

/** A mistake that zod found, by property and in words that say the way out. */
export function explain(issue: z.core.$ZodIssue, inputs: unknown, schema: z.ZodObject): CheckFailure[] {
  const property = issue.path.map(String).join(".");
  const original = issue.code === "custom" && isIssue(issue.params?.issue) ? issue.params.issue : issue;
  if (original.code === "unrecognized_keys") {
    const known = namesAt(schema, issue.path);
    return original.keys.map((key) => ({
      property: [...issue.path.map(String), key].join("."),
      reason: `is no argument here${suggestion(key, known)}`,
    }));
  }
  if (original.code === "invalid_type" && valueAt(inputs, issue.path) === undefined) {
    return [{ property, reason: `is required (${original.expected})` }];
  }
  if (original.code === "invalid_value") {
    const given = valueAt(inputs, issue.path);
    const allowed = original.values.map((value) => JSON.stringify(value)).join(", ");
    return [
      {
        property,
        reason: `must be one of ${allowed}${given === undefined ? "" : suggestion(String(given), original.values.map(String))}`,
      },
    ];
  }
  return [{ property, reason: issue.message }];
}

function isIssue(value: unknown): value is z.core.$ZodIssue {
  return isObject(value) && typeof value.code === "string";
}

/** `; did you mean "x"?` for the nearest candidate that is near enough to be meant, otherwise the candidates. */
export function suggestion(given: string, candidates: readonly string[]): string {
  const nearest = candidates
    .map((candidate) => ({ candidate, far: distance(given.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)[0];
  if (nearest !== undefined && nearest.far <= Math.max(2, given.length / 3))
    return `; did you mean "${nearest.candidate}"?`;
  return candidates.length === 0 ? "" : `; known: ${candidates.join(", ")}`;
}
