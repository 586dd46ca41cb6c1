import { operation } from "../operation";
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

/** Serverless endpoints over REST. */
export function serverless(rest: Rest) {
  const endpoints = collection(rest, "endpoints", serverlessOperations);
  return {
    ...endpoints,
    /** A read of its own; undefined when it is gone, by its id and by the list. */
    find: (id: string, options: CallOptions = {}) => rest.find(KIND, id, (left) => endpoints.get(id, left), options),
    /** Active workers with their states. */
    workers: (id: string, options: CallOptions = {}) =>
      rest.call(serverlessOperations.workers, { params: { id }, ...options }),
    /** Releases, newest first, and how far the newest has been rolled out. Default: the newest 1000. */
    releases: (id: string, given: PageQuery & CallOptions = {}) => {
      const { options, query } = splitOptions(given);
      return rest.call(serverlessOperations.releases, { params: { id }, query, ...options });
    },
    /** Builds of an endpoint that comes from a repository, newest first. */
    builds: (id: string, options: CallOptions = {}) =>
      rest.listAll(serverlessOperations.builds, "builds", { params: { id }, ...options }),
    /** @throws NotFoundError */
    build: (id: string, buildId: string, options: CallOptions = {}) =>
      rest.call(serverlessOperations.build, { params: { id, buildId }, ...options }),
    /**
     * What a build has printed, as it grows.
     *
     * @throws NotFoundError
     */
    buildLogs: (id: string, buildId: string, options?: CallOptions) =>
      followLogs(rest, serverlessOperations.buildLogs, { id, buildId }, options),
    /** A worker's log, as it grows. */
    workerLogs: (id: string, workerId: string, options?: LogOptions) =>
      followLogs(rest, serverlessOperations.workerLogs, { id, workerId }, options),
  };
}
