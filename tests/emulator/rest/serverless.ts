import { type Route, route } from "../http/route";
import { draftFromCreate, draftFromPatch } from "../model/endpointRules";
import { createEndpoint, patchEndpoint, removeEndpointWithTemplate } from "../model/endpoints";
import { find, list } from "../model/lookup";
import type { Service } from "../service";
import { listReleasesResponse, listWorkersResponse } from "./rolloutSchemas";
import { createEndpointRequest, endpoint, listEndpointsResponse, updateEndpointRequest } from "./serverlessSchemas";
import { endpointShown, releasesShown, workersShown } from "./serverlessView";

export const serverlessRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/serverless",
    operationId: "listEndpoints",
    summary: "List serverless endpoints",
    area: "serverless",
    success: { 200: listEndpointsResponse },
    handle: ({ service }) => ({
      endpoints: list(service, service.store.endpoints).map((record) => endpointShown(service, record)),
    }),
  }),
  route({
    method: "POST",
    path: "/v2/serverless",
    operationId: "createEndpoint",
    summary: "Create a serverless endpoint",
    area: "serverless",
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
    area: "serverless",
    success: { 200: endpoint },
    errors: [404],
    handle: ({ service, params }) => endpointShown(service, findEndpoint(service, params.id)),
  }),
  route({
    method: "PATCH",
    path: "/v2/serverless/{id}",
    operationId: "updateEndpoint",
    summary: "Update a serverless endpoint",
    area: "serverless",
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
    area: "serverless",
    success: { 204: null },
    errors: [404],
    handle: ({ service, params }) => removeEndpointWithTemplate(service, findEndpoint(service, params.id)),
  }),
  route({
    method: "GET",
    path: "/v2/serverless/{id}/workers",
    operationId: "listEndpointWorkers",
    summary: "List the workers of an endpoint",
    area: "serverless",
    success: { 200: listWorkersResponse },
    errors: [404],
    handle: ({ service, params }) => workersShown(service, findEndpoint(service, params.id)),
  }),
  route({
    method: "GET",
    path: "/v2/serverless/{id}/releases",
    operationId: "listEndpointReleases",
    summary: "List the releases of an endpoint",
    area: "serverless",
    success: { 200: listReleasesResponse },
    errors: [404],
    handle: ({ service, params }) => releasesShown(service, findEndpoint(service, params.id)),
  }),
];

const findEndpoint = (service: Service, id: string) => find(service, service.store.endpoints, id, "endpoint");
