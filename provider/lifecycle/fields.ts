import { z } from "zod";

/**
 * What a field's schema cannot say and every operation needs to know. Written beside the schema, so that a resource's
 * whole story is told in one place:
 *
 *   size: growsOnly("GB", z.int().min(10)),
 *   dataCenter: replaces(z.string()),
 */
export interface FieldFacts {
  /** `any`: every change inside replaces the resource. `presence`: only setting or removing it does. */
  readonly replaces?: "any" | "presence";
  /** The service never returns it: a read keeps what was declared. */
  readonly writeOnly?: true;
  /** A list that means a set: another order is no change. */
  readonly unordered?: true;
  /** A map in which the platform adds keys of its own: only declared keys are compared. */
  readonly declaredKeys?: true;
  /** Shrinking would lose data and is refused; the text is the unit. */
  readonly growsOnly?: string;
  /** A smaller number is only reached by a replacement. */
  readonly shrinkReplaces?: true;
  /** Left out, the service chooses: its choice is no difference. */
  readonly computed?: true;
  /** Steers the provider and is no property of the resource: never compared. */
  readonly control?: true;
  /** Never shown, not even in a list of what would change. */
  readonly secret?: true;
}

const facts = z.registry<FieldFacts>();

function withFacts<T extends z.ZodType>(schema: T, more: FieldFacts): T {
  const copy = schema.clone();
  facts.add(copy, { ...facts.get(schema), ...more });
  return copy;
}

export const replaces = <T extends z.ZodType>(schema: T): T => withFacts(schema, { replaces: "any" });
export const replacesWhenSwitched = <T extends z.ZodType>(schema: T): T => withFacts(schema, { replaces: "presence" });
export const writeOnly = <T extends z.ZodType>(schema: T): T => withFacts(schema, { writeOnly: true });
export const unordered = <T extends z.ZodType>(schema: T): T => withFacts(schema, { unordered: true });
export const declaredKeys = <T extends z.ZodType>(schema: T): T => withFacts(schema, { declaredKeys: true });
export const growsOnly = <T extends z.ZodType>(unit: string, schema: T): T => withFacts(schema, { growsOnly: unit });
export const shrinkReplaces = <T extends z.ZodType>(schema: T): T => withFacts(schema, { shrinkReplaces: true });
export const computedWhenOmitted = <T extends z.ZodType>(schema: T): T => withFacts(schema, { computed: true });
export const control = <T extends z.ZodType>(schema: T): T => withFacts(schema, { control: true });
export const secret = <T extends z.ZodType>(schema: T): T => withFacts(schema, { secret: true });

/** The facts of a field, gathered through `optional` and `default`. */
export function factsOf(schema: z.core.$ZodType): FieldFacts {
  const own = facts.get(schema) ?? {};
  return isWrapper(schema) ? { ...factsOf(schema.def.innerType), ...own } : own;
}

/** The schema under `optional` and `default`. */
export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  return isWrapper(schema) ? bare(schema.def.innerType) : schema;
}

/** The documented default, or undefined. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue;
  return schema instanceof z.ZodOptional ? defaultOf(schema.def.innerType) : undefined;
}

function isWrapper(schema: z.core.$ZodType): schema is z.ZodOptional | z.ZodDefault {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}

/** The names that may stand at a path inside a schema of objects and lists; empty where anything may. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const here = bare(schema);
  const [key, ...rest] = path;
  if (here instanceof z.ZodArray) return key === undefined ? [] : namesAt(here.element, rest);
  if (!(here instanceof z.ZodObject)) return [];
  if (key === undefined) return Object.keys(here.shape);
  const field = here.shape[String(key)];
  return field === undefined ? [] : namesAt(field, rest);
}
