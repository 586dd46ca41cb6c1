import { DISK_USD_PER_GB_HOUR } from "../billing/charges";
import { CPU_FLAVORS, type CpuFacts } from "../catalog/cpus";
import type { DataCenterFacts } from "../catalog/dataCenters";
import type { GpuFacts } from "../catalog/gpus";
import type { Matchable } from "../http/faults";
import { newId } from "../ids";
import { findPlace } from "../model/placement";
import { behaviourOf } from "../queue/handlers";
import type { Service } from "../service";
import type { EndpointRecord, WorkerRecord } from "../store/records";

/** How long a worker without a host waits for the next attempt. */
const THROTTLED_MS = 30_000;
/** The back-off from a crash to the next start. It doubles with every further crash. */
const CRASH_BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 300_000;

export function startWorker(service: Service, endpoint: EndpointRecord): void {
  const { version, image, env, gpu } = endpoint;
  const now = service.clock.now();
  boot(service, endpoint, {
    id: newId.worker(),
    endpointId: endpoint.id,
    status: "THROTTLED",
    version,
    image,
    env,
    jobId: null,
    gpuTypeId: null,
    gpuCount: gpu?.count ?? 0,
    dataCenterId: null,
    createdAt: now,
    since: now,
    until: null,
    startedAt: null,
    crashes: 0,
  });
}

/** Moves a worker to its next status, when the current one is over. @param booted called when its container has booted */
export function passState(
  service: Service,
  endpoint: EndpointRecord,
  worker: WorkerRecord,
  booted: (worker: WorkerRecord) => void,
): void {
  if (worker.until === null || worker.until > service.clock.now()) return;
  if (worker.status !== "INITIALIZING") boot(service, endpoint, worker);
  else if (behaviourOf(worker, service).dead === true) crashWorker(service, worker);
  else booted(worker);
}

export function markReady(service: Service, worker: WorkerRecord): void {
  service.logs.write(worker.id, "container", "worker is ready");
  enter(service, { ...worker, status: "IDLE", crashes: 0, readyAt: service.clock.now() });
}

export function occupyWorker(service: Service, worker: WorkerRecord, jobId: string): void {
  service.logs.write(worker.id, "container", `started job ${jobId}`);
  enter(service, { ...worker, status: "RUNNING", jobId });
}

export function freeWorker(service: Service, worker: WorkerRecord): void {
  enter(service, { ...worker, status: "IDLE", jobId: null });
}

/** The container crashed. The next start waits longer after every crash in a row. */
export function crashWorker(service: Service, worker: WorkerRecord): void {
  const backoff = Math.min(CRASH_BACKOFF_MS * 2 ** worker.crashes, LONGEST_BACKOFF_MS);
  service.logs.write(worker.id, "system", `container exited with code 1; next start in ${backoff / 1000} s`);
  service.meter.stop(worker.id);
  service.traffic.health.delete(worker.id);
  enter(service, { ...worker, status: "UNHEALTHY", jobId: null, crashes: worker.crashes + 1 }, backoff);
}

export function removeWorker(service: Service, { id }: WorkerRecord): void {
  service.logs.write(id, "system", "worker stopped");
  service.logs.end(id);
  service.meter.stop(id);
  service.traffic.health.delete(id);
  service.store.workers.delete(id);
}

/** Searches for a host and starts the container there. Without a host the worker is throttled. */
function boot(service: Service, endpoint: EndpointRecord, worker: WorkerRecord): void {
  const { throttledMs = 0 } = behaviourOf(worker, service);
  const throttled = service.clock.now() < worker.createdAt + throttledMs;
  const place = throttled ? undefined : placeWorker(service, endpoint);
  if (place === undefined) {
    enter(service, { ...worker, status: "THROTTLED" }, THROTTLED_MS);
    return;
  }
  service.logs.write(worker.id, "system", `starting container from ${worker.image}`);
  service.meter.start("serverless", endpoint.id, workerRates(endpoint, place), worker.id);
  const startedAt = service.clock.now();
  const { compute, dataCenterId } = place;
  const booting = {
    ...worker,
    gpuTypeId: "pool" in compute ? compute.id : null,
    dataCenterId,
    startedAt,
    status: "INITIALIZING",
  } as const;
  enter(service, booting, service.settings.workerColdStartMs);
}

/** Puts a worker into a status, for so many ms or for good. */
export function enter({ store, clock }: Service, worker: WorkerRecord, forMs?: number): void {
  const since = clock.now();
  store.workers.put({ ...worker, since, until: forMs === undefined ? null : since + forMs });
}

interface Place {
  readonly compute: GpuFacts | CpuFacts;
  readonly dataCenterId: string;
}

/** The call that capacity faults match when a worker is placed. */
const PLACING: Matchable = { interface: "queue", method: "POST", path: "", operation: "placeWorker" };

/** A place for a worker: the first GPU type with capacity, in the order of the pools, where its network volumes are. */
function placeWorker(service: Service, endpoint: EndpointRecord): Place | undefined {
  const { dataCenterIds, networkVolumes } = endpoint;
  const volumesAt = networkVolumes.map((id) => service.store.networkVolumes.get(id)?.dataCenter);
  const isAllowed = ({ id }: DataCenterFacts) =>
    (dataCenterIds.length === 0 || dataCenterIds.includes(id)) && (volumesAt.length === 0 || volumesAt.includes(id));
  for (const compute of computeOf(service, endpoint)) {
    const dataCenterId = findPlace(service, PLACING, compute, isAllowed)?.id;
    if (dataCenterId !== undefined) return { compute, dataCenterId };
  }
  return undefined;
}

function workerRates({ gpu, cpu, disk }: EndpointRecord, { compute }: Place): Record<string, number> {
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
