/*
 * Programs as people write them who have read the guides once: they compile (tests/harness/types.test.ts) and run
 * (guesses.test.ts). What they guess first is what the client offers.
 */
import {
  type Client,
  type CompletedJob,
  ComputeCloudError,
  type Job,
  type JobResult,
  NotFoundError,
  type Pod,
  type Queue,
} from "../../client";

interface TextOutput {
  text: string;
}

/** What a program works on: a pod, and the queue of an endpoint whose jobs return their input. */
export interface Fixture {
  client: Client;
  queue: Queue;
  podId: string;
}

export const guesses = {
  "results of a batch, errors first": async ({ queue }) => {
    const texts: string[] = [];
    for await (const { job, error } of queue.runMany<TextOutput>([{ text: "a" }, { text: "b" }])) {
      if (error) continue;
      texts.push(job.output.text);
    }
    return texts.sort();
  },
  "results of a batch, jobs first": async ({ queue }) => {
    const texts: string[] = [];
    for await (const { job, error } of queue.runMany<TextOutput>([{ text: "a" }])) {
      if (job) texts.push(job.output.text);
      else console.error(error.message);
    }
    return texts;
  },
  "results of a batch as a list": async ({ queue }) => {
    const results: JobResult<TextOutput>[] = [];
    for await (const result of queue.runMany<TextOutput>([{ text: "a" }])) results.push(result);
    return results.map(({ job, error }) => job?.output.text ?? error?.message);
  },
  "a job's status, typed": async ({ queue }) => {
    const { id } = await queue.run({ input: { text: "a" } });
    await queue.wait(id);
    const job: Job<TextOutput> = await queue.status<TextOutput>(id);
    return [job.output?.text];
  },
  "a job that is waited for": async ({ queue }) => {
    const { id } = await queue.run({ input: { text: "a" } });
    const job: CompletedJob<TextOutput> = await queue.wait<TextOutput>(id, { timeoutMs: 60_000 });
    return [job.output.text];
  },
  "all pods, by for await": async ({ client }) => {
    const ids: string[] = [];
    for await (const pod of client.pods.list()) ids.push(pod.id);
    return ids.length;
  },
  "all pods, awaited": async ({ client }) => {
    const pods: Pod[] = await client.pods.list();
    return pods.length;
  },
  "page by page": async ({ client }) => {
    for await (const pod of client.pods.iterate({ timeoutMs: 30_000 })) return 1 + Number(pod.id === "");
    return 0;
  },
  "a pod is stopped and started": async ({ client, podId }) => {
    await client.pods.stop(podId);
    const pod = await client.pods.start(podId);
    return [pod?.id === podId];
  },
  "an error's facts": async ({ client }) => {
    try {
      await client.pods.get("none");
      return [];
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const { status, requestId, headers, id } = error;
      return [status, headers?.["x-request-id"] === requestId, id];
    }
  },
  "an error's job": async ({ queue }) => {
    const error = await queue.status("none").catch((error: unknown) => error);
    return error instanceof ComputeCloudError ? [error.jobId] : [];
  },
  "a call without a method, as an object": async ({ client }) => {
    const answer = await client.request({ method: "GET", path: "/v2/pods", query: { limit: 1 } });
    return [typeof answer];
  },
  "a call without a method": async ({ client }) => {
    const answer = await client.request("GET", "/v2/pods");
    return [typeof answer];
  },
  "a result with its answer": async ({ client, podId }) => {
    const { data, response } = await client.withResponse((options) => client.pods.get(podId, options));
    return [data.id === podId, response?.status];
  },
  "a result with its answer, as in other SDKs": async ({ client }) => {
    // @ts-expect-error "write client.withResponse((options) => …)" is the message
    const call = async () => client.pods.list().withResponse();
    return [await call().catch((error: Error) => error.message)];
  },
  "a result with its answer, the options forgotten": async ({ client, podId }) => {
    const call = client.withResponse(() => client.pods.get(podId));
    return [await call.catch((error: Error) => error.name)];
  },
  "a chunk at a time": async ({ queue }) => {
    const { id } = await queue.run({ input: { text: "a" } });
    for await (const { output } of queue.stream<TextOutput>(id)) console.log(output.text);
    return [];
  },
} satisfies Record<string, (fixture: Fixture) => Promise<unknown>>;

/** What the programs return. */
export const outcomes: Record<keyof typeof guesses, unknown> = {
  "results of a batch, errors first": ["a", "b"],
  "results of a batch, jobs first": ["a"],
  "results of a batch as a list": ["a"],
  "a job's status, typed": ["a"],
  "a job that is waited for": ["a"],
  "all pods, by for await": 1,
  "all pods, awaited": 1,
  "page by page": 1,
  "a pod is stopped and started": [true],
  "an error's facts": [404, true, "none"],
  "an error's job": ["none"],
  "a call without a method, as an object": ["object"],
  "a call without a method": ["object"],
  "a result with its answer": [true, 200],
  "a result with its answer, as in other SDKs": [
    "A list has no withResponse: write client.withResponse((options) => client.pods.list(options)).",
  ],
  "a result with its answer, the options forgotten": ["UsageError"],
  "a chunk at a time": [],
};
