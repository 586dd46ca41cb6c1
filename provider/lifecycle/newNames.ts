import { z } from "zod";
import { bare, factsOf } from "./fields";
import { isObject, type Properties } from "./values";

/** An argument that a program or a state still has under its old name. */
export interface OldName {
  /** Dotted paths. */
  readonly old: string;
  readonly now: string;
  /** The argument is there under both names. */
  readonly isTwice: boolean;
}

const deprecating = new WeakMap<z.core.$ZodType, boolean>();

/** Whether any argument, at any depth, has an old name. */
function hasOldNames(schema: z.core.$ZodType): boolean {
  const known = deprecating.get(schema);
  if (known !== undefined) return known;
  const has = inner(schema).some(([, field]) => factsOf(field).deprecates !== undefined || hasOldNames(field));
  deprecating.set(schema, has);
  return has;
}

/**
 * The properties with every argument under its current name. If both names are there, the value of the current one
 * counts.
 *
 * @param found called for each old name
 */
export function withNewNames(
  schema: z.ZodObject,
  properties: Properties,
  found: (name: OldName) => void = () => {},
  prefix = "",
): Properties {
  if (!hasOldNames(schema)) return properties;
  const renamed: Record<string, unknown> = { ...properties };
  for (const [key, field] of Object.entries(schema.shape)) {
    const { deprecates } = factsOf(field);
    if (deprecates !== undefined && Object.hasOwn(renamed, deprecates)) {
      const { [deprecates]: value } = renamed;
      delete renamed[deprecates];
      const isTwice = (renamed[key] ?? undefined) !== undefined;
      if (!isTwice) renamed[key] = value;
      found({ old: prefix + deprecates, now: prefix + key, isTwice });
    }
    if (Object.hasOwn(renamed, key)) renamed[key] = within(field, renamed[key], found, `${prefix}${key}.`);
  }
  return renamed;
}

function within(schema: z.core.$ZodType, value: unknown, found: (name: OldName) => void, prefix: string): unknown {
  const here = bare(schema);
  if (!hasOldNames(here)) return value;
  if (here instanceof z.ZodObject) return isObject(value) ? withNewNames(here, value, found, prefix) : value;
  if (here instanceof z.ZodArray && Array.isArray(value))
    return value.map((each, index) => within(here.element, each, found, `${prefix}${index}.`));
  if (here instanceof z.ZodRecord && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, within(here.valueType, each, found, `${prefix}${key}.`)]),
    );
  return value;
}

function inner(schema: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] {
  const here = bare(schema);
  if (here instanceof z.ZodObject) return Object.entries(here.shape);
  if (here instanceof z.ZodArray) return [["", here.element]];
  return here instanceof z.ZodRecord ? [["", here.valueType]] : [];
}
