import * as pulumi from "@pulumi/pulumi";
import type { Queue } from "../provider/client/queue/jobs";
import type { StandardSchema } from "../provider/client/queue/standardSchema";
import type {
  CompletedJob,
  Job,
  JobRequest,
  PurgeReply,
  QueueHealth,
  StreamChunk,
} from "../provider/client/queue/types";
import { createQueue } from "./queue";

// Jobs as part of a program: they run in every `pulumi up`, once the endpoint exists, and never in a preview, where
// their results are unknown. What has to run only after changes is a SmokeJob.

/** How long the queue may not know an endpoint that was just made. Milliseconds. */
const GRACE_MS = 30_000;

export interface EndpointJobs {
  /** Id of the endpoint; pass its `id` output, and the job waits for the endpoint. */
  endpointId: pulumi.Input<string>;
}

export interface SubmitJobArgs extends EndpointJobs {
  /** What the worker's handler is given. */
  input: pulumi.Input<unknown>;
  /** Time limits, in milliseconds. */
  policy?: pulumi.Input<JobRequest["policy"]>;
  /** Told once, by a POST, how the job ended. */
  webhook?: pulumi.Input<string>;
}

export interface JobArgs extends EndpointJobs {
  /** Id of a job, as `run` gives it. */
  jobId: pulumi.Input<string>;
}

export interface ResultOptions<Output> {
  /** A zod schema, or any other Standard Schema, of the job's output. */
  schema?: StandardSchema<Output>;
  /** Gives up after this time. Milliseconds. Default 15 minutes. */
  timeoutMs?: number;
}

/** Submits a job and goes on at once. */
export function run(args: SubmitJobArgs): pulumi.Output<Job> {
  const { endpointId, ...request } = args;
  return onQueue(endpointId, pulumi.output(request), (queue, request) => queue.run(request, { graceMs: GRACE_MS }));
}

/** Runs a job to its end. The deployment fails when the job does not complete. */
export function runSync<Output = unknown>(
  args: SubmitJobArgs,
  options: ResultOptions<Output> = {},
): pulumi.Output<CompletedJob<Output>> {
  const { endpointId, ...request } = args;
  return onQueue(endpointId, pulumi.output(request), (queue, request) =>
    queue.runSync(request, { ...options, graceMs: GRACE_MS }),
  );
}

/** The job once it has completed. The deployment fails when it does not. */
export function wait<Output = unknown>(
  { endpointId, jobId }: JobArgs,
  options: ResultOptions<Output> = {},
): pulumi.Output<CompletedJob<Output>> {
  return onQueue(endpointId, pulumi.output(jobId), (queue, id) => queue.wait(id, options));
}

/** The job as it is now. */
export function status({ endpointId, jobId }: JobArgs): pulumi.Output<Job> {
  return onQueue(endpointId, pulumi.output(jobId), (queue, id) => queue.status(id));
}

/** All that the job puts out, once it is finished. */
export function stream<Output = unknown>(
  { endpointId, jobId }: JobArgs,
  { schema }: Pick<ResultOptions<Output>, "schema"> = {},
): pulumi.Output<StreamChunk<Output>[]> {
  return onQueue(endpointId, pulumi.output(jobId), async (queue, id) => {
    const chunks: StreamChunk<Output>[] = [];
    for await (const chunk of queue.stream(id, { schema })) chunks.push(chunk);
    return chunks;
  });
}

/** Cancels a job; one that is finished stays as it is. */
export function cancel({ endpointId, jobId }: JobArgs): pulumi.Output<Job> {
  return onQueue(endpointId, pulumi.output(jobId), (queue, id) => queue.cancel(id));
}

/** Runs a failed or timed-out job again, under the same id. The deployment fails for any other. */
export function retry({ endpointId, jobId }: JobArgs): pulumi.Output<Job> {
  return onQueue(endpointId, pulumi.output(jobId), (queue, id) => queue.retry(id));
}

/** Removes the jobs that wait; those in progress go on. */
export function purgeQueue({ endpointId }: EndpointJobs): pulumi.Output<PurgeReply> {
  return onQueue(endpointId, pulumi.output(undefined), (queue) => queue.purgeQueue());
}

/** How many jobs and workers there are, by state. */
export function health({ endpointId }: EndpointJobs): pulumi.Output<QueueHealth> {
  return onQueue(endpointId, pulumi.output(undefined), (queue) => queue.health({ graceMs: GRACE_MS }));
}

function onQueue<Args, Result>(
  endpointId: pulumi.Input<string>,
  args: pulumi.Output<Args>,
  call: (queue: Queue, args: Args) => Promise<Result>,
): pulumi.Output<Result> {
  if (pulumi.runtime.isDryRun()) return args.apply(() => pulumi.unknown as Result);
  return pulumi.output(endpointId).apply((id) => args.apply((given) => call(queueOf(id), given)));
}

const queues = new Map<string, Queue>();

/** One queue for each endpoint: its calls share the service's limits. Another run in this process may have another key. */
function queueOf(endpointId: string): Queue {
  const options = { endpointId, ...settings() };
  const key = JSON.stringify(options);
  const queue = queues.get(key) ?? createQueue(options);
  queues.set(key, queue);
  return queue;
}

/** By the rule of the provider. */
function settings() {
  const { SettingsReader } = require("../provider/client/settings") as typeof import("../provider/client/settings");
  const name = (setting: string) => `computecloud:${setting}`;
  const reader = new SettingsReader({
    read: (setting) => pulumi.runtime.getConfig(name(setting)),
    name,
    howTo: (setting, value) => `run \`pulumi config set ${name(setting)} ${value}\``,
    apiKeySource: "the key came from the stack's configuration (computecloud:apiKey)",
    error: (_, message) => new pulumi.RunError(message),
  });
  return {
    ...reader.key(),
    serverlessUrl: reader.address("serverlessUrl"),
    retryBudgetMs: reader.retryBudgetMs(),
  };
}
