import { z } from "zod";
import { type GpuScope, gpuAvailability, isInCountries } from "../catalog/availability";
import { named } from "../http/openapi";
import { csv, wholeNumber } from "../http/query";
import { badRequest } from "../problem";
import { availabilityLevel, catalogInclude, checkAvailabilityQuery, dataCenterAvailability } from "./catalog";
import { readRoutes } from "./noun";

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

const query = {
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
};

type GpuQuery = z.output<z.ZodObject<typeof query>>;

export const routes = readRoutes({
  noun: "GpuType",
  many: "gpus",
  plural: "GpuTypes",
  called: "gpu type",
  path: "/v2/catalog/gpus",
  right: "catalog",
  item: gpuType,
  query,
  hasPages: false,
  readErrors: [400],
  listed: ({ catalog }, asked) => {
    const countryCodes = scopeOf(asked)?.countryCodes;
    const all = [...catalog.gpuTypes.values()];
    return countryCodes === undefined ? all : all.filter((gpu) => isInCountries(catalog, gpu, countryCodes));
  },
  found: ({ catalog }, id) => catalog.gpuTypes.get(id),
  shown: ({ catalog }, { maxCount, ...facts }, asked) => {
    const scope = scopeOf(asked);
    return {
      ...facts,
      secure: maxCount.secure > 0,
      community: maxCount.community > 0,
      maxCount,
      ...(scope && gpuAvailability(catalog, { maxCount, ...facts }, scope)),
    };
  },
});

/** The scope of the availability; undefined if it was not requested. */
function scopeOf({ include, product, ...narrowing }: GpuQuery): GpuScope | undefined {
  const products = checkAvailabilityQuery(include, product, narrowing);
  const { count = 1, cloud = "SECURE", countryCodes = [], cudaVersions = [], minCudaVersion } = narrowing;
  if (cudaVersions.length > 0 && minCudaVersion !== undefined)
    throw badRequest("cudaVersions and minCudaVersion are mutually exclusive");
  return products && { products, count, cloud, countryCodes, cudaVersions, minCudaVersion };
}
