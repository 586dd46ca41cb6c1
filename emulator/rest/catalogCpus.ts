import { z } from "zod";
import { type CpuScope, cpuAvailability } from "../catalog/availability";
import type { Catalog } from "../catalog/catalog";
import { CPU_FLAVORS, type CpuFacts } from "../catalog/cpus";
import { named } from "../http/openapi";
import { csv, wholeNumber } from "../http/query";
import { type Route, route } from "../http/route";
import { badRequest, notFound } from "../problem";
import { availabilityLevel, catalogInclude, checkAvailabilityQuery, dataCenterAvailability } from "./catalog";

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

const cpuQuery = z.object({
  include: catalogInclude,
  product: csv(z.array(named("CpuProduct", z.enum(["POD", "SERVERLESS"])))).optional(),
  vcpuCount: wholeNumber(z.int().min(2)).optional(),
});

export const routes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/catalog/cpus",
    operationId: "listCpuTypes",
    summary: "List CPU flavors",
    right: "catalog",
    query: cpuQuery,
    success: { 200: named("ListCpuTypesResponse", z.object({ cpus: z.array(cpuType) })) },
    errors: [400],
    handle: ({ service: { catalog }, query }) => {
      const scope = scopeOf(query);
      return { cpus: Array.from(CPU_FLAVORS.values(), (flavor) => cpuShown(catalog, flavor, scope)) };
    },
  }),
  route({
    method: "GET",
    path: "/v2/catalog/cpus/{id}",
    operationId: "getCpuType",
    summary: "Get a CPU flavor",
    right: "catalog",
    query: cpuQuery,
    success: { 200: cpuType },
    errors: [400, 404],
    handle: ({ service: { catalog }, params, query }) => {
      const scope = scopeOf(query);
      const flavor = CPU_FLAVORS.get(params.id);
      if (flavor === undefined) throw notFound("cpu type");
      return cpuShown(catalog, flavor, scope);
    },
  }),
];

/** The scope of the availability; undefined if it was not requested. */
function scopeOf({ include, product, vcpuCount }: z.output<typeof cpuQuery>): CpuScope | undefined {
  const products = checkAvailabilityQuery(include, product, { vcpuCount });
  const count = vcpuCount ?? 2;
  if (!Number.isInteger(Math.log2(count))) throw badRequest("vcpuCount must be a power of two");
  return products && { products, vcpuCount: count };
}

function cpuShown(catalog: Catalog, flavor: CpuFacts, scope: CpuScope | undefined) {
  const { diskGbPerVcpu: _, ...facts } = flavor;
  return { ...facts, ...(scope && cpuAvailability(catalog, flavor, scope)) };
}
