import { z } from "zod";
import { balancerUrls } from "../balancer/address";
import { pageOf, pagination, paging, pagingUpTo } from "../http/paging";
import { named, type Route, route } from "../http/route";
import { commandIn } from "../model/command";
import { filledIn } from "../model/container";
import { draftFromCreate, draftFromPatch, hasIdleTimeout } from "../model/endpointRules";
import { createEndpoint, patchEndpoint, removeEndpointWithTemplate } from "../model/endpoints";
import { find, list } from "../model/lookup";
import { memoryOf } from "../model/placement";
import {
  createEndpointRequest,
  type EndpointShown,
  endpoint,
  listEndpointsResponse,
  listReleasesResponse,
  listWorkersResponse,
  updateEndpointRequest,
} from "../model/serverlessSchemas";
import { notFound } from "../problem";
import type { Service } from "../service";
import type { BuildRecord, EndpointRecord } from "../store/records";
import { nounRoutes } from "./noun";

const MOST_BUILDS = 100;
const text = z.string().nullable();
const build = named(
  "Build",
  z.object({
    id: z.string(),
    status: z.enum(["PENDING", "BUILDING", "UPLOADING", "TESTING", "COMPLETED", "FAILED", "CANCELLED", "TEST_FAILED"]),
    commitHash: text,
    commitMessage: text,
    branch: text,
    commitDate: text,
    imageName: text,
    startedAt: text,
    completedAt: text,
    error: text,
  }),
);
const buildShown = ({ endpointId: _, ...rest }: BuildRecord) => rest;

export const routes: readonly Route[] = [
  ...nounRoutes({
    noun: "Endpoint",
    many: "endpoints",
    called: "endpoint",
    path: "/v2/serverless",
    right: "serverless",
    item: endpoint,
    createBody: createEndpointRequest,
    updateBody: updateEndpointRequest,
    errors: { create: [400, 404], update: [400] },
    listAnswer: listEndpointsResponse,
    records: ({ store }) => store.endpoints,
    listed: (service) => list(service, service.store.endpoints).toReversed(),
    toAnswer: endpointShown,
    create: ({ service, body }) => createEndpoint(service, draftFromCreate(service, body)),
    update: (service, before, patch) => patchEndpoint(service, before, draftFromPatch(service, before, patch)),
    remove: removeEndpointWithTemplate,
  }),
  route({
    method: "GET",
    path: "/v2/serverless/{id}/workers",
    operationId: "listEndpointWorkers",
    summary: "List the workers of an endpoint",
    right: "serverless",
    success: { 200: listWorkersResponse },
    errors: [404],
    handle: ({ service, params }) => workersShown(service, findEndpoint(service, params.id)),
  }),
  route({
    method: "GET",
    path: "/v2/serverless/{id}/releases",
    operationId: "listEndpointReleases",
    summary: "List the releases of an endpoint",
    right: "serverless",
    query: z.object(paging),
    success: { 200: listReleasesResponse },
    errors: [404],
    handle: ({ service, params, query }) => {
      const { releases: all, ...rest } = releasesShown(service, findEndpoint(service, params.id));
      const { page, pagination } = pageOf(all, query, `listEndpointReleases ${params.id}`);
      return { ...rest, releases: page, pagination };
    },
  }),
  route({
    method: "GET",
    path: "/v2/serverless/{id}/builds",
    operationId: "listEndpointBuilds",
    summary: "List the builds of an endpoint that comes from a repository, newest first",
    right: "serverless",
    query: z.object(pagingUpTo(MOST_BUILDS)),
    success: { 200: named("ListEndpointBuildsResponse", z.object({ builds: z.array(build), pagination })) },
    errors: [404],
    handle: ({ service, params, query }) => {
      const { id } = findEndpoint(service, params.id);
      const newest = service.store.builds.by("endpoint", id).toReversed();
      const { page, pagination } = pageOf(newest, query, `listEndpointBuilds ${id}`);
      return { builds: page.map(buildShown), pagination };
    },
  }),
  route({
    method: "GET",
    path: "/v2/serverless/{id}/builds/{buildId}",
    operationId: "getEndpointBuild",
    summary: "Get a build of an endpoint",
    right: "serverless",
    success: { 200: build },
    errors: [404],
    handle: ({ service, params }) => buildShown(findBuild(service, params)),
  }),
];

const findEndpoint = (service: Service, id: string) => find(service, service.store.endpoints, id, "endpoint");

/** A build of this endpoint. */
export function findBuild(service: Service, { id, buildId }: { id: string; buildId: string }): BuildRecord {
  const endpoint = findEndpoint(service, id);
  const build = find(service, service.store.builds, buildId, "build");
  if (build.endpointId !== endpoint.id) throw notFound("build");
  return build;
}

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
function workersShown({ store, clock }: Service, endpoint: EndpointRecord) {
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
function releasesShown(service: Service, endpoint: EndpointRecord) {
  const { store, clock } = service;
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
    releases: service.store.releases
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
