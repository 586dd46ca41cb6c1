import { z } from "zod";
import { stockList } from "../catalog/availability";
import type { Catalog } from "../catalog/catalog";
import { CPU_FLAVORS } from "../catalog/cpus";
import { COMPLIANCES, type DataCenterFacts, REGIONS } from "../catalog/dataCenters";
import { named } from "../http/openapi";
import { csv, flag } from "../http/query";
import { type Route, route } from "../http/route";
import { notFound } from "../problem";
import { availabilityLevel } from "./catalog";
import { volumeType } from "./networkVolumes";

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
type Include = z.output<typeof include>;

export const routes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/catalog/datacenters",
    operationId: "listDataCenters",
    summary: "List data centers",
    right: "catalog",
    query: z.object({
      include,
      regions: csv(z.array(region)).optional(),
      networkVolumeTypes: csv(z.array(volumeType)).optional(),
      compliance: csv(z.array(compliance)).optional(),
      globalNetwork: flag.optional(),
    }),
    success: { 200: named("ListDataCentersResponse", z.object({ dataCenters: z.array(dataCenter) })) },
    handle: ({
      service: { catalog },
      query: { include, regions, networkVolumeTypes = [], compliance = [], globalNetwork },
    }) => ({
      dataCenters: Array.from(catalog.dataCenters.values())
        .filter(
          (each) =>
            (regions === undefined || regions.includes(each.region)) &&
            networkVolumeTypes.every((type) => each.networkVolumeTypes.includes(type)) &&
            compliance.every((certificate) => each.compliance.includes(certificate)) &&
            (globalNetwork === undefined || globalNetwork === each.globalNetwork),
        )
        .map((each) => dataCenterShown(catalog, each, include)),
    }),
  }),
  route({
    method: "GET",
    path: "/v2/catalog/datacenters/{id}",
    operationId: "getDataCenter",
    summary: "Get a data center",
    right: "catalog",
    query: z.object({ include }),
    success: { 200: dataCenter },
    errors: [404],
    handle: ({ service: { catalog }, params, query: { include } }) => {
      const found = catalog.dataCenters.get(params.id);
      if (found === undefined) throw notFound("data center");
      return dataCenterShown(catalog, found, include);
    },
  }),
];

function dataCenterShown(catalog: Catalog, { country: _, ...facts }: DataCenterFacts, include: Include = []) {
  const gpuAvailability = include.includes("GPU_AVAILABILITY")
    ? stockList(catalog, facts.id, catalog.gpuTypes.values())
    : [];
  const cpuAvailability = include.includes("CPU_AVAILABILITY")
    ? stockList(catalog, facts.id, CPU_FLAVORS.values())
    : [];
  return {
    ...facts,
    ...(gpuAvailability.length > 0 && { gpuAvailability }),
    ...(cpuAvailability.length > 0 && { cpuAvailability }),
  };
}
