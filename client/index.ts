import { requireNode } from "../common/requireNode";
import type { Client } from "./client";
import { connectedClient } from "./internal";
import type { ClientOptions, Given } from "./options";
import type { QueueOptions, StandaloneQueue } from "./queue/createQueue";
import { fromArguments, SettingsReader } from "./settings";

requireNode();

export type { RequestOptions } from "./calls/rawRequest";
export type { Call, WithResponse } from "./calls/responses";
export type { Client } from "./client";
export type { EndpointOptions, EndpointRequest, EndpointRequests, OpenAiOptions } from "./endpoint/requests";
export * from "./errors";
/** @internal */
export * from "./internal";
export type {
  AnswerLimits,
  AnyDispatcher,
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
export type * from "./queue";
export * from "./queue/errors";
export { isSignedWebhook, readWebhook, signedWebhook, type WebhookFacts, type WebhookJob } from "./queue/webhook";
export type { Account, AccountCalls, AccountLimits, Balance } from "./rest/account";
export type { AttachedResource, AttachmentCalls } from "./rest/attachments";
export type { CollectionCalls } from "./rest/collection";
export type { DeleteOptions, SavedEndpointCalls, SaveOptions } from "./rest/endpoints";
export type { ListCall } from "./rest/listCall";
export type { LogOptions } from "./rest/logs";
export type * from "./rest/types";
export type * from "./schemas/billing";
export type * from "./schemas/catalog";
export type { Mounts } from "./schemas/common";
export type { LogLine } from "./schemas/logs";
export type { CreatePodRequest, ListPodsQuery, Pod, PodAction, PodStatus, UpdatePodRequest } from "./schemas/pods";
export type { SavedEndpoint, SaveEndpointInput, ServerlessDiscount } from "./schemas/savedEndpoints";
export type * from "./schemas/serverless";
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
export function createClient(options: ConnectOptions = {}): Client {
  const connection = new SettingsReader(fromArguments(options)).connection(options.retryBudgetMs);
  return connectedClient({ ...options, ...connection });
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
