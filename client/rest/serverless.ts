import { type Operation, operation } from "../calls/operation";
import { type CallOptions, splitOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { listOf } from "../schemas/common";
import { LogLine, LogQuery } from "../schemas/logs";
import {
  Build,
  CreateEndpointRequest,
  Endpoint,
  EndpointReleases,
  EndpointWorkers,
  PageQuery,
  UpdateEndpointRequest,
} from "../schemas/serverless";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import { followLogs, type LogOptions } from "./logs";
import type { Rest } from "./rest";

/** Serverless endpoints as REST shows them. `/v2/serverless`. */
export interface ServerlessCalls extends CollectionCalls<Endpoint, CreateEndpointRequest, UpdateEndpointRequest> {
  /**
   * Creates an endpoint. `POST /v2/serverless`.
   *
   * @throws what {@link CollectionCalls.create} throws; BadRequestError also when the account's workers do not suffice
   * @example
   * const endpoint = await client.serverless.create({
   *   name: "chat",
   *   type: "QUEUE",
   *   image: "registry.example.com/chat:1",
   *   gpu: { pools: ["AMPERE_24"] },
   *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
   *   timeout: 600_000,
   * });
   */
  create(body: CreateEndpointRequest, options?: CreateOptions): Promise<Endpoint>;
  /**
   * Changes an endpoint. `PATCH /v2/serverless/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.serverless.update("4kqwe7f0", { workers: { min: 0, max: 3, idleTimeout: 10 } });
   */
  update(id: string, patch: UpdateEndpointRequest, options?: CallOptions): Promise<Endpoint>;
  /**
   * One endpoint, by a request of its own.
   *
   * @returns undefined when the service has no such id, and a list confirms it
   * @example
   * const endpoint = await client.serverless.find("4kqwe7f0");
   */
  find(id: string, options?: CallOptions): Promise<Endpoint | undefined>;
  /**
   * The active workers and their states. `GET /v2/serverless/{id}/workers`.
   *
   * @throws NotFoundError
   * @example
   * const { workers = [] } = await client.serverless.workers("4kqwe7f0");
   */
  workers(id: string, options?: CallOptions): Promise<EndpointWorkers>;
  /**
   * The releases, newest first, and the progress of the newest. `GET /v2/serverless/{id}/releases`. Default: the newest 1000.
   *
   * @throws NotFoundError
   * @example
   * const { releases } = await client.serverless.releases("4kqwe7f0", { limit: 10 });
   */
  releases(id: string, queryOptions?: PageQuery & CallOptions): Promise<EndpointReleases>;
  /**
   * The builds of an endpoint that comes from a repository, newest first. `GET /v2/serverless/{id}/builds`.
   *
   * @throws NotFoundError
   * @example
   * const [newest] = await client.serverless.builds("4kqwe7f0");
   */
  builds(id: string, options?: CallOptions): Promise<Build[]>;
  /**
   * One build. `GET /v2/serverless/{id}/builds/{buildId}`.
   *
   * @throws NotFoundError
   * @example
   * const { status } = await client.serverless.build("4kqwe7f0", "bld_1a2b");
   */
  build(id: string, buildId: string, options?: CallOptions): Promise<Build>;
  /**
   * The output of a build, as it grows. It ends and resumes as {@link PodCalls.logs}.
   * `GET /v2/serverless/{id}/builds/{buildId}/logs`.
   *
   * @throws what {@link PodCalls.logs} throws
   * @example
   * for await (const { line } of client.serverless.buildLogs("4kqwe7f0", "bld_1a2b")) console.log(line);
   */
  buildLogs(id: string, buildId: string, options?: CallOptions): AsyncGenerator<LogLine, void, undefined>;
  /**
   * A worker's log, as it grows. It ends and resumes as {@link PodCalls.logs}.
   * `GET /v2/serverless/{id}/workers/{workerId}/logs`.
   *
   * @throws what {@link PodCalls.logs} throws
   * @example
   * for await (const { line } of client.serverless.workerLogs("4kqwe7f0", "w1", { tail: 100 })) console.log(line);
   */
  workerLogs(id: string, workerId: string, options?: LogOptions): AsyncGenerator<LogLine, void, undefined>;
}

const KIND = "Endpoint";
const PATH = "/v2/serverless";

/** A GET of what belongs to an endpoint. */
const part = <Reply = undefined, Query = undefined>(
  path: string,
  content: Pick<Operation<Reply, undefined, Query>, "query" | "reply" | "stream">,
) => operation<Reply, undefined, Query>({ method: "GET", path: `${PATH}/{id}/${path}`, kind: KIND, ...content });

export const operations = {
  ...collectionOperations({
    kind: KIND,
    path: PATH,
    key: "endpoints",
    item: Endpoint,
    create: CreateEndpointRequest,
    update: UpdateEndpointRequest,
  }),
  workers: part("workers", { reply: EndpointWorkers }),
  releases: part("releases", { query: PageQuery, reply: EndpointReleases }),
  builds: part("builds", { query: PageQuery, reply: listOf("builds", Build) }),
  build: part("builds/{buildId}", { reply: Build }),
  buildLogs: part("builds/{buildId}/logs", { stream: LogLine }),
  workerLogs: part("workers/{workerId}/logs", { query: LogQuery, stream: LogLine }),
};

export function calls(rest: Rest): ServerlessCalls {
  const endpoints = collection(rest, "endpoints", operations);
  return {
    ...endpoints,
    find: (id: string, options: CallOptions = {}) =>
      rest.find(KIND, id, (remaining) => endpoints.get(id, remaining), options),
    workers: (id: string, options: CallOptions = {}) => rest.call(operations.workers, { params: { id }, ...options }),
    releases: (id: string, queryOptions: PageQuery & CallOptions = {}) => {
      const { options, query } = splitOptions(queryOptions);
      return rest.call(operations.releases, { params: { id }, query, ...options });
    },
    builds: (id: string, options: CallOptions = {}) =>
      rest.listAll(operations.builds, "builds", { params: { id }, ...options }),
    build: (id: string, buildId: string, options: CallOptions = {}) =>
      rest.call(operations.build, { params: { id, buildId }, ...options }),
    buildLogs: (id: string, buildId: string, options?: CallOptions) =>
      followLogs(rest, operations.buildLogs, { id, buildId }, options),
    workerLogs: (id: string, workerId: string, options?: LogOptions) =>
      followLogs(rest, operations.workerLogs, { id, workerId }, options),
  };
}
