/** The values that a JSON schema accepts, as far as two sides can disagree about them. Empty types: anything. */
export interface Shape {
  types: ReadonlySet<string>;
  /** The values of an enum. */
  words: ReadonlySet<string> | undefined;
  properties: ReadonlyMap<string, { shape: Shape; required: boolean }>;
  items: Shape | undefined;
  /** Values of a map. */
  values: Shape | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

export const anything: Shape = {
  types: new Set(),
  words: undefined,
  properties: new Map(),
  items: undefined,
  values: undefined,
};

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Looks up `#/a/b` in a document. */
export function follow(reference: string, document: Json): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce<unknown>((at, part) => (isJson(at) ? at[part] : undefined), document);
}

/** A part of a document, or what it refers to. */
export function resolve(value: unknown, document: Json): unknown {
  return isJson(value) && typeof value.$ref === "string" ? follow(value.$ref, document) : value;
}

/** The successful answers of an operation, by status. */
export function successesOf({ responses }: Json): readonly (readonly [string, unknown])[] {
  return Object.entries(isJson(responses) ? responses : {}).filter(([status]) => /^2/.test(status));
}

export function mediaTypes(part: unknown): readonly string[] {
  return Object.keys(isJson(part) && isJson(part.content) ? part.content : {});
}

/** The schema of a body; of several media types, JSON's. */
export function contentSchema(part: unknown): unknown {
  const content = isJson(part) && isJson(part.content) ? part.content : {};
  const media = content["application/json"] ?? Object.values(content)[0];
  return isJson(media) ? media.schema : undefined;
}

/**
 * The shape of a schema. Alternatives become one shape that accepts all of them.
 *
 * @param document where references are looked up
 */
export function shapeOf(schema: unknown, document: Json): Shape {
  if (!isJson(schema)) return anything;
  const parts = [ownShape(schema, document)];
  if (typeof schema.$ref === "string") parts.push(shapeOf(follow(schema.$ref, document), document));
  for (const part of list(schema.allOf)) parts.push(shapeOf(part, document));
  for (const alternatives of [list(schema.anyOf), list(schema.oneOf)]) {
    // Alternatives such as "image or templateId is required" set conditions on what is described elsewhere.
    if (alternatives.length === 0 || !alternatives.every(describes)) continue;
    parts.push(alternatives.map((alternative) => shapeOf(alternative, document)).reduce(either));
  }
  return parts.reduce(both);
}

const describing = ["type", "$ref", "enum", "const", "allOf", "anyOf", "oneOf"];
const describes = (schema: unknown) => isJson(schema) && describing.some((keyword) => keyword in schema);

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function ownShape(schema: Json, document: Json): Shape {
  const words = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  const required = new Set(list(schema.required));
  const properties = Object.entries(isJson(schema.properties) ? schema.properties : {});
  return {
    types: new Set(typesOf(schema, words)),
    words: words && new Set(words.filter((word) => typeof word === "string")),
    properties: new Map([
      // One part of an allOf may require a property that another part describes: `both` merges the two.
      ...[...required].map((name) => [String(name), { shape: anything, required: true }] as const),
      ...properties.map(([name, property]) => {
        return [name, { shape: shapeOf(property, document), required: required.has(name) }] as const;
      }),
    ]),
    items: "items" in schema ? shapeOf(schema.items, document) : undefined,
    values: isJson(schema.additionalProperties) ? shapeOf(schema.additionalProperties, document) : undefined,
  };
}

function typesOf(schema: Json, words: readonly unknown[] | undefined): string[] {
  if (typeof schema.type === "string") return [schema.type];
  if (Array.isArray(schema.type)) return schema.type.map(String);
  if (words !== undefined) return [...new Set(words.map((word) => (word === null ? "null" : typeof word)))];
  return isJson(schema.properties) ? ["object"] : [];
}

/** The shape of values that match both (allOf). */
function both(a: Shape, b: Shape): Shape {
  const properties = new Map(a.properties);
  for (const [name, { shape, required }] of b.properties) {
    const known = properties.get(name);
    properties.set(name, {
      shape: known === undefined ? shape : both(known.shape, shape),
      required: required || known?.required === true,
    });
  }
  return {
    types: a.types.size === 0 ? b.types : b.types.size === 0 ? a.types : intersect(a.types, b.types),
    words: a.words === undefined ? b.words : b.words === undefined ? a.words : intersect(a.words, b.words),
    properties,
    items: a.items === undefined || b.items === undefined ? (a.items ?? b.items) : both(a.items, b.items),
    values: a.values === undefined || b.values === undefined ? (a.values ?? b.values) : both(a.values, b.values),
  };
}

/** The shape of values that match either (anyOf, oneOf). */
function either(a: Shape, b: Shape): Shape {
  const names = new Set([...a.properties.keys(), ...b.properties.keys()]);
  const properties = [...names].map((name) => {
    const [left, right] = [a.properties.get(name), b.properties.get(name)];
    const shape = left && right ? either(left.shape, right.shape) : (left ?? right)?.shape;
    const required = [
      [a, left],
      [b, right],
    ] as const;
    // An alternative that is not an object, such as null, does not make a property optional.
    const always = required.every(([side, property]) => !side.types.has("object") || property?.required === true);
    return [name, { shape: shape ?? anything, required: always }] as const;
  });
  const wordless = [a, b].some(({ types, words }) => types.has("string") && words === undefined);
  return {
    types: new Set([...a.types, ...b.types]),
    words:
      wordless || (a.words ?? b.words) === undefined ? undefined : new Set([...(a.words ?? []), ...(b.words ?? [])]),
    properties: new Map(properties),
    items: a.items && b.items ? either(a.items, b.items) : (a.items ?? b.items),
    values: a.values && b.values ? either(a.values, b.values) : (a.values ?? b.values),
  };
}

/** The common types. An integer counts as a number. */
function intersect(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  const common = [...a].filter((value) => b.has(value) || (value === "integer" && b.has("number")));
  return new Set([...common, ...[...b].filter((value) => value === "integer" && a.has("number"))]);
}
