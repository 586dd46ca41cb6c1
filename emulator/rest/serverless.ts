import { z } from "zod";
import { named } from "../http/openapi";
import { pageOf, pagination, paging, pagingUpTo } from "../http/paging";
import { type Route, route } from "../http/route";
import { draftFromCreate, draftFromPatch } from "../model/endpointRules";
import { createEndpoint, patchEndpoint, removeEndpointWithTemplate } from "../model/endpoints";
import { find, list } from "../model/lookup";
import { notFound } from "../problem";
import type { Service } from "../service";
import type { BuildRecord } from "../store/records";
import { listReleasesResponse, listWorkersResponse } from "./rolloutSchemas";
import { createEndpointRequest, endpoint, listEndpointsResponse, updateEndpointRequest } from "./serverlessSchemas";
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
  route({
    method: "GET",
    path: "/v2/serverless",
    operationId: "listEndpoints",
    summary: "List serverless endpoints, newest first",
    right: "serverless",
    query: z.object(paging),
    success: { 200: listEndpointsResponse },
    handle: ({ service, query }) => {
      const { page, pagination } = pageOf(list(service, service.store.endpoints).toReversed(), query, "listEndpoints");
      return { endpoints: page.map((record) => endpointShown(service, record)), pagination };
    },
  }),
  route({
    method: "POST",
    path: "/v2/serverless",
    operationId: "createEndpoint",
    summary: "Create a serverless endpoint",
    right: "serverless",
    body: createEndpointRequest,
    success: { 201: endpoint },
    errors: [400, 404],
    handle: ({ service, body }) => endpointShown(service, createEndpoint(service, draftFromCreate(service, body))),
  }),
  route({
    method: "GET",
    path: "/v2/serverless/{id}",
    operationId: "getEndpoint",
    summary: "Get a serverless endpoint",
    right: "serverless",
    success: { 200: endpoint },
    errors: [404],
    handle: ({ service, params }) => endpointShown(service, findEndpoint(service, params.id)),
  }),
  route({
    method: "PATCH",
    path: "/v2/serverless/{id}",
    operationId: "updateEndpoint",
    summary: "Update a serverless endpoint",
    right: "serverless",
    body: updateEndpointRequest,
    success: { 200: endpoint },
    errors: [400, 404],
    handle: ({ service, params, body }) => {
      const before = findEndpoint(service, params.id);
      return endpointShown(service, patchEndpoint(service, before, draftFromPatch(service, before, body)));
    },
  }),
  route({
    method: "DELETE",
    path: "/v2/serverless/{id}",
    operationId: "deleteEndpoint",
    summary: "Delete a serverless endpoint",
    right: "serverless",
    success: { 204: null },
    errors: [404],
    handle: ({ service, params }) => removeEndpointWithTemplate(service, findEndpoint(service, params.id)),
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
    handle: ({ service, params }) => {
      const { id } = findEndpoint(service, params.id);
      const found = find(service, service.store.builds, params.buildId, "build");
      if (found.endpointId !== id) throw notFound("build");
      return buildShown(found);
    },
  }),
];

const findEndpoint = (service: Service, id: string) => find(service, service.store.endpoints, id, "endpoint");
