import type { GpuFacts } from "../catalog/gpus";
import type { Service } from "../service";

interface GpuFilter {
  readonly id?: string | null;
  readonly ids?: readonly string[] | null;
}

/** The GPU types that match a filter; none for an unknown id. */
export const gpuTypes =
  ({ catalog }: Service) =>
  ({ input }: { readonly input?: GpuFilter | null }) => {
    const wanted = [...(input?.ids ?? []), ...(input?.id == null ? [] : [input.id])];
    return [...catalog.gpuTypes.values()].filter(({ id }) => wanted.length === 0 || wanted.includes(id)).map(gpuShown);
  };

/** A GPU type in GraphQL's fields. The emulator has no weekly, monthly or auction prices. */
function gpuShown(gpu: GpuFacts) {
  const { maxCount, price } = gpu;
  const prices = [maxCount.secure > 0 ? price.secure : [], maxCount.community > 0 ? price.community : []].flat();
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
    lowestPrice: { uninterruptablePrice: prices.length === 0 ? null : Math.min(...prices) },
  };
}
