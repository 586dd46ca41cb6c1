import { z } from "zod";
import { stockList } from "../catalog/availability";
import { CPU_FLAVORS, type CpuFacts } from "../catalog/cpus";
import { COMPLIANCES, REGIONS } from "../catalog/dataCenters";
import type { GpuFacts } from "../catalog/gpus";
import { named } from "../http/openapi";
import { csv, flag } from "../http/query";
import { availabilityLevel } from "./catalog";
import { volumeType } from "./networkVolumes";
import { readRoutes } from "./noun";

const region = named("DataCenterRegion", z.enum(REGIONS));
const compliance = named("Compliance", z.enum(COMPLIANCES));
const resourceAvailability = named(
  "CatalogResourceAvailability",
  z.object({ id: z.string(), name: z.string(), availability: availabilityLevel }),
);

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

export const routes = readRoutes({
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
  found: ({ catalog }, id) => catalog.dataCenters.get(id),
  shown: ({ catalog }, { country: _, ...facts }, { include = [] }) => {
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
