import { z } from "zod";
import {
  type CpuScope,
  cpuAvailability,
  type GpuScope,
  gpuAvailability,
  isInCountries,
  stockList,
} from "../catalog/availability";
import { CPU_FLAVORS, type CpuFacts } from "../catalog/cpus";
import { COMPLIANCES, REGIONS } from "../catalog/dataCenters";
import type { GpuFacts } from "../catalog/gpus";
import { AVAILABILITY_LEVELS } from "../catalog/stock";
import { publicTemplates, TEMPLATE_SOURCES } from "../catalog/templates";
import { csv, flag, wholeNumber } from "../http/query";
import { named, type Route, route } from "../http/route";
import { badRequest } from "../problem";
import { volumeType } from "./networkVolumes";
import { readRoutes } from "./noun";
import { listTemplatesResponse, templateShown } from "./templates";

const availabilityLevel = named("AvailabilityLevel", z.enum(AVAILABILITY_LEVELS));

const availabilityOf = (name: string) =>
  named(name, z.object({ id: z.string(), name: z.string(), availability: availabilityLevel }));
const dataCenterAvailability = availabilityOf("DataCenterAvailability");

const catalogInclude = csv(z.array(named("CatalogInclude", z.enum(["AVAILABILITY"]))).max(1)).optional();

/**
 * The products of the availability; undefined if it was not requested. Availability differs by product, so `include` and
 * `product` need each other, and the filters need both.
 */
function checkAvailabilityQuery<Product>(
  include: readonly "AVAILABILITY"[] | undefined,
  products: readonly Product[] | undefined,
  narrowing: Readonly<Record<string, unknown>>,
): readonly Product[] | undefined {
  if (include !== undefined && include.length > 0) {
    if (products === undefined || products.length === 0) throw badRequest("include=AVAILABILITY requires product");
    return products;
  }
  const narrowed: Readonly<Record<string, unknown>> = { product: products, ...narrowing };
  const usedFilter = Object.entries(narrowed).find(([name, value]) => {
    const isDefault = name === "count" && value === 1;
    return value !== undefined && !isDefault && !(Array.isArray(value) && value.length === 0);
  });
  if (usedFilter !== undefined) throw badRequest(`${usedFilter[0]} requires include=AVAILABILITY`);
  return undefined;
}

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

const gpuQuery = {
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

type GpuQuery = z.output<z.ZodObject<typeof gpuQuery>>;

const gpuRoutes = readRoutes({
  noun: "GpuType",
  many: "gpus",
  plural: "GpuTypes",
  called: "gpu type",
  path: "/v2/catalog/gpus",
  right: "catalog",
  item: gpuType,
  query: gpuQuery,
  hasPages: false,
  readErrors: [400],
  listed: ({ catalog }, query) => {
    const countryCodes = gpuScopeOf(query)?.countryCodes;
    const all = [...catalog.gpuTypes.values()];
    return countryCodes === undefined ? all : all.filter((gpu) => isInCountries(catalog, gpu, countryCodes));
  },
  recordOf: ({ catalog }, id) => catalog.gpuTypes.get(id),
  toAnswer: ({ catalog }, { maxCount, ...facts }, query) => {
    const scope = gpuScopeOf(query);
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
function gpuScopeOf({ include, product, ...narrowing }: GpuQuery): GpuScope | undefined {
  const products = checkAvailabilityQuery(include, product, narrowing);
  const { count = 1, cloud = "SECURE", countryCodes = [], cudaVersions = [], minCudaVersion } = narrowing;
  if (cudaVersions.length > 0 && minCudaVersion !== undefined)
    throw badRequest("cudaVersions and minCudaVersion are mutually exclusive");
  return products && { products, count, cloud, countryCodes, cudaVersions, minCudaVersion };
}

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

const cpuQuery = {
  include: catalogInclude,
  product: csv(z.array(named("CpuProduct", z.enum(["POD", "SERVERLESS"])))).optional(),
  vcpuCount: wholeNumber(z.int().min(2)).optional(),
};

const cpuRoutes = readRoutes({
  noun: "CpuType",
  many: "cpus",
  plural: "CpuTypes",
  called: "cpu type",
  path: "/v2/catalog/cpus",
  right: "catalog",
  item: cpuType,
  query: cpuQuery,
  hasPages: false,
  readErrors: [400],
  listed: () => [...CPU_FLAVORS.values()],
  recordOf: (_, id) => CPU_FLAVORS.get(id),
  toAnswer: ({ catalog }, flavor, query) => {
    const { diskGbPerVcpu: _, ...facts } = flavor;
    const scope = cpuScopeOf(query);
    return { ...facts, ...(scope && cpuAvailability(catalog, flavor, scope)) };
  },
});

function cpuScopeOf({ include, product, vcpuCount }: z.output<z.ZodObject<typeof cpuQuery>>): CpuScope | undefined {
  const products = checkAvailabilityQuery(include, product, { vcpuCount });
  const count = vcpuCount ?? 2;
  if (!Number.isInteger(Math.log2(count))) throw badRequest("vcpuCount must be a power of two");
  return products && { products, vcpuCount: count };
}

const region = named("DataCenterRegion", z.enum(REGIONS));
const compliance = named("Compliance", z.enum(COMPLIANCES));
const resourceAvailability = availabilityOf("CatalogResourceAvailability");

const dataCenter = named(
  "DataCenter",
  z.object({
    id: z.string(),
    name: z.string(),
    region,
    globalNetwork: z.boolean(),
    networkVolumeTypes: z.array(volumeType),
    compliance: z.array(compliance),
    gpuAvailability: z.array(resourceAvailability).optional(),
    cpuAvailability: z.array(resourceAvailability).optional(),
  }),
);

const include = csv(z.array(named("DataCenterInclude", z.enum(["GPU_AVAILABILITY", "CPU_AVAILABILITY"])))).optional();

const dataCenterRoutes = readRoutes({
  noun: "DataCenter",
  many: "dataCenters",
  called: "data center",
  path: "/v2/catalog/datacenters",
  right: "catalog",
  item: dataCenter,
  query: { include },
  listQuery: {
    regions: csv(z.array(region)).optional(),
    networkVolumeTypes: csv(z.array(volumeType)).optional(),
    compliance: csv(z.array(compliance)).optional(),
    globalNetwork: flag.optional(),
  },
  hasPages: false,
  listed: ({ catalog }, { regions, networkVolumeTypes = [], compliance = [], globalNetwork }) =>
    Array.from(catalog.dataCenters.values()).filter(
      (each) =>
        (regions === undefined || regions.includes(each.region)) &&
        networkVolumeTypes.every((type) => each.networkVolumeTypes.includes(type)) &&
        compliance.every((certificate) => each.compliance.includes(certificate)) &&
        (globalNetwork === undefined || globalNetwork === each.globalNetwork),
    ),
  recordOf: ({ catalog }, id) => catalog.dataCenters.get(id),
  toAnswer: ({ catalog }, { country: _, ...facts }, { include = [] }) => {
    const stockOf = (name: (typeof include)[number], items: Iterable<GpuFacts | CpuFacts>) =>
      include.includes(name) ? stockList(catalog, facts.id, items) : [];
    const gpuAvailability = stockOf("GPU_AVAILABILITY", catalog.gpuTypes.values());
    const cpuAvailability = stockOf("CPU_AVAILABILITY", CPU_FLAVORS.values());
    return {
      ...facts,
      ...(gpuAvailability.length > 0 && { gpuAvailability }),
      ...(cpuAvailability.length > 0 && { cpuAvailability }),
    };
  },
});

const templateRoute = route({
  path: "/v2/catalog/templates",
  operationId: "listPublicTemplates",
  summary: "List templates that others share",
  right: "catalog",
  query: z.object({ source: z.enum(TEMPLATE_SOURCES).default("official") }),
  success: { 200: listTemplatesResponse },
  handle: ({ service, query }) => ({
    templates: publicTemplates(query.source).map((record) => templateShown(service, record)),
  }),
});

export const routes: readonly Route[] = [...gpuRoutes, ...cpuRoutes, ...dataCenterRoutes, templateRoute];
