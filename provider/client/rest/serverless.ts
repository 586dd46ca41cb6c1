import { operation } from "../calls/operation";
import type { ServerlessCalls } from "../nouns";
import { type CallOptions, splitOptions } from "../options";
import { LogLine, LogQuery } from "../schemas/logs";
import {
  Build,
  CreateEndpointRequest,
  Endpoint,
  EndpointReleases,
  EndpointWorkers,
  ListBuilds,
  ListEndpoints,
  PageQuery,
  UpdateEndpointRequest,
} from "../schemas/serverless";
import { collection, collectionOperations } from "./collection";
import { followLogs, type LogOptions } from "./logs";
import type { Rest } from "./rest";

const KIND = "Endpoint";
const PATH = "/v2/serverless";

export const serverlessOperations = {
  ...collectionOperations({
    kind: KIND,
    path: PATH,
    list: ListEndpoints,
    item: Endpoint,
    create: CreateEndpointRequest,
    update: UpdateEndpointRequest,
  }),
  workers: operation({ method: "GET", path: `${PATH}/{id}/workers`, kind: KIND, reply: EndpointWorkers }),
  releases: operation({
    method: "GET",
    path: `${PATH}/{id}/releases`,
    kind: KIND,
    query: PageQuery,
    reply: EndpointReleases,
  }),
  builds: operation({ method: "GET", path: `${PATH}/{id}/builds`, kind: KIND, query: PageQuery, reply: ListBuilds }),
  build: operation({ method: "GET", path: `${PATH}/{id}/builds/{buildId}`, kind: KIND, reply: Build }),
  buildLogs: operation({
    method: "GET",
    path: `${PATH}/{id}/builds/{buildId}/logs`,
    kind: KIND,
    stream: LogLine,
  }),
  workerLogs: operation({
    method: "GET",
    path: `${PATH}/{id}/workers/{workerId}/logs`,
    kind: KIND,
    query: LogQuery,
    stream: LogLine,
  }),
};

export function serverless(rest: Rest): ServerlessCalls {
  const endpoints = collection(rest, "endpoints", serverlessOperations);
  return {
    ...endpoints,
    find: (id: string, options: CallOptions = {}) =>
      rest.find(KIND, id, (remaining) => endpoints.get(id, remaining), options),
    workers: (id: string, options: CallOptions = {}) =>
      rest.call(serverlessOperations.workers, { params: { id }, ...options }),
    releases: (id: string, given: PageQuery & CallOptions = {}) => {
      const { options, query } = splitOptions(given);
      return rest.call(serverlessOperations.releases, { params: { id }, query, ...options });
    },
    builds: (id: string, options: CallOptions = {}) =>
      rest.listAll(serverlessOperations.builds, "builds", { params: { id }, ...options }),
    build: (id: string, buildId: string, options: CallOptions = {}) =>
      rest.call(serverlessOperations.build, { params: { id, buildId }, ...options }),
    buildLogs: (id: string, buildId: string, options?: CallOptions) =>
      followLogs(rest, serverlessOperations.buildLogs, { id, buildId }, options),
    workerLogs: (id: string, workerId: string, options?: LogOptions) =>
      followLogs(rest, serverlessOperations.workerLogs, { id, workerId }, options),
  };
}
