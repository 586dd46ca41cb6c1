import { z } from "../../../common/zod";
import { PLACEHOLDER } from "./unread";
import { valueAt } from "./values";
import { inWords } from "./zodMessages";

/**
 * What the engine sends in a preview in place of a value that is not known yet. It is the engine's own constant,
 * `rpc.unknownValue`; a unit test compares the two.
 */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const isUnknown = (value: unknown): boolean => value === UNKNOWN;

/** Whether a value is unknown or holds an unknown at any depth. */
export function containsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (value !== null && typeof value === "object") return Object.values(value).some(containsUnknown);
  return false;
}

/** How much of an argument a preview does not know yet. */
export type Unknown = false | "partly" | "wholly";

export const unknownIn = (value: unknown): Unknown =>
  isUnknown(value) ? "wholly" : containsUnknown(value) ? "partly" : false;

/**
 * The schema, accepting an unknown in place of any value. Known values keep their checks, defaults and messages, so a
 * preview finds every mistake that can be found before the first call.
 */
export function tolerateUnknown(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return z.optional(tolerateUnknown(schema.def.innerType));
  if (schema instanceof z.ZodDefault) {
    return new z.ZodDefault({ ...schema.def, innerType: tolerateUnknown(schema.def.innerType) });
  }
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, tolerateUnknown(field)]));
    return orUnknown(new z.ZodObject({ ...schema.def, shape }));
  }
  if (schema instanceof z.ZodArray) {
    return orUnknown(new z.ZodArray({ ...schema.def, element: tolerateUnknown(schema.def.element) }));
  }
  if (schema instanceof z.ZodRecord) {
    return orUnknown(new z.ZodRecord({ ...schema.def, valueType: tolerateUnknown(schema.def.valueType) }));
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    // Before the discriminator is known, no branch can be chosen and no field of it checked.
    const { discriminator } = schema.def;
    const options = schema.def.options.map((option) => withoutUnknownWrapper(option));
    const union = z.discriminatedUnion(discriminator, [options[0] ?? z.object(), ...options.slice(1)]);
    return orElse(union, (value) => isUnknown(value) || isUnknown(valueAt(value, [discriminator])));
  }
  return orUnknown(schema);
}

function withoutUnknownWrapper(schema: z.core.$ZodType): z.ZodObject {
  if (!(schema instanceof z.ZodObject)) throw new TypeError("only unions of objects are discriminated here");
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([key, field]) => [
      key,
      field instanceof z.ZodLiteral ? field : tolerateUnknown(field),
    ]),
  );
  return new z.ZodObject({ ...schema.def, shape });
}

function orUnknown(schema: z.core.$ZodType): z.ZodType {
  return orElse(schema, (value) => isUnknown(value) || value === PLACEHOLDER);
}

function orElse(schema: z.core.$ZodType, passes: (value: unknown) => boolean): z.ZodType {
  return z.unknown().transform((value, context) => {
    if (passes(value)) return value;
    const result = z.safeParse(schema, value, { error: inWords });
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      // An inner wrapper has attached the original issue already.
      const params = issue.code === "custom" && issue.params?.issue ? issue.params : { issue };
      context.issues.push({ code: "custom", message: issue.message, path: issue.path, input: value, params });
    }
    return z.NEVER;
  });
}
