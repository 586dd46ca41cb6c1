import { follow, type JsonSchema, type OpenApi } from "./document";

interface Shape {
  readonly properties: ReadonlyMap<string, readonly JsonSchema[]>;
  readonly required: ReadonlySet<string>;
  readonly items: readonly JsonSchema[];
}

/** Two documents, one schema of each. */
interface Side {
  readonly document: OpenApi;
  readonly schemas: readonly JsonSchema[];
}

/** Where two schemas differ in the properties that they have or require, however they are put together. */
export function differences(ours: Side, theirs: Side, where: string): string[] {
  const a = shapeOf(ours);
  const b = shapeOf(theirs);
  const names = new Set([...a.properties.keys(), ...b.properties.keys()]);
  const differing = [...names].flatMap((name) => {
    const path = `${where}.${name}`;
    const inOurs = a.properties.get(name);
    const inTheirs = b.properties.get(name);
    if (inOurs === undefined) return [`${path} is only in the contract`];
    if (inTheirs === undefined) return [`${path} is only in the emulator`];
    const isRequired = a.required.has(name) === b.required.has(name);
    return [
      ...(isRequired ? [] : [`${path} is required only in the ${a.required.has(name) ? "emulator" : "contract"}`]),
      ...differences({ ...ours, schemas: inOurs }, { ...theirs, schemas: inTheirs }, path),
    ];
  });
  if (a.items.length === 0 && b.items.length === 0) return differing;
  return [...differing, ...differences({ ...ours, schemas: a.items }, { ...theirs, schemas: b.items }, `${where}[]`)];
}

/**
 * Everything that a schema's parts say about one value. A union requires what all of its members require; what one
 * member requires deeper down holds only when that member does.
 */
function shapeOf({ document, schemas }: Side): Shape {
  const properties = new Map<string, JsonSchema[]>();
  const required = new Set<string>();
  const items: JsonSchema[] = [];
  const add = (shape: Shape) => {
    for (const [name, inner] of shape.properties) properties.set(name, [...(properties.get(name) ?? []), ...inner]);
    items.push(...shape.items);
  };
  for (const schema of schemas.map((each) => follow(document, each))) {
    for (const [name, inner] of Object.entries(schema.properties ?? {}))
      properties.set(name, [...(properties.get(name) ?? []), inner]);
    if (schema.items !== undefined) items.push(schema.items);
    for (const name of schema.required ?? []) required.add(name);
    for (const part of schema.allOf ?? []) {
      const shape = shapeOf({ document, schemas: [part] });
      add(shape);
      for (const name of shape.required) required.add(name);
    }
    for (const union of [schema.anyOf ?? [], schema.oneOf ?? []]) {
      const members = union.map((member) => shapeOf({ document, schemas: [member] }));
      for (const member of members) add(optional(member));
      const [first, ...others] = members;
      for (const name of first?.required ?? [])
        if (others.every((other) => other.required.has(name))) required.add(name);
    }
  }
  return { properties, required, items };
}

const optional = ({ properties, required, items }: Shape): Shape => ({
  properties: new Map(Array.from(properties, ([name, inner]) => [name, [{ anyOf: [{ allOf: inner }, {}] }]])),
  required,
  items,
});
