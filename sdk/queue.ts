// Imported from their own modules, so that the compiler of a program reads no more of the client's types.
import type { QueueOptions, StandaloneQueue } from "../client/queue";

export type {
  BatchProgress,
  CompletedJob,
  Job,
  JobPolicy,
  JobRequest,
  JobResult,
  JobStatus,
  JournalEntry,
  JournalStore,
  OtherJob,
  PurgeReply,
  Queue,
  QueueHealth,
  QueueOptions,
  RunManyOptions,
  RunSyncOptions,
  StandaloneQueue,
  StandardSchema,
  StreamChunk,
  WaitOptions,
} from "../client/queue";

/**
 * The queue of one endpoint as a plain async client, for scripts and services as well as programs. Key and address come
 * from the arguments, or from the environment (COMPUTECLOUD_API_KEY, COMPUTECLOUD_CLOUD or COMPUTECLOUD_SERVERLESS_URL).
 * Nothing is sent before the first call.
 *
 * @example
 * const queue = createQueue({ endpointId });
 * const { output } = await queue.runSync({ input: { prompt: "hi" } }, { schema: z.object({ text: z.string() }) });
 */
export function createQueue(options: QueueOptions): StandaloneQueue {
  const { createQueue } = require("../client") as typeof import("../client");
  return createQueue(options);
}
