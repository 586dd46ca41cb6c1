import { z } from "zod";
import { descriptionOf, type FieldFacts, factsOf, jsonMembers } from "../../provider/lifecycle/fields/fields";
import { catalogNames } from "./catalogNames";

/*
 * Definitions as all parts of the generator read them: named types, and fields with their texts. Only this file looks
 * into Zod's own classes.
 */

export type Type =
  | { readonly is: "string" | "integer" | "number" | "boolean" | "any" }
  /** A text with known values. If it is open, other values are accepted, because the service may add some. */
  | { readonly is: "choice"; readonly name?: string; readonly values: readonly string[]; readonly open: boolean }
  | { readonly is: "list"; readonly of: Type }
  | { readonly is: "map"; readonly of: Type }
  | ObjectType
  | {
      readonly is: "union";
      readonly name?: string;
      readonly description?: string;
      readonly of: readonly Type[];
      readonly discriminator?: string;
    };

export interface ObjectType {
  readonly is: "object";
  readonly name?: string;
  readonly description?: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** May be left out. */
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly description: string | undefined;
  /** The value that it has if it is left out, as the schema says. */
  readonly byDefault: unknown;
  readonly facts: FieldFacts;
  /** Of a JSON text: the members of the value that it is of. */
  readonly members: readonly string[];
}

/** The side of a schema: `input` is what is given, `output` what parsing makes of it. */
export type Side = "input" | "output";

/** The fields of an object, in the order of their declaration. */
export function fieldsOf(schema: z.ZodObject, side: Side): Field[] {
  return Object.entries(schema.shape).map(([name, field]) => readField(name, field, side));
}

function readField(name: string, field: z.core.$ZodType, side: Side): Field {
  const facts = factsOf(field);
  return {
    name,
    type: typeOf(field, side),
    optional: isOptional(field, side),
    nullable: wrapped(field).some((each) => each instanceof z.ZodNullable),
    description: descriptionOf(field),
    byDefault: facts.initially ?? defaultOf(field),
    facts,
    members: jsonMembers(field),
  };
}

/** The type of a schema, without its optional and nullable wrappers. */
export function typeOf(schema: z.core.$ZodType, side: Side): Type {
  const inner = wrapped(schema).at(-1) ?? schema;
  const { catalogued, typeName: name } = factsOf(schema);
  const ofCatalog = catalogued && catalogNames.get(catalogued.kind);
  if (ofCatalog !== undefined) return { is: "choice", name: ofCatalog.type, values: ofCatalog.suggestions, open: true };
  const named = name === undefined ? {} : { name };
  const description = descriptionOf(inner);
  const described = description === undefined ? {} : { description };
  if (inner instanceof z.ZodObject) return { is: "object", ...named, ...described, fields: fieldsOf(inner, side) };
  if (inner instanceof z.ZodArray) return { is: "list", of: typeOf(inner.element, side) };
  if (inner instanceof z.ZodRecord) return { is: "map", of: typeOf(inner.valueType, side) };
  if (inner instanceof z.ZodEnum) return { is: "choice", ...named, values: inner.options.map(String), open: false };
  if (inner instanceof z.ZodLiteral) return { is: "choice", values: [...inner.values].map(String), open: false };
  if (inner instanceof z.ZodUnion) return unionOf(inner, side, { ...named, ...described });
  if (inner instanceof z.ZodNumber) return { is: inner.isInt ? "integer" : "number" };
  if (inner instanceof z.ZodBoolean) return { is: "boolean" };
  if (inner instanceof z.ZodString || inner instanceof z.ZodStringFormat) return { is: "string" };
  if (inner instanceof z.ZodUnknown) return { is: "any" };
  throw new TypeError(`a schema of type ${inner._zod.def.type} can't be shown; teach ${__filename} what it is`);
}

function unionOf(union: z.ZodUnion, side: Side, about: { name?: string; description?: string }): Type {
  const of = union.options.map((option) => typeOf(option, side));
  const [choice] = of;
  // Known values or any other text: an open choice.
  if (of.length === 2 && choice?.is === "choice" && of[1]?.is === "string") return { ...choice, ...about, open: true };
  return {
    is: "union",
    ...about,
    of,
    ...(union instanceof z.ZodDiscriminatedUnion && { discriminator: union.def.discriminator }),
  };
}

/** The schema and all schemas that it wraps, the innermost last. */
function wrapped(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodCatch
  ) {
    return [schema, ...wrapped(schema.def.innerType)];
  }
  return [schema];
}

function isOptional(schema: z.core.$ZodType, side: Side): boolean {
  return wrapped(schema).some(
    (each) => each instanceof z.ZodOptional || (side === "input" && each instanceof z.ZodDefault),
  );
}

function defaultOf(schema: z.core.$ZodType): unknown {
  const withDefault = wrapped(schema).find((each) => each instanceof z.ZodDefault);
  return withDefault instanceof z.ZodDefault ? withDefault.def.defaultValue : undefined;
}
