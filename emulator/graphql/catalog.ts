/* The catalog over GraphQL. Its queries need no key. */
import { CPU_FLAVORS, type CpuFacts } from "../catalog/cpus";
import type { DataCenterFacts } from "../catalog/dataCenters";
import { type GpuFacts, hostShare, leastBid, lowestPrice } from "../catalog/gpus";
import { type AvailabilityLevel, highest } from "../catalog/stock";
import type { Service } from "../service";
import { parseInstanceIds } from "./compute";

interface GpuFilter {
  readonly id?: string | null;
  readonly ids?: readonly string[] | null;
}

export const catalogQueries = (service: Service) => ({
  /** Those that match a filter; none for an unknown id. */
  gpuTypes: ({ input }: { readonly input?: GpuFilter | null }) => {
    const wanted = [...(input?.ids ?? []), ...(input?.id == null ? [] : [input.id])];
    return Array.from(service.catalog.gpuTypes.values())
      .filter(({ id }) => wanted.length === 0 || wanted.includes(id))
      .map((gpu) => gpuShown(service, gpu));
  },
  cpuFlavors: () => Array.from(CPU_FLAVORS.values(), (flavor) => flavorShown(service, flavor)),
  dataCenters: () =>
    Array.from(service.catalog.dataCenters.values(), (place) => ({
      ...dataCenterShown(place.id, place),
      gpuAvailability: () =>
        Array.from(service.catalog.gpuTypes.values(), (gpu) => {
          const stockStatus = statusOf(service.catalog.stockOf(place.id, gpu));
          return { gpuTypeId: gpu.id, gpuTypeDisplayName: gpu.name, available: stockStatus !== null, stockStatus };
        }),
    })),
});

/** The names of its queries. */
export const CATALOG_QUERIES: ReadonlySet<string> = new Set(["gpuTypes", "cpuFlavors", "dataCenters"]);

export const dataCenterShown = (id: string, facts: DataCenterFacts | undefined) => ({
  id,
  name: facts?.name ?? null,
  location: facts?.country ?? null,
  storageSupport: facts !== undefined && facts.networkVolumeTypes.length > 0,
});

/** GraphQL writes `High` and has null for what is not in stock. */
const statusOf = (level: AvailabilityLevel): string | null =>
  level === "NONE" ? null : level[0] + level.slice(1).toLowerCase();

const stockIn = ({ catalog }: Service, item: GpuFacts | CpuFacts, dataCenterId?: string | null): string | null =>
  statusOf(
    highest(
      Array.from(catalog.dataCenters.keys())
        .filter((id) => !dataCenterId || id === dataCenterId)
        .map((id) => catalog.stockOf(id, item)),
    ),
  );

interface LowestPriceFilter {
  readonly gpuCount?: number | null;
  readonly dataCenterId?: string | null;
}

/** A GPU type in GraphQL's fields. The emulator has no weekly or monthly prices. */
function gpuShown(service: Service, gpu: GpuFacts) {
  const { maxCount, price } = gpu;
  return {
    id: gpu.id,
    displayName: gpu.name,
    manufacturer: gpu.manufacturer,
    memoryInGb: gpu.memory,
    secureCloud: maxCount.secure > 0,
    communityCloud: maxCount.community > 0,
    securePrice: price.secure,
    communityPrice: price.community,
    maxGpuCount: Math.max(maxCount.secure, maxCount.community),
    maxGpuCountSecureCloud: maxCount.secure,
    maxGpuCountCommunityCloud: maxCount.community,
    lowestPrice: ({ input }: { readonly input?: LowestPriceFilter | null }) => {
      const host = hostShare(gpu, input?.gpuCount ?? 1);
      return {
        minimumBidPrice: leastBid(gpu),
        uninterruptablePrice: lowestPrice(gpu),
        stockStatus: stockIn(service, gpu, input?.dataCenterId),
        minVcpu: host.vcpuCount,
        minMemory: host.memory,
      };
    },
  };
}

const flavorShown = (service: Service, flavor: CpuFacts) => ({
  id: flavor.id,
  groupId: flavor.id.slice(0, 4),
  groupName: flavor.group,
  displayName: flavor.name,
  minVcpu: flavor.vcpu.min,
  maxVcpu: flavor.vcpu.max,
  ramMultiplier: flavor.ramGbPerVcpu,
  diskLimitPerVcpu: flavor.diskGbPerVcpu,
  specifics: ({
    input,
  }: {
    readonly input: { readonly instanceId: string; readonly dataCenterId?: string | null };
  }) => {
    const [choice] = parseInstanceIds([input.instanceId]);
    const vcpus = choice?.vcpuCount ?? 0;
    return {
      stockStatus: stockIn(service, flavor, input.dataCenterId),
      securePrice: flavor.price.securePerVcpu * vcpus,
      slsPrice: flavor.price.serverlessPerVcpu * vcpus,
    };
  },
});
