import { isObject } from "../json";

const DEEPEST = 32;

/**
 * A value that a JSON schema describes, the same each time: the first of its choices, its least number, what `text` says for a
 * string. Undefined where it can't tell, as with a pattern: whoever asks checks the value.
 */
export function sampleOf(schema: unknown, text: string): unknown {
  return exampleOf(schema, { root: schema, text, depth: 0 });
}

interface Surroundings {
  readonly root: unknown;
  readonly text: string;
  readonly depth: number;
}

function exampleOf(schema: unknown, around: Surroundings): unknown {
  if (!isObject(schema) || around.depth > DEEPEST) return schema === true ? around.text : undefined;
  const deeper = { ...around, depth: around.depth + 1 };
  if (typeof schema.$ref === "string") return exampleOf(referenced(around.root, schema.$ref), deeper);
  for (const choices of [schema.anyOf, schema.oneOf]) if (Array.isArray(choices)) return exampleOf(choices[0], deeper);
  if (Array.isArray(schema.allOf))
    return exampleOf(Object.assign({}, schema, ...schema.allOf, { allOf: undefined }), deeper);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : (schema.type ?? (schema.properties ? "object" : "string"));
  return MAKERS[String(type)]?.(schema, deeper);
}

type Schema = Readonly<Record<string, unknown>>;

const MAKERS: Readonly<Record<string, (schema: Schema, around: Surroundings) => unknown>> = {
  null: () => null,
  boolean: () => true,
  integer: (schema) => Math.ceil(least(schema, 1)),
  number: (schema) => least(schema, 0.5),
  string: ({ minLength, maxLength, format }, { text }) =>
    FORMATS[String(format)] ??
    text.padEnd(Number(minLength ?? 0), ".").slice(0, Number(maxLength ?? text.length + 1e6)),
  array: ({ minItems, items, prefixItems }, around) =>
    Array.isArray(prefixItems)
      ? prefixItems.map((each) => exampleOf(each, around))
      : Array.from({ length: Number(minItems ?? 1) }, () => exampleOf(items ?? true, around)),
  object: ({ properties = {} }, around) =>
    Object.fromEntries(Object.entries(Object(properties)).map(([name, each]) => [name, exampleOf(each, around)])),
};

const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00Z",
  email: "user@example.com",
  uri: "https://example.com",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** @param step above an exclusive minimum */
const least = ({ minimum, exclusiveMinimum, maximum }: Schema, step: number): number =>
  typeof exclusiveMinimum === "number" ? exclusiveMinimum + step : Number(minimum ?? Math.min(0, Number(maximum ?? 0)));

/** What `#/$defs/name` names. */
const referenced = (root: unknown, reference: string): unknown =>
  reference
    .replace(/^#\/?/, "")
    .split("/")
    .reduce<unknown>((value, name) => (isObject(value) && name !== "" ? value[name] : value), root);
