import type { z } from "zod";
import { explain } from "../arguments/explain";
import { type CheckFailure, COMMON_INPUTS, type ResourceDefinition } from "./definition";
import { factsOf } from "./fields";
import { containsUnknown, tolerateUnknown } from "./unknown";
import { isObject, type Properties, withoutNulls } from "./values";

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
  definition: Pick<ResourceDefinition<Schema, Live>, "inputs" | "withDefaults" | "rules">,
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

/** A default of what steers the provider is not a part of the resource: it stays out of the state. */
function withoutUnstated(schema: z.ZodObject, parsed: Properties, stated: unknown): Properties {
  const given = isObject(stated) ? stated : {};
  return Object.fromEntries(
    Object.entries(parsed).filter(([key]) => {
      const field = schema.shape[key];
      return field === undefined || Object.hasOwn(given, key) || !factsOf(field).control;
    }),
  );
}

/** Checked inputs without those that are, or hold, unknowns: what rules and the catalog may judge. */
export function known<Inputs>(inputs: Properties): Partial<Inputs> {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => !containsUnknown(value))) as Partial<Inputs>;
}
