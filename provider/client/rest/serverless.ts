import { operation } from "../operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { LogLine, LogQuery } from "../schemas/logs";
import {
  CreateEndpointRequest,
  Endpoint,
  EndpointReleases,
  EndpointWorkers,
  ListEndpoints,
  UpdateEndpointRequest,
} from "../schemas/serverless";
import { followLogs, type LogOptions } from "./logs";
import type { Rest } from "./rest";

const KIND = "Endpoint";

export const serverlessOperations = {
  list: operation({ method: "GET", path: "/v2/serverless", kind: KIND, reply: ListEndpoints }),
  get: operation({ method: "GET", path: "/v2/serverless/{id}", kind: KIND, reply: Endpoint }),
  create: operation({
    method: "POST",
    path: "/v2/serverless",
    kind: KIND,
    class: "create",
    body: CreateEndpointRequest,
    reply: Endpoint,
  }),
  update: operation({
    method: "PATCH",
    path: "/v2/serverless/{id}",
    kind: KIND,
    body: UpdateEndpointRequest,
    reply: Endpoint,
  }),
  delete: operation({ method: "DELETE", path: "/v2/serverless/{id}", kind: KIND }),
  workers: operation({ method: "GET", path: "/v2/serverless/{id}/workers", kind: KIND, reply: EndpointWorkers }),
  releases: operation({ method: "GET", path: "/v2/serverless/{id}/releases", kind: KIND, reply: EndpointReleases }),
  workerLogs: operation({
    method: "GET",
    path: "/v2/serverless/{id}/workers/{workerId}/logs",
    kind: KIND,
    query: LogQuery,
    stream: LogLine,
  }),
};

/** Serverless endpoints over REST. */
export function serverless(rest: Rest) {
  const list = (options: CallOptions = {}) => rest.listAll(serverlessOperations.list, "endpoints", options);
  const get = (id: string, options: CallOptions = {}) =>
    rest.call(serverlessOperations.get, { params: { id }, ...options });
  const reads = rest.share(KIND, () => rest.listing(serverlessOperations.list, "endpoints"), get);
  return {
    list,
    /** The same, page by page. */
    iterate: (options: CallOptions = {}) => rest.iterate(serverlessOperations.list, "endpoints", options),
    /** A read of its own. @throws NotFoundError */
    get,
    /** A read of its own; undefined when it is gone, by its id and by the list. */
    find: (id: string, options: CallOptions = {}) => rest.find(KIND, id, (left) => get(id, left), options),
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreateEndpointRequest, options: CreateOptions = {}) =>
      rest.create(serverlessOperations.create, body, list, { ...options }),
    update: (id: string, patch: UpdateEndpointRequest, options: CallOptions = {}) =>
      rest.call(serverlessOperations.update, { params: { id }, body: patch, ...options }),
    /** Resolves when it is gone; to false when it was gone before. */
    delete: (id: string, options?: CallOptions) => rest.remove(serverlessOperations.delete, id, options),
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
