/* The catalog over GraphQL. Its queries need no key. */

import { serves } from "../catalog/availability";
import { CPU_FLAVORS, type CpuFacts } from "../catalog/cpus";
import type { DataCenterFacts } from "../catalog/dataCenters";
import { type GpuFacts, hostShare, leastBid, lowestPrice } from "../catalog/gpus";
import { type AvailabilityLevel, highest } from "../catalog/stock";
import type { Service } from "../service";
import { parseInstanceIds } from "./compute";

/** The arguments of a field that takes an input. */
interface Takes<Input> {
  readonly input?: Input | null;
}

interface GpuFilter {
  readonly id?: string | null;
  readonly ids?: readonly string[] | null;
  readonly cluster?: boolean | null;
}

export const catalogQueries = (service: Service) => ({
  /** Those that match a filter; none for an unknown id. */
  gpuTypes: ({ input }: Takes<GpuFilter>) => {
    const wanted = [...(input?.ids ?? []), ...(input?.id == null ? [] : [input.id])];
    return Array.from(service.catalog.gpuTypes.values())
      .filter(({ id }) => wanted.length === 0 || wanted.includes(id))
      .filter((gpu) => input?.cluster !== true || serves(gpu, "CLUSTER"))
      .map((gpu) => gpuShown(service, gpu));
  },
  cpuFlavors: ({ input }: Takes<{ readonly id?: string | null }>) =>
    Array.from(CPU_FLAVORS.values())
      .filter(({ id }) => input?.id == null || input.id === id)
      .map((flavor) => flavorShown(service, flavor)),
  countryCodes: () => [...new Set(Array.from(service.catalog.dataCenters.values(), ({ country }) => country))],
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
export const CATALOG_QUERIES: ReadonlySet<string> = new Set(["gpuTypes", "cpuFlavors", "dataCenters", "countryCodes"]);

export const dataCenterShown = (id: string, facts: DataCenterFacts | undefined) => ({
  id,
  name: facts?.name ?? null,
  location: facts?.country ?? null,
  storageSupport: facts !== undefined && facts.networkVolumeTypes.length > 0,
  listed: facts !== undefined,
});

/** GraphQL writes `High` and has null for what is not in stock. */
const statusOf = (level: AvailabilityLevel): string | null =>
  level === "NONE" ? null : level[0] + level.slice(1).toLowerCase();

interface PlaceFilter {
  readonly dataCenterId?: string | null;
  readonly countryCode?: string | null;
}

const stockIn = ({ catalog }: Service, item: GpuFacts | CpuFacts, wanted: PlaceFilter = {}): string | null =>
  statusOf(
    highest(
      Array.from(catalog.dataCenters.values())
        .filter(({ id }) => !wanted.dataCenterId || id === wanted.dataCenterId)
        .filter(({ country }) => !wanted.countryCode || country === wanted.countryCode)
        .map(({ id }) => catalog.stockOf(id, item)),
    ),
  );

interface LowestPriceFilter extends PlaceFilter {
  readonly gpuCount?: number | null;
  readonly secureCloud?: boolean | null;
}

/** A GPU type in GraphQL's fields. The emulator has no weekly or monthly prices, and one price for pods and clusters. */
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
    minPodGpuCount: 1,
    secureSpotPrice: maxCount.secure > 0 ? price.secure / 2 : null,
    communitySpotPrice: maxCount.community > 0 ? price.community / 2 : null,
    clusterPrice: serves(gpu, "CLUSTER") ? price.secure : null,
    nodeGroupDatacenters: () =>
      Array.from(service.catalog.dataCenters.values())
        .filter(({ id }) => serves(gpu, "CLUSTER") && service.catalog.stockOf(id, gpu) !== "NONE")
        .map((place) => dataCenterShown(place.id, place)),
    lowestPrice: ({ input }: Takes<LowestPriceFilter>) => {
      const { gpuCount, secureCloud, countryCode } = input ?? {};
      const host = hostShare(gpu, gpuCount ?? 1);
      const most =
        secureCloud == null ? Math.max(...Object.values(maxCount)) : maxCount[secureCloud ? "secure" : "community"];
      return {
        minimumBidPrice: leastBid(gpu),
        uninterruptablePrice: lowestPrice(gpu),
        stockStatus: most < (gpuCount ?? 1) ? null : stockIn(service, gpu, input ?? {}),
        minVcpu: host.vcpuCount,
        minMemory: host.memory,
        countryCode,
        maxUnreservedGpuCount: most,
        availableGpuCounts: Array.from({ length: most }, (_, index) => index + 1),
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
  vcpuBurstable: false,
  ramMultiplier: flavor.ramGbPerVcpu,
  diskLimitPerVcpu: flavor.diskGbPerVcpu,
  specifics: ({ input }: Takes<PlaceFilter & { readonly instanceId?: string | null }>) => {
    // The smallest instance unless one is named.
    const [choice] = input?.instanceId == null ? [] : parseInstanceIds([input.instanceId]);
    const vcpus = choice?.vcpuCount ?? flavor.vcpu.min;
    return {
      stockStatus: stockIn(service, flavor, input ?? {}),
      securePrice: flavor.price.securePerVcpu * vcpus,
      slsPrice: flavor.price.serverlessPerVcpu * vcpus,
    };
  },
});
