import { Client } from "./client";
import type { ClientOptions } from "./options";

export { Client } from "./client";
export type { CreateOptions } from "./create";
export * from "./errors";
export type { CallOptions, ClientOptions, Clock, RetryEvent, Timeouts } from "./options";
export type { Job, JobRequest, JobStatus, JobStream, Queue, QueueHealth, SubmitOptions } from "./queue/jobs";
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
