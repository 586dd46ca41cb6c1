/*
 * An emulator of the service. It shares no code with the provider.
 *
 *   index.ts             starts it from code; from the command line: commandLine.ts, main.ts
 *   settings.ts          the settings, with their defaults
 *   clock.ts             time, for everything that waits or expires
 *   store/               records (records.ts) in collections (collection.ts), saved in a file (journal.ts)
 *   http/                the steps of every call (door.ts): log, keys, quotas, faults; routes as data (route.ts), the
 *                        service's 422 messages (validation.ts), the OpenAPI document, the control address
 *   rest/<noun>.ts       one REST resource each: routes, views, and the schemas that only it needs
 *   model/               schemas and rules of pods, clusters, endpoints, templates, volumes and registries, shared by REST and
 *                        GraphQL; placement.ts decides where something runs
 *   graphql/             the GraphQL schema and its resolvers
 *   queue/               the queue interface: operations, jobs and their states, streams, webhooks, handlers
 *   balancer/            requests to load balancers: waiting for a worker, health checks, servers; the proxy of pods
 *   openai/              a small language model behind OpenAI's routes
 *   workers/             an endpoint's workers: scaling, placing, booting, running jobs
 *   catalog/             GPU types, CPU flavors and data centers as tables; catalog.ts adds those of the settings
 *   console/             the web page that shows all of it live
 *   logs.ts              the output of pods and workers
 *   billing/             usage (meter.ts) and the reports
 */
import "./requirements";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { requireNode } from "../common/requireNode";
import { balancerInterface } from "./balancer";
import { BALANCER_PATH } from "./balancer/address";
import { POD_PROXY_PATH, podProxyInterface } from "./balancer/podProxy";
import type { Server } from "./balancer/servers";
import { CONSOLE_PATH, consoleRoutes } from "./console";
import { graphqlInterface } from "./graphql";
import { controlRoutes } from "./http/control";
import { resumeClusters } from "./model/clusters";
import { watchIdleEndpoints } from "./model/drift";
import { resumePods } from "./model/pods";
import { queueInterface } from "./queue";
import type { Handler } from "./queue/handlers";
import { resumeJobs } from "./queue/jobs";
import { restInterface } from "./rest";
import { Service } from "./service";
import type { SettingsInput } from "./settings";
import { Store } from "./store";
import { resumeWorkers } from "./workers/fleet";

export type { Server, ServerContext } from "./balancer/servers";
export type { FaultInput } from "./http/faults";
export type { Handler, JobContext } from "./queue/handlers";
export type { SettingsInput } from "./settings";
export { DataFileFormatError, DataFileKindError, DataFileLinkError } from "./store/journal";
export { DataFileInUseError } from "./store/lock";

export interface EmulatorOptions {
  /** REST and GraphQL listen here, the queue on the next port and the control address on the one after; 0 (default) takes free ones. */
  readonly port?: number;
  /** The account's key. Default: `emulator-key`. */
  readonly apiKey?: string;
  /** A file that keeps the state across restarts. Default: none. */
  readonly dataFile?: string;
  /** Settings to start with; see settings.ts for units and defaults. */
  readonly settings?: SettingsInput;
  /** Job handlers by container image. queue/handlers.ts describes what other images do. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** Web servers of load balancers and pods by container image. balancer/servers.ts describes what other images do. */
  readonly servers?: Readonly<Record<string, Server>>;
}

export interface Emulator {
  /** REST address before `/v2/...`. */
  readonly baseUrl: string;
  /** Address of the queues before `/v2/{endpointId}/...`. */
  readonly serverlessUrl: string;
  readonly graphqlUrl: string;
  /** The address where tests read and set requests, state, faults, clock and settings. */
  readonly controlUrl: string;
  /** For a browser on this machine: a page that shows the emulator's state live. */
  readonly consoleUrl: string;
  readonly apiKey: string;
  /** Closes every connection and unlocks the data file. */
  stop(): Promise<void>;
}

/**
 * Starts the emulator on the loopback interface.
 *
 * @throws DataFileInUseError, DataFileFormatError, DataFileLinkError or DataFileKindError for an unusable `dataFile`
 */
export async function startEmulator({
  port = 0,
  apiKey = "emulator-key",
  dataFile,
  settings = {},
  handlers = {},
  servers: functions = {},
}: EmulatorOptions = {}): Promise<Emulator> {
  requireNode();
  const store = new Store();
  if (dataFile !== undefined) store.openFile(dataFile);
  const service = new Service(store, apiKey, settings, handlers, functions);

  const api = server();
  await api.register(async (scope) => restInterface(scope, service));
  await api.register(async (scope) => graphqlInterface(scope, service), { prefix: "/graphql" });
  const queue = server();
  await queue.register(async (scope) => queueInterface(scope, service));
  await queue.register(async (scope) => balancerInterface(scope, service), { prefix: BALANCER_PATH });
  await queue.register(async (scope) => podProxyInterface(scope, service), { prefix: POD_PROXY_PATH });
  const control = server();
  controlRoutes(control, service, () => resume(service));
  consoleRoutes(control, service, apiKey);

  const servers = [api, queue, control];
  const stop = async () => {
    service.clock.stop();
    await Promise.all(servers.map((each) => each.close()));
    store.close();
  };
  try {
    const baseUrl = await listen(api, port);
    const serverlessUrl = await listen(queue, port && port + 1);
    const controlUrl = await listen(control, port && port + 2);
    service.urls = { baseUrl, serverlessUrl, graphqlUrl: `${baseUrl}/graphql` };
    resume(service);
    watchIdleEndpoints(service);
    return { ...service.urls, controlUrl, consoleUrl: controlUrl + CONSOLE_PATH, apiKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function resume(service: Service): void {
  resumeClusters(service);
  resumePods(service);
  resumeJobs(service);
  resumeWorkers(service);
}

const server = (): FastifyInstance => fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 500 } });

async function listen(app: FastifyInstance, port: number): Promise<string> {
  await app.listen({ host: "127.0.0.1", port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(
      `port ${port} is in use by another program. Choose another with --port, which takes it and the next two.`,
    );
  });
  const { address, port: bound } = app.server.address() as AddressInfo;
  return `http://${address}:${bound}`;
}
