// Imported from their own modules, so that a program's compiler does not read zod's types.
import type { QueueOptions, StandaloneQueue } from "../provider/client/queue/createQueue";

export type { QueueOptions, StandaloneQueue } from "../provider/client/queue/createQueue";
export type { Queue } from "../provider/client/queue/jobs";
export type { JournalEntry, JournalStore } from "../provider/client/queue/journalTypes";
export type { BatchProgress, RunManyOptions, RunSyncOptions, WaitOptions } from "../provider/client/queue/options";
export type { JobResult } from "../provider/client/queue/runMany";
export type { StandardSchema } from "../provider/client/queue/standardSchema";
export type {
  CompletedJob,
  Job,
  JobPolicy,
  JobRequest,
  JobStatus,
  OtherJob,
  QueueHealth,
  StreamChunk,
} from "../provider/client/queue/types";

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
  const { createQueue } =
    require("../provider/client/queue/createQueue") as typeof import("../provider/client/queue/createQueue");
  return createQueue(options);
}
