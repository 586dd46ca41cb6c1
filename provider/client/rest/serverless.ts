import { operation } from "../operation";
import type { CallOptions } from "../options";
import { LogLine, LogQuery } from "../schemas/logs";
import {
  CreateEndpointRequest,
  Endpoint,
  EndpointReleases,
  EndpointWorkers,
  ListEndpoints,
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
  releases: operation({ method: "GET", path: `${PATH}/{id}/releases`, kind: KIND, reply: EndpointReleases }),
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
    /** Releases, newest first, and how far the newest has been rolled out. */
    releases: (id: string, options: CallOptions = {}) =>
      rest.call(serverlessOperations.releases, { params: { id }, ...options }),
    /** A worker's log, as it grows. */
    workerLogs: (id: string, workerId: string, options?: LogOptions) =>
      followLogs(rest, serverlessOperations.workerLogs, { id, workerId }, options),
  };
}
