import { z } from "zod";
import { pageOf, pagination, paging, pagingUpTo } from "../http/paging";
import { named, type Route, route } from "../http/route";
import { draftFromCreate, draftFromPatch } from "../model/endpointRules";
import { createEndpoint, patchEndpoint, removeEndpointWithTemplate } from "../model/endpoints";
import { find, list } from "../model/lookup";
import {
  createEndpointRequest,
  endpoint,
  listEndpointsResponse,
  listReleasesResponse,
  listWorkersResponse,
  updateEndpointRequest,
} from "../model/serverlessSchemas";
import { notFound } from "../problem";
import type { Service } from "../service";
import type { BuildRecord } from "../store/records";
import { nounRoutes } from "./noun";
import { endpointShown, releasesShown, workersShown } from "./serverlessView";

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
      const { releases, ...rest } = releasesShown(service, findEndpoint(service, params.id));
      const { page, pagination } = pageOf(releases, query, `listEndpointReleases ${params.id}`);
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
