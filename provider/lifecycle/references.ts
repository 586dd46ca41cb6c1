import { z } from "zod";
import type { CatalogReference } from "./catalogChecks";
import { bare, type CatalogFact, factsOf } from "./fields";
import { secretsNamedIn } from "./secretReferences";
import { containsUnknown } from "./unknown";
import { commaParts, isObject, type Properties, valueAt } from "./values";

/**
 * Names of catalog entries and secrets in the arguments, as the facts of their fields declare them. Unknown values are
 * skipped.
 */
export function catalogReferences(schema: z.ZodObject, inputs: Properties): CatalogReference[] {
  return referencesIn(schema, inputs, "", []);
}

function referencesIn(
  field: z.core.$ZodType,
  value: unknown,
  path: string,
  scopes: readonly Properties[],
): CatalogReference[] {
  const { catalogued, mayNameSecrets } = factsOf(field);
  if (mayNameSecrets && typeof value === "string" && !containsUnknown(value))
    return secretsNamedIn(value).map((secret) => ({ path, secret }));
  if (catalogued !== undefined) return typeof value === "string" ? referencesTo(catalogued, value, path, scopes) : [];
  const schema = bare(field);
  const inside = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((each, index) => referencesIn(schema.element, each, inside(index), scopes));
  }
  if (schema instanceof z.ZodRecord && isObject(value)) {
    return Object.entries(value).flatMap(([key, each]) => referencesIn(schema.valueType, each, inside(key), scopes));
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return [];
  return Object.entries(schema.shape).flatMap(([key, member]) =>
    referencesIn(member, value[key], inside(key), [value, ...scopes]),
  );
}

function referencesTo(
  fact: CatalogFact,
  value: string,
  path: string,
  scopes: readonly Properties[],
): CatalogReference[] {
  const beside = Object.fromEntries(
    Object.entries(fact.beside).map(([name, where]) => [name, nearest(where.split("."), scopes)]),
  );
  if (containsUnknown([value, beside])) return [];
  const { count, cloud, vcpuCount, volumeType, pools, dataCenters } = beside;
  switch (fact.kind) {
    case "gpuType":
      return [{ path, gpuType: value, count: number(count), cloud: cloud === "COMMUNITY" ? cloud : "SECURE" }];
    case "cpu":
      return [{ path, cpu: value, vcpuCount: number(vcpuCount) }];
    case "dataCenter":
      return [{ path, dataCenter: value, volumeType: typeof volumeType === "string" ? volumeType : undefined }];
    case "networkVolume":
      // Sorted, because another order is not a change.
      return [
        { path, networkVolume: value, dataCenters: Array.isArray(dataCenters) ? dataCenters.map(String).sort() : [] },
      ];
    case "pool":
      return [{ path, pool: value }];
    case "excludedType":
      return [{ path, excludedType: value, pools: Array.isArray(pools) ? pools.map(String) : [] }];
    case "placeList":
      return commaParts(value).map((location) => ({ path, location }));
    case "poolList":
      return poolReferences(value, path);
  }
}

function poolReferences(list: string, path: string): CatalogReference[] {
  const parts = commaParts(list);
  const pools = parts.filter((part) => !part.startsWith("-"));
  return parts.map((part) =>
    part.startsWith("-") ? { path, excludedType: part.slice(1), pools } : { path, pool: part },
  );
}

function nearest(where: readonly string[], scopes: readonly Properties[]): unknown {
  return scopes.map((scope) => valueAt(scope, where)).find((found) => found !== undefined);
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
