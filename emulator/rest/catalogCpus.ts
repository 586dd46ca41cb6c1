import { z } from "zod";
import { type CpuScope, cpuAvailability } from "../catalog/availability";
import { CPU_FLAVORS } from "../catalog/cpus";
import { named } from "../http/openapi";
import { csv, wholeNumber } from "../http/query";
import { badRequest } from "../problem";
import { availabilityLevel, catalogInclude, checkAvailabilityQuery, dataCenterAvailability } from "./catalog";
import { readRoutes } from "./noun";

const cpuType = named(
  "CpuType",
  z.object({
    id: z.string(),
    name: z.string(),
    group: z.string(),
    vcpu: z.object({ min: z.int(), max: z.int() }),
    ramGbPerVcpu: z.number(),
    price: z.object({ securePerVcpu: z.number(), serverlessPerVcpu: z.number() }),
    availability: availabilityLevel.optional(),
    dataCenters: z.array(dataCenterAvailability).optional(),
  }),
);

const query = {
  include: catalogInclude,
  product: csv(z.array(named("CpuProduct", z.enum(["POD", "SERVERLESS"])))).optional(),
  vcpuCount: wholeNumber(z.int().min(2)).optional(),
};

export const routes = readRoutes({
  noun: "CpuType",
  many: "cpus",
  plural: "CpuTypes",
  called: "cpu type",
  path: "/v2/catalog/cpus",
  right: "catalog",
  item: cpuType,
  query,
  hasPages: false,
  readErrors: [400],
  listed: () => [...CPU_FLAVORS.values()],
  found: (_, id) => CPU_FLAVORS.get(id),
  shown: ({ catalog }, flavor, asked) => {
    const { diskGbPerVcpu: _, ...facts } = flavor;
    const scope = scopeOf(asked);
    return { ...facts, ...(scope && cpuAvailability(catalog, flavor, scope)) };
  },
});

/** The scope of the availability; undefined if it was not requested. */
function scopeOf({ include, product, vcpuCount }: z.output<z.ZodObject<typeof query>>): CpuScope | undefined {
  const products = checkAvailabilityQuery(include, product, { vcpuCount });
  const count = vcpuCount ?? 2;
  if (!Number.isInteger(Math.log2(count))) throw badRequest("vcpuCount must be a power of two");
  return products && { products, vcpuCount: count };
}
