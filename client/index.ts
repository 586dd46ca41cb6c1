import type { Operation } from "./calls/operation";
import type { Client } from "./client";
import { type ClientOptions, type Given, withDefaults } from "./options";
import type { QueueOptions, StandaloneQueue } from "./queue/createQueue";
import { fromArguments, SettingsReader } from "./settings";

// What only the provider, the command line and the tools use is marked @internal, which leaves it out of the published types.
/** @internal */
export { answers } from "./answers";
/** @internal */
export { abortable, systemClock } from "./calls/clock";
/** @internal */
export { Pools } from "./calls/dispatcher";
/** @internal */
export type { Operation } from "./calls/operation";
export type { RequestOptions } from "./calls/rawRequest";
export type { Call, WithResponse } from "./calls/responses";
/** @internal */
export { userAgent } from "./calls/userAgent";
export type { Client } from "./client";
export * from "./errors";
export type {
  AnswerLimits,
  AppInfo,
  CallOptions,
  ClientOptions,
  Clock,
  EndpointsThrough,
  FailureEvent,
  GraphqlEnd,
  KeyPlace,
  Logger,
  LogLevel,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  Timeouts,
} from "./options";
export type { CreateOptions } from "./outcomes/create";
/** @internal */
export { COMES_UP_WITHIN_MS, wasRefused } from "./outcomes/create";
/** @internal */
export { areaOf, isUnknownAddress, type Noun, type Right, rights } from "./outcomes/statuses";
export type { QueueOptions, StandaloneQueue } from "./queue/createQueue";
export * from "./queue/errors";
export type { Queue } from "./queue/jobs";
export type { JournalEntry, JournalStore } from "./queue/journalTypes";
export type { Limit, Limits } from "./queue/limits";
export type {
  BatchProgress,
  Orphan,
  QueueCallOptions,
  RunManyOptions,
  RunSyncOptions,
  StatusOptions,
  SubmitOptions,
  TypedOptions,
  WaitOptions,
} from "./queue/options";
export type { JobResult } from "./queue/runMany";
export type { StandardSchema } from "./queue/standardSchema";
/** @internal */
export { errorText } from "./queue/status";
export type {
  CompletedJob,
  Job,
  JobPolicy,
  JobRequest,
  JobStatus,
  OtherJob,
  PurgeReply,
  QueueHealth,
  StreamChunk,
} from "./queue/types";
export { isSignedWebhook, readWebhook, signedWebhook, type WebhookFacts, type WebhookJob } from "./queue/webhook";
export type { Account, AccountCalls, AccountLimits, Balance } from "./rest/account";
export type { AttachedResource, AttachmentCalls } from "./rest/attachments";
export type { CollectionCalls } from "./rest/collection";
export type { DeleteOptions, SavedEndpointCalls, SaveOptions } from "./rest/endpoints";
export type { ListCall } from "./rest/listCall";
export type { LogOptions } from "./rest/logs";
export type * from "./rest/types";
export type {
  AccountBill,
  BillingQuery,
  ClusterBill,
  ClusterBillingQuery,
  EndpointBill,
  NetworkVolumeBill,
  NetworkVolumeBillingQuery,
  PodBill,
  PodBillingQuery,
  ServerlessBill,
  ServerlessBillingQuery,
} from "./schemas/billing";
export type {
  CpuQuery,
  CpuType,
  DataCenter,
  DataCenterInclude,
  DataCenterQuery,
  GpuQuery,
  GpuType,
  PublicTemplateQuery,
} from "./schemas/catalog";
export type { Mounts } from "./schemas/common";
export type { LogLine } from "./schemas/logs";
export type { CreatePodRequest, ListPodsQuery, Pod, PodAction, PodStatus, UpdatePodRequest } from "./schemas/pods";
export type { SavedEndpoint, SaveEndpointInput, ServerlessDiscount } from "./schemas/savedEndpoints";
export type {
  Build,
  CreateEndpointRequest,
  Endpoint,
  EndpointReleases,
  EndpointWorkers,
  PageQuery,
  UpdateEndpointRequest,
  Worker,
} from "./schemas/serverless";
/** @internal */
export {
  type Connection,
  type Existing,
  fromEnvironment,
  type Setting,
  type SettingsPlace,
  SettingsReader,
  variables,
} from "./settings";
/** @internal */
export { withoutFlashBoot } from "./values/flashBootSuffix";
/** @internal */
export { countriesIn } from "./values/locations";
export { needed, type Tolerant } from "./values/tolerant";

type Address = "apiKey" | "baseUrl" | "serverlessUrl" | "graphqlUrl";

export interface ConnectOptions extends Omit<ClientOptions, Address>, Given<Pick<ClientOptions, Address>> {
  /** A cloud with known public addresses, such as `runpod`. A single address takes precedence. Default: COMPUTECLOUD_CLOUD. */
  cloud?: string | undefined;
}

/**
 * A client of the service. Options that are left out come from the environment: COMPUTECLOUD_API_KEY, and COMPUTECLOUD_CLOUD or
 * the addresses. Nothing is sent, and little is loaded, before the first call.
 *
 * @throws UsageError for a missing or unusable key, address or option
 * @example
 * const client = createClient({ cloud: "runpod", apiKey: process.env.MY_KEY });
 * for (const { id, name } of await client.pods.list()) console.log(id, name);
 * await client.close();
 */
export function createClient({ cloud, ...given }: ConnectOptions = {}): Client {
  const { apiKey, baseUrl, serverlessUrl, graphqlUrl, graphqlKeyIn, endpointsThrough, retryBudgetMs, ...options } =
    given;
  const settings = new SettingsReader(
    fromArguments({ apiKey, baseUrl, serverlessUrl, graphqlUrl, graphqlKeyIn, endpointsThrough, cloud }),
  );
  return connectedClient(withDefaults<ClientOptions>(settings.connection(retryBudgetMs), options));
}

/**
 * The queue of one endpoint, for scripts and services that only run jobs. Options that are left out come from the environment, as
 * by `createClient`. Nothing is sent before the first call.
 *
 * @throws UsageError for a missing or unusable key, address or option
 * @example
 * const queue = createQueue({ endpointId: "4kqwe7f0" });
 * const { output } = await queue.runSync({ input: { prompt: "ping" } });
 * await queue.close();
 */
export function createQueue(options: QueueOptions): StandaloneQueue {
  const { createQueue } = require("./queue/createQueue") as typeof import("./queue/createQueue");
  return createQueue(options);
}

/**
 * A client that takes nothing from the environment.
 *
 * @internal
 */
export function connectedClient(options: ClientOptions): Client {
  const { Client } = require("./client") as typeof import("./client");
  return new Client(options);
}

/**
 * Every REST operation of the contract that the client can call.
 *
 * @internal
 */
export function operations(): readonly Operation[] {
  return (require("./rest/nouns") as typeof import("./rest/nouns")).operations();
}
