import type { Queue, QueueOptions } from "../provider/client";

export type {
  CompletedJob,
  Job,
  JobPolicy,
  JobRequest,
  JobResult,
  JobStatus,
  OtherJob,
  Queue,
  QueueHealth,
  QueueOptions,
  RunManyOptions,
  RunSyncOptions,
  StandardSchema,
  StreamChunk,
  WaitOptions,
} from "../provider/client";

/**
 * The queue of one endpoint as a plain async client, for scripts and services as well as programs. Key and address come
 * from the arguments, or from the environment (COMPUTECLOUD_API_KEY, COMPUTECLOUD_CLOUD or COMPUTECLOUD_SERVERLESS_URL).
 * Nothing is sent before the first call.
 *
 * @example
 * const queue = createQueue({ endpointId });
 * const { output } = await queue.runSync({ input: { prompt: "hi" } }, { schema: z.object({ text: z.string() }) });
 */
export function createQueue(options: QueueOptions): Queue {
  const { createQueue } =
    require("../provider/client/queue/createQueue") as typeof import("../provider/client/queue/createQueue");
  return createQueue(options);
}
