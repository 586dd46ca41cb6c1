import { Client } from "./client";
import type { ClientOptions } from "./options";
import type { QueueOptions } from "./queue/createQueue";
import type { Queue } from "./queue/jobs";

export { Client } from "./client";
export type { CreateOptions } from "./create";
export * from "./errors";
export type { CallOptions, ClientOptions, Clock, RetryEvent, Timeouts } from "./options";
export type { QueueOptions } from "./queue/createQueue";
export * from "./queue/errors";
export type { Queue } from "./queue/jobs";
export type { Limit, Limits } from "./queue/limits";
export type {
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
} from "./queue/schemas";
export type { StandardSchema } from "./queue/standardSchema";
export type { LogOptions } from "./rest/logs";
export type * from "./schemas/billing";
export type * from "./schemas/catalog";
export type * from "./schemas/clusters";
export type { Mounts } from "./schemas/common";
export type { LogLine } from "./schemas/logs";
export type * from "./schemas/networkVolumes";
export type * from "./schemas/pods";
export type * from "./schemas/registries";
export type * from "./schemas/savedEndpoints";
export type * from "./schemas/serverless";
export type * from "./schemas/sshKeys";
export type * from "./schemas/templates";

/** A client of the service. Nothing is sent, and little is loaded, before the first call. */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}

/**
 * The queue of one endpoint, for scripts and services that need nothing else of the service.
 *
 * @throws UsageError when there is no key or no address
 */
export function createQueue(options: QueueOptions): Queue {
  const { createQueue } = require("./queue/createQueue") as typeof import("./queue/createQueue");
  return createQueue(options);
}
