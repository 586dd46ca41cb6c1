import { z } from "zod";
import { type GpuScope, gpuAvailability, isInCountries } from "../catalog/availability";
import type { Catalog } from "../catalog/catalog";
import type { GpuFacts } from "../catalog/gpus";
import { named } from "../http/openapi";
import { csv, wholeNumber } from "../http/query";
import { type Route, route } from "../http/route";
import { badRequest, notFound } from "../problem";
import { availabilityLevel, catalogInclude, checkAvailabilityQuery, dataCenterAvailability } from "./catalog";

const gpuType = named(
  "GpuType",
  z.object({
    id: z.string(),
    name: z.string(),
    pool: z.string().nullable(),
    manufacturer: named("GpuManufacturer", z.enum(["NVIDIA", "AMD", "UNKNOWN"])),
    memory: z.int(),
    secure: z.boolean(),
    community: z.boolean(),
    price: z.object({ secure: z.number(), community: z.number(), serverless: z.number().optional() }),
    maxCount: z.object({ secure: z.int(), community: z.int() }),
    availability: availabilityLevel.optional(),
    dataCenters: z.array(dataCenterAvailability).optional(),
    cudaVersions: z
      .array(
        named("CudaVersionAvailability", z.object({ version: z.string().regex(/^\d+\.\d+$/), available: z.boolean() })),
      )
      .optional(),
  }),
);

const gpuQuery = z.object({
  include: catalogInclude,
  product: csv(z.array(named("Product", z.enum(["POD", "CLUSTER", "SERVERLESS"])))).optional(),
  count: wholeNumber(z.int().min(1)).optional(),
  cloud: named("GpuCloudFilter", z.enum(["SECURE", "COMMUNITY"])).optional(),
  countryCodes: csv(z.array(z.string().regex(/^[A-Z]{2}$/))).optional(),
  cudaVersions: csv(z.array(z.string().regex(/^\d+\.\d+$/))).optional(),
  minCudaVersion: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .optional(),
});

export const routes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/catalog/gpus",
    operationId: "listGpuTypes",
    summary: "List GPU types",
    right: "catalog",
    query: gpuQuery,
    success: { 200: named("ListGpuTypesResponse", z.object({ gpus: z.array(gpuType) })) },
    errors: [400],
    handle: ({ service: { catalog }, query }) => {
      const scope = scopeOf(query);
      return {
        gpus: Array.from(catalog.gpuTypes.values())
          .filter((gpu) => scope === undefined || isInCountries(catalog, gpu, scope.countryCodes))
          .map((gpu) => gpuShown(catalog, gpu, scope)),
      };
    },
  }),
  route({
    method: "GET",
    path: "/v2/catalog/gpus/{id}",
    operationId: "getGpuType",
    summary: "Get a GPU type",
    right: "catalog",
    query: gpuQuery,
    success: { 200: gpuType },
    errors: [400, 404],
    handle: ({ service: { catalog }, params, query }) => {
      const scope = scopeOf(query);
      const gpu = catalog.gpuTypes.get(params.id);
      if (gpu === undefined) throw notFound("gpu type");
      return gpuShown(catalog, gpu, scope);
    },
  }),
];

/** The scope of the availability; undefined if it was not requested. */
function scopeOf(query: z.output<typeof gpuQuery>): GpuScope | undefined {
  const { include, product, ...narrowing } = query;
  const products = checkAvailabilityQuery(include, product, narrowing);
  const { count = 1, cloud = "SECURE", countryCodes = [], cudaVersions = [], minCudaVersion } = narrowing;
  if (cudaVersions.length > 0 && minCudaVersion !== undefined)
    throw badRequest("cudaVersions and minCudaVersion are mutually exclusive");
  return products && { products, count, cloud, countryCodes, cudaVersions, minCudaVersion };
}

function gpuShown(catalog: Catalog, gpu: GpuFacts, scope: GpuScope | undefined) {
  const { maxCount, ...facts } = gpu;
  return {
    ...facts,
    secure: maxCount.secure > 0,
    community: maxCount.community > 0,
    maxCount,
    ...(scope && gpuAvailability(catalog, gpu, scope)),
  };
}
