import { CPU_FLAVORS, type CpuFacts } from "../catalog/cpus";
import type { DataCenterFacts } from "../catalog/dataCenters";
import { CUDA_VERSIONS, compareVersions, type GpuFacts, hostShare } from "../catalog/gpus";
import type { Matchable } from "../http/faults";
import { badRequest, noCapacity } from "../problem";
import type { Service } from "../service";
import type { CpuChoice } from "../store/records";

/** Constraints on where something may be placed. */
export interface PlaceWish {
  readonly cloud: "SECURE" | "COMMUNITY";
  /** Empty = anywhere. */
  readonly dataCenterIds: readonly string[];
  /** Data center of the network volume that must be reachable. */
  readonly volumeDataCenter?: string | undefined;
  readonly globalNetworking?: boolean;
}

/** A GPU type that offers so many GPUs in one pod, or a 400. */
export function gpuType({ catalog }: Service, id: string, count: number, cloud: PlaceWish["cloud"]): GpuFacts {
  const type = catalog.gpuTypes.get(id);
  if (type === undefined) throw badRequest(`GPU type '${id}' not found`);
  const most = type.maxCount[cloud === "SECURE" ? "secure" : "community"];
  if (count > most) throw badRequest(`GPU type '${id}' allows at most ${most} GPUs per pod in the ${cloud} cloud`);
  return type;
}

/** The flavor of a CPU choice, or a 400. */
export function cpuFlavor({ id, vcpuCount }: CpuChoice) {
  const flavor = CPU_FLAVORS.get(id);
  if (flavor === undefined) throw badRequest(`CPU flavor '${id}' not found`);
  const { min, max } = flavor.vcpu;
  if (!Number.isInteger(Math.log2(vcpuCount)) || vcpuCount < min || vcpuCount > max)
    throw badRequest(`vcpuCount must be a power of two from ${min} to ${max} for CPU flavor '${id}'`);
  return flavor;
}

/** Memory of a CPU choice, GB. */
export const memoryOf = ({ id, vcpuCount }: CpuChoice): number =>
  Math.max(1, Math.round((CPU_FLAVORS.get(id)?.ramGbPerVcpu ?? 1) * vcpuCount));

/** A pod's share of its machine. The GPU type may be missing, if a setting has removed it from the catalog. */
export const gpuShareOf = ({ catalog }: Service, { id, count }: { readonly id: string; readonly count: number }) =>
  hostShare({ memory: catalog.gpuTypes.get(id)?.memory ?? 0 }, count);

/** A non-empty set of CUDA versions and a floor exclude each other. */
export function checkCuda(allowed: readonly string[] | undefined, min: string | null | undefined): void {
  if (allowed !== undefined && allowed.length > 0 && min)
    throw badRequest("allowedCudaVersions and minCudaVersion are mutually exclusive");
}

/**
 * The newest CUDA version of a host that meets these constraints; null for a type without CUDA. Versions compare as numbers,
 * part by part.
 */
export function cudaVersionFor(
  { manufacturer }: GpuFacts,
  allowed: readonly string[],
  min: string | null,
): string | null {
  if (manufacturer !== "NVIDIA") return null;
  const version = CUDA_VERSIONS.findLast(
    (candidate) =>
      (allowed.length === 0 || allowed.includes(candidate)) && (!min || compareVersions(candidate, min) >= 0),
  );
  if (version === undefined) throw noCapacity();
  return version;
}

/** The catalog's entry for a choice that was checked before. */
export function computeOf(
  { catalog }: Service,
  { gpu, cpu }: { gpu: { id: string } | null; cpu: { id: string } | null },
): GpuFacts | CpuFacts {
  const facts = gpu === null ? CPU_FLAVORS.get(cpu?.id ?? "") : catalog.gpuTypes.get(gpu.id);
  if (facts === undefined) throw noCapacity();
  return facts;
}

/** The first of the allowed data centers that offers this and has capacity. */
export function findPlace(
  { catalog, faults }: Service,
  call: Matchable,
  compute: GpuFacts | CpuFacts,
  isAllowed: (dataCenter: DataCenterFacts) => boolean,
): DataCenterFacts | undefined {
  const gpuTypeId = "pool" in compute ? compute.id : undefined;
  const fits = Array.from(catalog.dataCenters.values()).filter(
    (dataCenter) => isAllowed(dataCenter) && catalog.stockOf(dataCenter.id, compute) !== "NONE",
  );
  return fits.find(({ id }) => !faults.takesCapacity(call, gpuTypeId, id));
}

/** A place that meets the constraints. Without one, the service answers 400. */
export function place(
  service: Service,
  call: Matchable,
  { dataCenterIds, volumeDataCenter, globalNetworking = false }: PlaceWish,
  compute: GpuFacts | CpuFacts,
): DataCenterFacts {
  const chosen = findPlace(
    service,
    call,
    compute,
    ({ id, globalNetwork }) =>
      (dataCenterIds.length === 0 || dataCenterIds.includes(id)) &&
      (volumeDataCenter === undefined || volumeDataCenter === id) &&
      (!globalNetworking || globalNetwork),
  );
  if (chosen === undefined) throw noCapacity();
  return chosen;
}
