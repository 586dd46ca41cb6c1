/*
 * Programs as people write them who have read the guides once: they compile (tests/harness/types.test.ts) and run. What they
 * guess first is what the client offers.
 */
import { beforeAll, expect, test } from "@jest/globals";
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
import type { Handler } from "../../emulator";
import { placeForAll } from "../harness/place";
import { pod } from "../harness/requests";

interface TextOutput {
  text: string;
}

const echo: Handler = async (input) => input;

const place = placeForAll({ handlers: { "emulator/echo:1": echo } });
let client: Client;
let podId: string;
/** Of an endpoint whose jobs return their input. */
let queue: Queue;
beforeAll(async () => {
  client = place.client();
  queue = await place.queue("echo");
  podId = (await client.pods.create(pod("one"))).id;
});

const guess = (what: string, outcome: unknown, program: () => Promise<unknown>) =>
  test(what, async () => expect(await program()).toEqual(outcome));

guess("results of a batch: errors first, jobs first, as a list", ["a", "a", "a"], async () => {
  const texts: (string | undefined)[] = [];
  for await (const { job, error } of queue.runMany<TextOutput>([{ text: "a" }])) {
    if (error) continue;
    texts.push(job.output.text);
  }
  for await (const { job, error } of queue.runMany<TextOutput>([{ text: "a" }])) {
    if (job) texts.push(job.output.text);
    else console.error(error.message);
  }
  const results: JobResult<TextOutput>[] = [];
  for await (const result of queue.runMany<TextOutput>([{ text: "a" }])) results.push(result);
  return [...texts, ...results.map(({ job, error }) => job?.output.text ?? error?.message)];
});

guess("a job that is waited for, its status and its chunks, typed", ["a", "a"], async () => {
  const { id } = await queue.run({ input: { text: "a" } });
  const done: CompletedJob<TextOutput> = await queue.wait<TextOutput>(id, { timeoutMs: 60_000 });
  const job: Job<TextOutput> = await queue.status<TextOutput>(id);
  for await (const { output } of queue.stream<TextOutput>(id)) console.log(output.text);
  return [done.output.text, job.output?.text];
});

guess("all pods: by for await, awaited, page by page", [1, 1, 1], async () => {
  const looped: string[] = [];
  const paged: string[] = [];
  for await (const pod of client.pods.list()) looped.push(pod.id);
  const pods: Pod[] = await client.pods.list();
  for await (const pod of client.pods.iterate({ timeoutMs: 30_000 })) paged.push(pod.id);
  return [looped.length, pods.length, paged.length];
});

guess("an error's facts", [404, true, "none"], async () => {
  try {
    await client.pods.get("none");
    return [];
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const { status, requestId, headers, id } = error;
    return [status, headers?.["x-request-id"] === requestId, id];
  }
});

guess("an error's job", ["NotFoundError", "none"], async () => {
  const error = await queue.status("none").catch((error: unknown) => error);
  return error instanceof ComputeCloudError ? [error.name, error.jobId] : [];
});

guess("a call without a method, as an object or not", ["object", "object"], async () => {
  const answers = [
    await client.request({ method: "GET", path: "/v2/pods", query: { limit: 1 } }),
    await client.request("GET", "/v2/pods"),
  ];
  return answers.map((answer) => typeof answer);
});

guess("a result with its answer", [true, 200], async () => {
  const { data, response } = await client.withResponse((options) => client.pods.get(podId, options));
  return [data.id === podId, response?.status];
});

guess(
  "a result with its answer, as in other SDKs",
  ["A list has no withResponse: write client.withResponse((options) => client.pods.list(options))."],
  async () => {
    // @ts-expect-error "write client.withResponse((options) => …)" is the message
    const call = async () => client.pods.list().withResponse();
    return [await call().catch((error: Error) => error.message)];
  },
);

guess("a result with its answer, the options forgotten", ["UsageError"], async () => {
  const call = client.withResponse(() => client.pods.get(podId));
  return [await call.catch((error: Error) => error.name)];
});
