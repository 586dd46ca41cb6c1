import { z } from "zod";
import { AVAILABILITY_LEVELS } from "../catalog/stock";
import { named } from "../http/openapi";
import { csv } from "../http/query";
import { badRequest } from "../problem";

export const availabilityLevel = named("AvailabilityLevel", z.enum(AVAILABILITY_LEVELS));

export const dataCenterAvailability = named(
  "DataCenterAvailability",
  z.object({ id: z.string(), name: z.string(), availability: availabilityLevel }),
);

export const catalogInclude = csv(z.array(named("CatalogInclude", z.enum(["AVAILABILITY"]))).max(1)).optional();

/**
 * The products of the availability; undefined if it was not requested. Availability differs by product, so `include` and
 * `product` need each other, and the filters need both.
 */
export function checkAvailabilityQuery<Product>(
  include: readonly "AVAILABILITY"[] | undefined,
  products: readonly Product[] | undefined,
  narrowing: Readonly<Record<string, unknown>>,
): readonly Product[] | undefined {
  if (include !== undefined && include.length > 0) {
    if (products === undefined || products.length === 0) throw badRequest("include=AVAILABILITY requires product");
    return products;
  }
  const narrowed: Readonly<Record<string, unknown>> = { product: products, ...narrowing };
  const given = Object.entries(narrowed).find(([name, value]) => {
    const isDefault = name === "count" && value === 1;
    return value !== undefined && !isDefault && !(Array.isArray(value) && value.length === 0);
  });
  if (given !== undefined) throw badRequest(`${given[0]} requires include=AVAILABILITY`);
  return undefined;
}
