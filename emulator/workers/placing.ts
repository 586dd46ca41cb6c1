import { DISK_USD_PER_GB_HOUR } from "../billing/charges";
import { CPU_FLAVORS, type CpuFacts } from "../catalog/cpus";
import type { GpuFacts } from "../catalog/gpus";
import type { Matchable } from "../http/faults";
import type { Service } from "../service";
import type { EndpointRecord } from "../store/records";

export interface Place {
  readonly compute: GpuFacts | CpuFacts;
  readonly dataCenterId: string;
}

/** The call that capacity faults match when a worker is placed. */
const PLACING: Matchable = { interface: "queue", method: "POST", path: "", operation: "placeWorker" };

/** A place for a worker: the first GPU type with capacity, in the order of the pools. Undefined if none has capacity. */
export function placeWorker(service: Service, endpoint: EndpointRecord): Place | undefined {
  const dataCenterIds = dataCentersOf(service, endpoint);
  for (const compute of computeOf(service, endpoint))
    for (const dataCenterId of dataCenterIds) {
      const offered = service.catalog.stockOf(dataCenterId, compute) !== "NONE";
      if (offered && !service.faults.takesCapacity(PLACING, gpuTypeIdOf(compute) ?? undefined, dataCenterId))
        return { compute, dataCenterId };
    }
  return undefined;
}

/** The GPU type among the catalog's choices; null for a CPU flavor. */
export const gpuTypeIdOf = (compute: GpuFacts | CpuFacts): string | null => ("pool" in compute ? compute.id : null);

export function workerRates({ gpu, cpu, disk }: EndpointRecord, { compute }: Place): Record<string, number> {
  const vcpus = cpu?.find(({ id }) => id === compute.id)?.vcpuCount ?? 0;
  return {
    gpu: "pool" in compute ? (compute.price.serverless ?? 0) * (gpu?.count ?? 0) : 0,
    cpu: "pool" in compute ? 0 : compute.price.serverlessPerVcpu * vcpus,
    disk: disk * DISK_USD_PER_GB_HOUR,
  };
}

/** The GPU types or CPU flavors that may run a worker, in order of preference. */
function computeOf({ catalog }: Service, { gpu, cpu }: EndpointRecord): (GpuFacts | CpuFacts)[] {
  if (gpu === null) return (cpu ?? []).flatMap(({ id }) => CPU_FLAVORS.get(id) ?? []);
  return gpu.pools
    .flatMap((pool) => catalog.gpuPools.get(pool) ?? [])
    .filter(({ id }) => !gpu.excludedTypes.includes(id));
}

/** The data centers where workers may run. Network volumes restrict them. */
function dataCentersOf({ store, catalog }: Service, { dataCenterIds, networkVolumes }: EndpointRecord): string[] {
  const volumesAt = networkVolumes.map((id) => store.networkVolumes.get(id)?.dataCenter);
  return [...catalog.dataCenters.keys()].filter(
    (id) =>
      (dataCenterIds.length === 0 || dataCenterIds.includes(id)) && (volumesAt.length === 0 || volumesAt.includes(id)),
  );
}
