import { CPU_FLAVORS } from "../catalog/cpus";
import { DATA_CENTERS } from "../catalog/dataCenters";
import { GPU_POOLS, GPU_TYPES } from "../catalog/gpus";
import type { Matchable } from "../http/faults";
import type { Service } from "../service";
import type { EndpointRecord } from "../store/records";

export interface Place {
  readonly gpuTypeId: string | null;
  readonly dataCenterId: string;
}

/** What capacity faults are told about a worker that looks for a host. */
const PLACING: Matchable = { interface: "queue", method: "POST", path: "", operation: "placeWorker" };

const HOURS_PER_MONTH = 730;
const DISK_USD_PER_GB_MONTH = 0.1;

/** A host for a worker: the first GPU type of the pools, in their order, that has room; undefined when none has. */
export function placeWorker(service: Service, endpoint: EndpointRecord): Place | undefined {
  const gpuTypes = endpoint.gpu === null ? [null] : gpuTypesOf(endpoint.gpu);
  for (const gpuTypeId of gpuTypes)
    for (const dataCenterId of dataCentersOf(service, endpoint))
      if (!service.faults.takesCapacity(PLACING, gpuTypeId ?? undefined, dataCenterId))
        return { gpuTypeId, dataCenterId };
  return undefined;
}

/** USD per hour of one worker. */
export function workerRates({ gpu, cpu, disk }: EndpointRecord, { gpuTypeId }: Place): Record<string, number> {
  const [flavor] = cpu ?? [];
  return {
    gpu: (GPU_TYPES.get(gpuTypeId ?? "")?.price.serverless ?? 0) * (gpu?.count ?? 0),
    cpu: (CPU_FLAVORS.get(flavor?.id ?? "")?.price.serverlessPerVcpu ?? 0) * (flavor?.vcpuCount ?? 0),
    disk: (disk * DISK_USD_PER_GB_MONTH) / HOURS_PER_MONTH,
  };
}

const gpuTypesOf = ({ pools, excludedTypes }: NonNullable<EndpointRecord["gpu"]>): string[] =>
  pools
    .flatMap((pool) => GPU_POOLS.get(pool) ?? [])
    .map(({ id }) => id)
    .filter((id) => !excludedTypes.includes(id));

/** Network volumes tie an endpoint to their data centers. */
function dataCentersOf({ store }: Service, { dataCenterIds, networkVolumes }: EndpointRecord): string[] {
  const volumesAt = networkVolumes.map((id) => store.networkVolumes.get(id)?.dataCenter);
  return [...DATA_CENTERS.keys()].filter(
    (id) =>
      (dataCenterIds.length === 0 || dataCenterIds.includes(id)) && (volumesAt.length === 0 || volumesAt.includes(id)),
  );
}
