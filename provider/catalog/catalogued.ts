import type { z } from "zod";
import { type CatalogFact, namesEntry } from "../lifecycle/fields/fields";

/** `poolList`: pools, comma-separated, minus `-<GPU type>`. `placeList`: country codes or data centers, comma-separated. */
export type CatalogKind =
  | "gpuType"
  | "pool"
  | "poolList"
  | "excludedType"
  | "dataCenter"
  | "placeList"
  | "cpu"
  | "networkVolume"
  | "podTemplate"
  | "serverlessTemplate";

/** @param beside other arguments that the check needs, by path; looked up from the field's own object outwards */
export function catalogued<T extends z.ZodType>(kind: CatalogKind, schema: T, beside: CatalogFact["beside"] = {}): T {
  return namesEntry({ kind, beside }, schema);
}
