import type { Catalog } from "./catalog";
import type { CpuFacts } from "./cpus";
import type { DataCenterFacts } from "./dataCenters";
import { compareVersions, type GpuFacts, hostCudaVersions } from "./gpus";
import { type AvailabilityLevel, highest, scarcer } from "./stock";

type GpuProduct = "POD" | "CLUSTER" | "SERVERLESS";
type CpuProduct = "POD" | "SERVERLESS";

export interface GpuScope {
  /** It is available if it is available for one of them. */
  readonly products: readonly GpuProduct[];
  readonly count: number;
  readonly cloud: "SECURE" | "COMMUNITY";
  /** Empty = every country. */
  readonly countryCodes: readonly string[];
  /** Empty = every version. */
  readonly cudaVersions: readonly string[];
  readonly minCudaVersion?: string | undefined;
}

export interface CpuScope {
  readonly products: readonly CpuProduct[];
  readonly vcpuCount: number;
}

/** Pools with the fast interconnect that clusters need. */
const CLUSTER_POOLS: ReadonlySet<string | null> = new Set(["AMPERE_80", "ADA_80_PRO", "HOPPER_141", "BLACKWELL_180"]);

/** From so many GPUs in one machine on, availability is lower. */
const LARGE_COUNT = 4;

/** The availability of a GPU type. Keys with nothing to list are absent. */
export function gpuAvailability(catalog: Catalog, gpu: GpuFacts, scope: GpuScope) {
  const cudaVersions = hostCudaVersions(gpu).filter(({ version }) => acceptsCuda(scope, version));
  const constrained = scope.cudaVersions.length > 0 || scope.minCudaVersion !== undefined;
  const offered =
    scope.count <= gpu.maxCount[scope.cloud === "SECURE" ? "secure" : "community"] &&
    scope.products.some((product) => serves(gpu, product)) &&
    (!constrained || cudaVersions.some(({ available }) => available));
  const availability = availableIn(inCountries(catalog, scope.countryCodes), (dataCenter) =>
    offered ? gpuLevel(catalog, gpu, dataCenter, scope) : "NONE",
  );
  return { ...availability, ...(cudaVersions.length > 0 && { cudaVersions }) };
}

export function cpuAvailability(catalog: Catalog, flavor: CpuFacts, { vcpuCount }: CpuScope) {
  const offered = vcpuCount >= flavor.vcpu.min && vcpuCount <= flavor.vcpu.max;
  return availableIn([...catalog.dataCenters.values()], ({ id }) => (offered ? catalog.stockOf(id, flavor) : "NONE"));
}

/** A data center's stock of these items, without those that it does not offer. */
export function stockList(catalog: Catalog, dataCenterId: string, items: Iterable<GpuFacts | CpuFacts>) {
  return Array.from(items, (item) => ({
    id: item.id,
    name: item.name,
    availability: catalog.stockOf(dataCenterId, item),
  })).filter(({ availability }) => availability !== "NONE");
}

export const isInCountries = (catalog: Catalog, gpu: GpuFacts, countryCodes: readonly string[]): boolean =>
  inCountries(catalog, countryCodes).some(({ id }) => catalog.stockOf(id, gpu) !== "NONE");

const inCountries = (catalog: Catalog, countryCodes: readonly string[]): DataCenterFacts[] =>
  Array.from(catalog.dataCenters.values()).filter(
    ({ country }) => countryCodes.length === 0 || countryCodes.includes(country),
  );

const acceptsCuda = ({ cudaVersions, minCudaVersion }: GpuScope, version: string): boolean =>
  (cudaVersions.length === 0 || cudaVersions.includes(version)) &&
  (minCudaVersion === undefined || compareVersions(version, minCudaVersion) >= 0);

export const serves = ({ pool }: GpuFacts, product: GpuProduct): boolean =>
  product === "POD" || (product === "SERVERLESS" ? pool !== null : CLUSTER_POOLS.has(pool));

function gpuLevel(
  catalog: Catalog,
  gpu: GpuFacts,
  { id }: DataCenterFacts,
  { count, cloud }: GpuScope,
): AvailabilityLevel {
  const level = catalog.stockOf(id, gpu);
  const single = cloud === "COMMUNITY" ? scarcer(level) : level;
  return count >= LARGE_COUNT ? scarcer(single) : single;
}

function availableIn(places: readonly DataCenterFacts[], level: (place: DataCenterFacts) => AvailabilityLevel) {
  const dataCenters = places
    .map((place) => ({ id: place.id, name: place.name, availability: level(place) }))
    .filter(({ availability }) => availability !== "NONE");
  const availability = highest(dataCenters.map((dataCenter) => dataCenter.availability));
  return { availability, ...(dataCenters.length > 0 && { dataCenters }) };
}
