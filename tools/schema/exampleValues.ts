import { FromConfig, FromResource } from "../../provider/lifecycle/fields/example";
import type { Declared } from "./exampleProgram";
import type { PropertySpec, TypeSpec, TypeSpecs } from "./specs";

/** An argument of an example with its type in the package's schema, on which depends how an SDK writes it. */
export type Value =
  | { readonly is: "output"; readonly of: string; readonly name: string }
  | { readonly is: "secret"; readonly key: string }
  /** An SDK takes JSON as text. */
  | { readonly is: "json"; readonly json: unknown }
  | { readonly is: "scalar"; readonly type: string; readonly value: unknown }
  /** A list and a map have the type of their members. */
  | { readonly is: "list"; readonly type: string; readonly items: readonly Value[] }
  | { readonly is: "map" | "object"; readonly type: string; readonly members: Members };

export type Members = Readonly<Record<string, Value>>;

/** A resource of an example's program, for the SDKs that are generated from the package's schema. */
export interface Resource extends Omit<Declared, "definition" | "args"> {
  readonly kind: string;
  readonly args: Members;
}

/** The secrets of the stack's configuration that a program reads. */
export function secretsIn(resources: readonly Resource[]): string[] {
  const keys = (value: Value): string[] => {
    if (value.is === "secret") return [value.key];
    if (value.is === "list") return value.items.flatMap(keys);
    return value.is === "map" || value.is === "object" ? Object.values(value.members).flatMap(keys) : [];
  };
  return resources.flatMap(({ args }) => Object.values(args).flatMap(keys));
}

/** The arguments of a resource, with their types. */
export function members(args: object, specs: Readonly<Record<string, PropertySpec>>, types: TypeSpecs): Members {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const spec = specs[name];
      if (spec === undefined) throw new TypeError(`${name} is not an argument in the package's schema`);
      return [name, typed(value, spec, types)];
    }),
  );
}

function typed(value: unknown, spec: TypeSpec, types: TypeSpecs): Value {
  if (value instanceof FromResource) return { is: "output", of: value.kind, name: value.output };
  if (value instanceof FromConfig) return { is: "secret", key: value.key };
  if (spec.type === "string" && (typeof value !== "string" || /^[[{]/.test(value)))
    return { is: "json", json: typeof value === "string" ? JSON.parse(value) : value };
  if (spec.items !== undefined && Array.isArray(value)) {
    const { items } = spec;
    return { is: "list", type: types.nameOf(items), items: value.map((each) => typed(each, items, types)) };
  }
  if (value === null || typeof value !== "object") return { is: "scalar", type: types.nameOf(spec), value };
  const { additionalProperties } = spec;
  if (additionalProperties !== undefined) {
    const entries = Object.entries(value).map(([key, each]) => [key, typed(each, additionalProperties, types)]);
    return { is: "map", type: types.nameOf(additionalProperties), members: Object.fromEntries(entries) };
  }
  return { is: "object", type: types.nameOf(spec), members: members(value, types.propertiesOf(spec), types) };
}
