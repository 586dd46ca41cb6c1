import { isRecord } from "../../common/json";

/** What a JSON schema says about a value, as far as two sides can disagree about it. */
export interface Shape {
  /** Undefined: anything. */
  readonly types: ReadonlySet<string> | undefined;
  /** The values of an enum. */
  readonly words: ReadonlySet<string> | undefined;
  /** Limits, defaults and deprecation. Alternatives may give one of them several values. */
  readonly facets: ReadonlyMap<string, readonly unknown[]>;
  /** Whether the object around it must have it. */
  readonly required: boolean;
  /** What it contains: `.name` is a property, `[]` the items of a list, `.*` the values of a map. */
  readonly parts: ReadonlyMap<string, Shape>;
}

export type Json = Readonly<Record<string, unknown>>;

const anything: Shape = { types: undefined, words: undefined, facets: new Map(), required: false, parts: new Map() };

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const record = (value: unknown): Json => (isRecord(value) ? value : {});

/** A part of a document, or what its `$ref` stands for. */
export function resolve(value: unknown, document: Json): unknown {
  if (!isRecord(value) || typeof value.$ref !== "string") return value;
  return value.$ref
    .split("/")
    .slice(1)
    .reduce<unknown>((at, part) => record(at)[part], document);
}

/** An object with these properties. */
export function objectOf(properties: Iterable<readonly [name: string, shape: Shape]>): Shape {
  const parts = new Map(Array.from(properties, ([name, shape]) => [`.${name}`, shape]));
  return { ...anything, types: new Set(["object"]), parts };
}

/**
 * The shape of a schema. Alternatives become one shape that accepts all of them.
 *
 * @param document where references are looked up
 * @param above the references that lead here; a schema inside itself is not followed again
 */
export function shapeOf(schema: unknown, document: Json, above: readonly string[] = []): Shape {
  if (!isRecord(schema)) return anything;
  const inner = (part: unknown) => shapeOf(part, document, above);
  const shapes = [ownShape(schema, inner), ...list(schema.allOf).map(inner)];
  const { $ref: reference } = schema;
  if (typeof reference === "string" && !above.includes(reference))
    shapes.push(shapeOf(resolve(schema, document), document, [...above, reference]));
  for (const alternatives of [list(schema.anyOf), list(schema.oneOf)]) {
    // Alternatives such as "image or templateId is required" set conditions on what is described elsewhere.
    if (alternatives.length > 0 && alternatives.every(describes))
      shapes.push(alternatives.map(inner).reduce((a, b) => merged("either", a, b)));
  }
  return shapes.reduce((a, b) => merged("both", a, b));
}

const describing = ["type", "$ref", "enum", "const", "allOf", "anyOf", "oneOf"];
const describes = (schema: unknown) => describing.some((keyword) => keyword in record(schema));

/** Keywords that are compared by their values. */
const FACETS = [
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"],
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"],
  ...["pattern", "uniqueItems", "multipleOf", "default", "deprecated"],
];

function ownShape(schema: Json, inner: (part: unknown) => Shape): Shape {
  const words = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  const required = list(schema.required).map(String);
  const parts = new Map<string, Shape>();
  // One part of an allOf may require a property that another part describes.
  for (const name of required) parts.set(`.${name}`, { ...anything, required: true });
  for (const [name, property] of Object.entries(record(schema.properties)))
    parts.set(`.${name}`, { ...inner(property), required: required.includes(name) });
  if ("items" in schema) parts.set("[]", inner(schema.items));
  if (isRecord(schema.additionalProperties)) parts.set(".*", inner(schema.additionalProperties));
  return {
    types: typesOf(schema, words),
    words: words && new Set(words.filter((word) => typeof word === "string")),
    facets: new Map(FACETS.filter((name) => name in schema).map((name) => [name, [schema[name]]])),
    required: false,
    parts,
  };
}

function typesOf({ type, properties }: Json, words: readonly unknown[] | undefined): Shape["types"] {
  if (type !== undefined) return new Set([type].flat().map(String));
  if (words !== undefined) return new Set(words.map((word) => (word === null ? "null" : typeof word)));
  return properties === undefined ? undefined : new Set(["object"]);
}

/** The shape of values that match both (allOf), or either (anyOf, oneOf). */
function merged(how: "both" | "either", a: Shape, b: Shape): Shape {
  const joined = how === "both" ? common : union;
  const isText = ({ types, words }: Shape) => words === undefined && types?.has("string") === true;
  // An alternative that is not an object, such as null, does not make a property optional.
  const demands = (shape: Shape, part: Shape | undefined) => part?.required ?? !shape.types?.has("object");
  const parts = [...union(new Set(a.parts.keys()), new Set(b.parts.keys()))].map((key) => {
    const [left, right] = [a.parts.get(key), b.parts.get(key)];
    const required =
      how === "both" ? left?.required === true || right?.required === true : demands(a, left) && demands(b, right);
    return [key, { ...(combined(left, right, (...both) => merged(how, ...both)) ?? anything), required }] as const;
  });
  return {
    types: combined(a.types, b.types, joined),
    words: how === "either" && (isText(a) || isText(b)) ? undefined : combined(a.words, b.words, joined),
    facets: new Map(
      [...a.facets.keys(), ...b.facets.keys()].map((name) => [
        name,
        [...(a.facets.get(name) ?? []), ...(b.facets.get(name) ?? [])],
      ]),
    ),
    required: a.required || b.required,
    parts: new Map(parts),
  };
}

const combined = <T>(a: T | undefined, b: T | undefined, combine: (a: T, b: T) => T): T | undefined =>
  a === undefined ? b : b === undefined ? a : combine(a, b);

type Words = ReadonlySet<string>;
const union = (a: Words, b: Words): Words => new Set([...a, ...b]);
/** An integer counts as a number. */
const includes = (words: Words, word: string) => words.has(word) || (word === "integer" && words.has("number"));
const common = (a: Words, b: Words): Words =>
  new Set([...[...a].filter((word) => includes(b, word)), ...[...b].filter((word) => includes(a, word))]);

/** The members of a set that the other lacks; none where either is not limited. An integer counts as a number. */
export function beyond(words: Words | undefined, known: Words | undefined): string[] {
  return words === undefined || known === undefined ? [] : [...words].filter((word) => !includes(known, word));
}
