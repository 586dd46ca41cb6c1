import { cpuFlavor, memoryOf } from "../model/placement";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { CpuChoice, EndpointRecord } from "../store/records";

type Gpu = NonNullable<EndpointRecord["gpu"]>;

/**
 * Parses `POOL,POOL,-GPU type id,...`: pools in order of preference, and excluded GPU types. A type that is in none of the
 * pools is stored too.
 */
export function parseGpuIds({ catalog }: Service, gpuIds: string): Pick<Gpu, "pools" | "excludedTypes"> {
  const entries = listed(gpuIds);
  const pools = entries.filter((entry) => !entry.startsWith("-"));
  const excludedTypes = entries.filter((entry) => entry.startsWith("-")).map((entry) => entry.slice(1).trim());
  if (pools.length === 0) throw badRequest("GPU ids are required");
  const pool = excludedTypes.find((type) => catalog.gpuPools.has(type));
  if (pool !== undefined) throw badRequest(`'${pool}' is a GPU pool: only GPU types can be excluded`);
  return { pools, excludedTypes };
}

export const gpuIdsOf = ({ pools, excludedTypes }: Gpu): string =>
  [...pools, ...excludedTypes.map((type) => `-${type}`)].join(",");

/** CUDA versions of an input: an omitted field stays, an empty one is cleared. */
export function cudaFrom(
  input: { readonly allowedCudaVersions?: string | null; readonly minCudaVersion?: string | null },
  before: Gpu | null | undefined,
): Pick<Gpu, "allowedCudaVersions" | "minCudaVersion"> {
  const allowedCudaVersions =
    input.allowedCudaVersions == null ? (before?.allowedCudaVersions ?? []) : listed(input.allowedCudaVersions);
  const minCudaVersion = input.minCudaVersion == null ? (before?.minCudaVersion ?? null) : input.minCudaVersion || null;
  return { allowedCudaVersions, minCudaVersion };
}

/** CPU instance ids, `{flavor}-{vCPUs}-{GB}`. */
export function parseInstanceIds(instanceIds: readonly string[]): CpuChoice[] {
  return instanceIds.map((instanceId) => {
    const [, id = "", vcpus, memory] = /^([a-z0-9]+)-(\d+)-(\d+)$/.exec(instanceId) ?? [];
    const cpu = { id, vcpuCount: Number(vcpus) };
    if (vcpus === undefined) throw badRequest(`instance id '${instanceId}' must look like cpu3c-2-4`);
    cpuFlavor(cpu);
    if (Number(memory) !== memoryOf(cpu)) throw badRequest(`there is no instance '${instanceId}'`);
    return cpu;
  });
}

export const instanceIdOf = (cpu: CpuChoice): string => `${cpu.id}-${cpu.vcpuCount}-${memoryOf(cpu)}`;

/** The data centers of `locations`, which has their ids or country codes. An unknown place is returned unchanged. */
export function dataCentersAt({ catalog }: Service, locations: string | null): string[] {
  return listed(locations ?? "").flatMap((location) => {
    const inCountry = [...catalog.dataCenters.values()]
      .filter(({ country }) => country === location)
      .map(({ id }) => id);
    return inCountry.length > 0 ? inCountry : [location];
  });
}

export const listed = (text: string): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
