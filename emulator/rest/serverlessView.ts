import { balancerUrls } from "../balancer/address";
import { commandIn } from "../model/command";
import { filledIn } from "../model/container";
import { hasIdleTimeout } from "../model/endpointRules";
import { memoryOf } from "../model/placement";
import type { EndpointShown } from "../model/serverlessSchemas";
import type { Service } from "../service";
import type { EndpointRecord } from "../store/records";

/** An endpoint as REST shows it. */
export function endpointShown(service: Service, stored: EndpointRecord): EndpointShown {
  const { urls, settings } = service;
  const record = filledIn(service, stored);
  const { id, name, type, gpu, cpu, workers } = record;
  return {
    id,
    name,
    type,
    requestUrls: requestUrls(urls.serverlessUrl, record),
    image: record.image,
    args: record.args,
    ...commandIn(record.args),
    disk: record.disk,
    ports: [...record.ports],
    env: type === "LOAD_BALANCER" ? withPorts(record.env) : { ...record.env },
    registry: record.registry,
    ...(gpu && {
      gpu: {
        pools: [...gpu.pools],
        ...(gpu.excludedTypes.length > 0 && { excludedTypes: [...gpu.excludedTypes] }),
        count: gpu.count,
        allowedCudaVersions: [...gpu.allowedCudaVersions],
        minCudaVersion: gpu.minCudaVersion,
      },
    }),
    ...(cpu && { cpu: cpu.map((choice) => ({ ...choice, memory: memoryOf(choice) })) }),
    workers: {
      min: workers.min,
      max: workers.max,
      ...(hasIdleTimeout(record) && { idleTimeout: workers.idleTimeout }),
    },
    scaling: record.scaling,
    dataCenterIds: namesCountries(record) && settings.restShowsCountries === "none" ? [] : [...record.dataCenterIds],
    networkVolumes: [...record.networkVolumes],
    ...(settings.globalMounts === "shown" && {
      mounts: { network: mounted(record.networkVolumes), global: mounted(record.globalVolumes ?? []) },
    }),
    timeout: record.timeout,
    flashboot: record.flashboot,
    createdAt: new Date(record.createdAt).toISOString(),
  };
}

const mounted = (ids: readonly string[]) => ids.map((volumeId) => ({ volumeId }));

/** The variables of a load balancer's workers, with those that the platform adds. */
const withPorts = ({ PORT = "80", PORT_HEALTH = PORT, ...env }: EndpointRecord["env"]) => ({
  ...env,
  PORT,
  PORT_HEALTH,
});

/** Whether `locations` has country codes, which are two letters. Ids of data centers are longer. */
const namesCountries = ({ locations }: EndpointRecord): boolean =>
  (locations ?? "").split(",").some((place) => place.trim().length === 2);

function requestUrls(serverlessUrl: string, endpoint: EndpointRecord): EndpointShown["requestUrls"] {
  if (endpoint.type === "LOAD_BALANCER") return balancerUrls(serverlessUrl, endpoint);
  const queue = `${serverlessUrl}/v2/${endpoint.id}`;
  return {
    run: `${queue}/run`,
    runSync: `${queue}/runsync`,
    status: `${queue}/status/{job_id}`,
    stream: `${queue}/stream/{job_id}`,
    cancel: `${queue}/cancel/{job_id}`,
    retry: `${queue}/retry/{job_id}`,
    purgeQueue: `${queue}/purge-queue`,
    health: `${queue}/health`,
  };
}

/** The active workers and how many are in which state. */
export function workersShown({ store, clock }: Service, endpoint: EndpointRecord) {
  const workers = store.workers.by("endpoint", endpoint.id);
  const count = (status: string) => workers.filter((worker) => worker.status === status).length;
  return {
    workers: workers.map((worker) => ({
      id: worker.id,
      status: worker.status,
      isStale: worker.version < endpoint.version,
      version: worker.version,
      gpuCount: worker.gpuCount,
      image: worker.image,
      uptimeSeconds: worker.startedAt === null ? null : Math.floor((clock.now() - worker.startedAt) / 1000),
      gpuTypeId: worker.gpuTypeId,
      dataCenterId: worker.dataCenterId,
      startedAt: worker.startedAt === null ? null : clock.iso(worker.startedAt),
    })),
    summary: {
      running: count("RUNNING"),
      idle: count("IDLE"),
      initializing: count("INITIALIZING"),
      throttled: count("THROTTLED"),
      unhealthy: count("UNHEALTHY"),
      total: workers.length,
    },
    endpointVersion: endpoint.version,
  };
}

/** Releases, newest first, and the progress of the newest. */
export function releasesShown({ store, clock }: Service, endpoint: EndpointRecord) {
  const workers = store.workers.by("endpoint", endpoint.id);
  const running = (version: number) => workers.filter((worker) => worker.version === version).length;
  const workersOnLatest = running(endpoint.version);
  const workersTotal = workers.length;
  return {
    endpointVersion: endpoint.version,
    rollout: {
      inProgress: workersOnLatest < workersTotal,
      workersOnLatest,
      workersTotal,
      percentOnLatest: workersTotal === 0 ? 0 : Math.round((100 * workersOnLatest) / workersTotal),
    },
    releases: store.releases
      .by("endpoint", endpoint.id)
      .toSorted((a, b) => b.version - a.version)
      .map(({ id, version, createdAt, diff }) => ({
        id,
        version,
        source: "MANUAL",
        buildId: null,
        createdByUserId: null,
        workerCount: running(version),
        createdAt: clock.iso(createdAt),
        diff,
      })),
  };
}
