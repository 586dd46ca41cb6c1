import type { z } from "zod";
import { cached } from "../../../common/cached";
import { isRecord } from "../../../common/json";
import { type AnyDefinition, type CheckFailure, COMMON_INPUTS } from "../definition";
import { factsOf } from "../fields/fields";
import { containsUnknown, tolerateUnknown, unknownIn } from "../fields/unknown";
import { membersWhere, type Properties, withoutNullMembers } from "../fields/values";
import { failuresOf } from "./failures";

/**
 * Arguments with defaults and name filled in, and the mistakes in them. Arguments that the schema refuses are returned as
 * given.
 */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

const tolerantOf = cached((inputs: z.ZodObject): z.ZodType => tolerateUnknown(inputs.extend(COMMON_INPUTS)));

/**
 * Checks arguments without a call to the service: types, limits, rules and defaults.
 *
 * @param generatedName name to use if none is given
 */
export function checkInputs(
  definition: Pick<AnyDefinition, "inputs" | "withDefaults" | "rules">,
  args: Properties,
  generatedName?: string,
): Checked {
  const schema = tolerantOf(definition.inputs);
  const failures = outputTexts(args);
  if (failures.length > 0) return { inputs: args, failures };
  const stated = withoutNullMembers(args);
  const result = schema.safeParse(stated);
  if (!result.success) {
    return {
      inputs: args,
      failures: result.error.issues.flatMap((issue) => failuresOf(issue, stated, definition.inputs)),
    };
  }
  const parsed = withoutUnstated(definition.inputs, isRecord(result.data) ? result.data : {}, stated);
  const inputs: Record<string, unknown> = { ...(definition.withDefaults?.(parsed) ?? parsed) };
  if (inputs.name === undefined && generatedName !== undefined) inputs.name = generatedName;
  // Rules can judge only what is known.
  const withoutUnknowns = membersWhere(inputs, ([, value]) => !containsUnknown(value));
  return { inputs, failures: definition.rules?.(withoutUnknowns, (field) => unknownIn(inputs[field])) ?? [] };
}

/**
 * Drops defaults of control arguments. These steer the provider and are not part of the resource, so the state does not
 * hold them.
 */
function withoutUnstated(schema: z.ZodObject, parsed: Properties, stated: Properties): Properties {
  return membersWhere(parsed, ([key]) => {
    const field = schema.shape[key];
    return field === undefined || Object.hasOwn(stated, key) || !factsOf(field).control;
  });
}

/** What an output becomes in a text, by the SDK that wrote it, and what to write instead. */
const TEXTS: readonly (readonly [written: RegExp, wayOut: string])[] = [
  [
    /Calling \[to(String|JSON)\] on an \[Output<T>\]/,
    "use pulumi.interpolate`…` with the output in it, or output.apply(…)",
  ],
  [/Calling _{2}str_{2} on an Output\[T\]/, 'use pulumi.Output.format("…{0}…", output), or output.apply(…)'],
  [/\{(%!\w\(\*internal\.OutputState=)?0xc[\da-f]{6,}\)?\}/, 'use pulumi.Sprintf("…%v…", output), or ApplyT'],
];

/** Refuses arguments, at any depth, that hold the text of an output in place of its value. No valid argument does. */
function outputTexts(value: unknown, path: readonly string[] = []): CheckFailure[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, member]) => outputTexts(member, [...path, key]));
  if (typeof value !== "string") return [];
  // mutant output-as-text: undefined
  const text = TEXTS.find(([written]) => written.test(value));
  if (text === undefined) return [];
  return [{ property: path.join("."), reason: `holds an output as text, which has no value there: ${text[1]}` }];
}
