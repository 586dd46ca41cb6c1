import * as pulumi from "@pulumi/pulumi";
import type {
  CompletedJob,
  Job,
  JobRequest,
  PurgeReply,
  Queue,
  QueueHealth,
  StandardSchema,
  StreamChunk,
} from "../client/queue";
import { getOrCreate } from "../common/getOrCreate";
import { isMocked, type MOCKED, mocked } from "./internal/mockedJobs";
import { createQueue } from "./queue";

// Jobs as part of a program. They run in every `pulumi up` once the endpoint exists, and never in a preview, where their
// results are unknown. Use a SmokeJob for a job that runs only after changes.

/** How long the queue may not know a new endpoint. Milliseconds. */
const GRACE_MS = 30_000;

export interface EndpointJobs {
  /** Id of the endpoint. Pass its `id` output, so that the job waits for the endpoint. */
  endpointId: pulumi.Input<string>;
}

export interface SubmitJobArgs extends EndpointJobs {
  /** Input of the worker's handler. */
  input: pulumi.Input<unknown>;
  /** Time limits, in milliseconds. */
  policy?: pulumi.Input<JobRequest["policy"]>;
  /** Address that gets a POST with the result when the job has ended. */
  webhook?: pulumi.Input<string>;
}

export interface JobArgs extends EndpointJobs {
  /** Id of a job, as `run` returns it. */
  jobId: pulumi.Input<string>;
}

export interface ResultOptions<Output> {
  /** A zod schema, or any other Standard Schema, of the job's output. */
  schema?: StandardSchema<Output>;
  /** Time after which the wait ends with an error. The job is not cancelled. Milliseconds. Default 15 minutes. */
  timeoutMs?: number;
}

/** Submits a job and does not wait for it. Each `pulumi up` submits a new job. */
export function run(args: SubmitJobArgs): pulumi.Output<Job> {
  const { endpointId, ...request } = args;
  return onQueue("run", endpointId, pulumi.output(request), (queue, request) =>
    queue.run(request, { graceMs: GRACE_MS }),
  );
}

/** Submits a job and waits for its result. The deployment fails if the job does not complete. */
export function runSync<Output = unknown>(
  args: SubmitJobArgs,
  options: ResultOptions<Output> = {},
): pulumi.Output<CompletedJob<Output>> {
  const { endpointId, ...request } = args;
  return onQueue("runSync", endpointId, pulumi.output(request), (queue, request) =>
    queue.runSync(request, { ...options, graceMs: GRACE_MS }),
  );
}

/** Waits for a job and returns it. The deployment fails if the job does not complete. */
export function wait<Output = unknown>(
  { endpointId, jobId }: JobArgs,
  options: ResultOptions<Output> = {},
): pulumi.Output<CompletedJob<Output>> {
  return onQueue("wait", endpointId, pulumi.output(jobId), (queue, id) => queue.wait(id, options));
}

/** The job's current state. */
export function status({ endpointId, jobId }: JobArgs): pulumi.Output<Job> {
  return onQueue("status", endpointId, pulumi.output(jobId), (queue, id) => queue.status(id));
}

/** The whole output stream of a job, once the job has ended. */
export function stream<Output = unknown>(
  { endpointId, jobId }: JobArgs,
  { schema }: Pick<ResultOptions<Output>, "schema"> = {},
): pulumi.Output<StreamChunk<Output>[]> {
  return onQueue("stream", endpointId, pulumi.output(jobId), (queue, id) =>
    Array.fromAsync(queue.stream(id, { schema })),
  );
}

/** Cancels a job. A finished job stays as it is. */
export function cancel({ endpointId, jobId }: JobArgs): pulumi.Output<Job> {
  return onQueue("cancel", endpointId, pulumi.output(jobId), (queue, id) => queue.cancel(id));
}

/** Runs a failed or timed-out job again under the same id. The deployment fails for any other job. */
export function retry({ endpointId, jobId }: JobArgs): pulumi.Output<Job> {
  return onQueue("retry", endpointId, pulumi.output(jobId), (queue, id) => queue.retry(id));
}

/** Removes queued jobs. Jobs in progress continue. */
export function purgeQueue({ endpointId }: EndpointJobs): pulumi.Output<PurgeReply> {
  return onQueue("purgeQueue", endpointId, pulumi.output(undefined), (queue) => queue.purgeQueue());
}

/** Counts of jobs and workers by state. */
export function health({ endpointId }: EndpointJobs): pulumi.Output<QueueHealth> {
  return onQueue("health", endpointId, pulumi.output(undefined), (queue) => queue.health({ graceMs: GRACE_MS }));
}

function onQueue<Args, Result>(
  name: keyof typeof MOCKED,
  endpointId: pulumi.Input<string>,
  args: pulumi.Output<Args>,
  call: (queue: Queue, args: Args) => Promise<Result>,
): pulumi.Output<Result> {
  if (pulumi.runtime.isDryRun()) return args.apply(() => pulumi.unknown as Result);
  return pulumi.output(endpointId).apply((id) =>
    args.apply((resolved) =>
      // mutant mocks-send: false
      isMocked() ? (mocked(name, id, resolved) as Promise<Result>) : call(queueOf(id), resolved),
    ),
  );
}

const queues = new Map<string, Queue>();

/**
 * One queue for each endpoint, so that its calls share the service's limits. The key is part of the identity: another run
 * in this process may have another one.
 */
function queueOf(endpointId: string): Queue {
  const options = { endpointId, ...settings() };
  return getOrCreate(queues, JSON.stringify(options), () => createQueue(options));
}

/** The settings, found in the same order as the provider finds them. */
function settings() {
  const { SettingsReader } = require("../client") as typeof import("../client");
  const name = (setting: string) => `computecloud:${setting}`;
  const reader = new SettingsReader({
    read: (setting) => pulumi.runtime.getConfig(name(setting)),
    name,
    howTo: (setting, value) => `run \`pulumi config set ${name(setting)} ${value}\``,
    apiKeySource: "the key came from the stack's configuration (computecloud:apiKey)",
    error: (_, message) => new pulumi.RunError(message),
  });
  return { ...reader.key(), serverlessUrl: reader.address("serverlessUrl"), retryBudgetMs: reader.retryBudgetMs() };
}
