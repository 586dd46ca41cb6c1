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
  release,
  updateEndpointRequest,
  worker,
} from "../model/serverlessSchemas";
import { notFound } from "../problem";
import type { Service } from "../service";
import type { BuildRecord, EndpointRecord } from "../store/records";
import { answerOf, nounRoutes, type PageQuery } from "./noun";

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
    listed: (service) => list(service, service.store.endpoints).toReversed(),
    toAnswer: endpointShown,
    create: ({ service, body }) => createEndpoint(service, draftFromCreate(service, body)),
    update: (service, before, patch) => patchEndpoint(service, before, draftFromPatch(service, before, patch)),
    remove: removeEndpointWithTemplate,
  }),
  route({
    path: "/v2/serverless/{id}/workers",
    operationId: "listEndpointWorkers",
    summary: "List the workers of an endpoint",
    right: "serverless",
    success: { 200: listWorkersResponse },
    handle: ({ service, params }) => workersShown(service, findEndpoint(service, params.id)),
  }),
  route({
    path: "/v2/serverless/{id}/releases",
    operationId: "listEndpointReleases",
    summary: "List the releases of an endpoint",
    right: "serverless",
    query: z.object(paging),
    success: { 200: listReleasesResponse },
    handle: ({ service, params, query }) => releasesShown(service, findEndpoint(service, params.id), query),
  }),
  route({
    path: "/v2/serverless/{id}/builds",
    operationId: "listEndpointBuilds",
    summary: "List the builds of an endpoint that comes from a repository, newest first",
    right: "serverless",
    query: z.object(pagingUpTo(MOST_BUILDS)),
    success: { 200: named("ListEndpointBuildsResponse", z.object({ builds: z.array(build), pagination })) },
    handle: ({ service, params, query }) => {
      const { id } = findEndpoint(service, params.id);
      const newest = service.store.builds.by("endpoint", id).toReversed();
      const { page, pagination } = pageOf(newest, query, `listEndpointBuilds ${id}`);
      return { builds: page.map((record) => answerOf(build, record)), pagination };
    },
  }),
  route({
    path: "/v2/serverless/{id}/builds/{buildId}",
    operationId: "getEndpointBuild",
    summary: "Get a build of an endpoint",
    right: "serverless",
    success: { 200: build },
    handle: ({ service, params }) => answerOf(build, findBuild(service, params)),
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
function endpointShown(service: Service, stored: EndpointRecord) {
  const { urls, settings } = service;
  const record = filledIn(service, stored);
  const { gpu, cpu, workers, ...rest } = record;
  return answerOf(endpoint, {
    ...rest,
    ...commandIn(record.args),
    requestUrls: requestUrls(urls.serverlessUrl, record),
    env: record.type === "LOAD_BALANCER" ? withPorts(record.env) : record.env,
    ...(gpu && { gpu: gpuShown(gpu) }),
    ...(cpu && { cpu: cpu.map((choice) => ({ ...choice, memory: memoryOf(choice) })) }),
    workers: {
      min: workers.min,
      max: workers.max,
      ...(hasIdleTimeout(record) && { idleTimeout: workers.idleTimeout }),
    },
    dataCenterIds: namesCountries(record) && settings.restShowsCountries === "none" ? [] : record.dataCenterIds,
    ...(settings.globalMounts === "shown" && {
      mounts: { network: mounted(record.networkVolumes), global: mounted(record.globalVolumes ?? []) },
    }),
  });
}

/** Without exclusions there is no list of them. */
const gpuShown = ({ excludedTypes, ...gpu }: NonNullable<EndpointRecord["gpu"]>) => ({
  ...gpu,
  ...(excludedTypes.length > 0 && { excludedTypes }),
});

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
    workers: workers.map((record) =>
      answerOf(worker, {
        ...record,
        isStale: record.version < endpoint.version,
        uptimeSeconds: record.startedAt === null ? null : Math.floor((clock.now() - record.startedAt) / 1000),
      }),
    ),
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
function releasesShown({ store }: Service, { id, version }: EndpointRecord, query: PageQuery) {
  const workers = store.workers.by("endpoint", id);
  const running = (ofVersion: number) => workers.filter((each) => each.version === ofVersion).length;
  const workersOnLatest = running(version);
  const workersTotal = workers.length;
  const newest = store.releases.by("endpoint", id).toSorted((a, b) => b.version - a.version);
  const { page, pagination } = pageOf(newest, query, `listEndpointReleases ${id}`);
  const origin = { source: "MANUAL", buildId: null, createdByUserId: null } as const;
  return {
    endpointVersion: version,
    rollout: {
      inProgress: workersOnLatest < workersTotal,
      workersOnLatest,
      workersTotal,
      percentOnLatest: workersTotal === 0 ? 0 : Math.round((100 * workersOnLatest) / workersTotal),
    },
    releases: page.map((record) => answerOf(release, { ...record, ...origin, workerCount: running(record.version) })),
    pagination,
  };
}
