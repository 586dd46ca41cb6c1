import { commaParts } from "../../client";
import { isRecord } from "../../common/json";
import { z } from "../../common/zod";
import { bare, factsOf } from "../lifecycle/fields/fields";
import { containsUnknown, isUnknown } from "../lifecycle/fields/unknown";
import { type Properties, valueAt } from "../lifecycle/fields/values";
import { secretsNamedIn } from "./secretReferences";

/** An entry of the catalog, or a resource of the account, that an argument names. */
export interface Reference {
  /** Path of the argument. */
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  /**
   * Other arguments that the check needs, as the field's facts name them. `made` is what the program declares of a resource
   * whose id a preview does not know yet.
   */
  readonly beside: Properties;
}

/**
 * Names of catalog entries, secrets, volumes and templates in the arguments, as the facts of their fields declare them.
 * Unknown values are skipped.
 *
 * @param referenced what the program declares of resources that a preview does not have yet, by the path of their id
 */
export function catalogReferences(schema: z.ZodObject, inputs: Properties, referenced: Properties = {}): Reference[] {
  return referencesIn(schema, inputs, "", [], referenced);
}

function referencesIn(
  field: z.core.$ZodType,
  value: unknown,
  path: string,
  scopes: readonly Properties[],
  referenced: Properties,
): Reference[] {
  const { catalogued, mayNameSecrets } = factsOf(field);
  if (catalogued !== undefined || mayNameSecrets) {
    const target = isUnknown(value) && isRecord(referenced[path]) ? { made: referenced[path] } : undefined;
    if (typeof value !== "string" || containsUnknown(target ?? value)) return [];
    if (catalogued === undefined)
      return secretsNamedIn(value).map((name) => ({ path, kind: "secret", name, beside: {} }));
    const beside = Object.fromEntries(
      Object.entries(catalogued.beside).map(([name, where]) => [name, nearest(where.split("."), scopes)]),
    );
    if (containsUnknown(beside)) return [];
    return namesIn(catalogued.kind, value, { ...beside, ...target }).map((each) => ({ path, ...each }));
  }
  const schema = bare(field);
  const inside = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((each, index) => referencesIn(schema.element, each, inside(index), scopes, referenced));
  }
  if (schema instanceof z.ZodRecord && isRecord(value)) {
    return Object.entries(value).flatMap(([key, each]) =>
      referencesIn(schema.valueType, each, inside(key), scopes, referenced),
    );
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return [];
  return Object.entries(schema.shape).flatMap(([key, member]) =>
    value[key] === undefined ? [] : referencesIn(member, value[key], inside(key), [value, ...scopes], referenced),
  );
}

/** A text may list several. */
function namesIn(kind: string, text: string, beside: Properties): Omit<Reference, "path">[] {
  if (kind === "placeList") return commaParts(text).map((name) => ({ kind: "location", name, beside }));
  if (kind !== "poolList") return [{ kind, name: text, beside }];
  const parts = commaParts(text);
  const pools = parts.filter((part) => !part.startsWith("-"));
  return parts.map((part) =>
    part.startsWith("-")
      ? { kind: "excludedType", name: part.slice(1), beside: { pools } }
      : { kind: "pool", name: part, beside },
  );
}

/** The value at a path in the innermost object that has it. Lists are sorted, because another order is not a change. */
function nearest(where: readonly string[], scopes: readonly Properties[]): unknown {
  const nearestValue = scopes.map((scope) => valueAt(scope, where)).find((value) => value !== undefined);
  return Array.isArray(nearestValue) ? nearestValue.map(String).sort() : nearestValue;
}
