import { type Bench, idIn } from "../bench";
import { expectStatus, expectTrue, field, needStatus } from "../verdict";
import type { Trials } from "./trial";

/** Trials with the queue of an endpoint without workers. Its jobs wait, and cost nothing. */
export const queueTrials = {
  "queue-key-bearer": async (bench) => {
    const { id: endpoint } = await bench.makeEndpoint();
    // The bearer form says something only if the queue accepts the raw form.
    needStatus(await call(bench, "GET /v2/{endpoint}/health", { endpoint }), 200);
    const answer = await bench.ask("GET /v2/{endpoint}/health", { to: "queue", params: { endpoint }, key: "bearer" });
    expectTrue(answer.status === 200, `${answer.call} answered ${answer.status}`);
  },
  "stream-object": async (bench) => {
    const params = await job(bench);
    needStatus(await call(bench, "POST /v2/{endpoint}/cancel/{job}", params), 200);
    const answer = needStatus(await call(bench, "GET /v2/{endpoint}/stream/{job}", params), 200);
    expectTrue(Array.isArray(field(answer.body, "stream")), `${answer.call} answered ${formOf(answer.body)}`);
  },
  "cancel-ended-400": async (bench) => {
    const params = await job(bench);
    needStatus(await call(bench, "POST /v2/{endpoint}/cancel/{job}", params), 200);
    expectStatus(await call(bench, "POST /v2/{endpoint}/cancel/{job}", params), 400);
  },
  "retry-unfailed-400": async (bench) => {
    expectStatus(await call(bench, "POST /v2/{endpoint}/retry/{job}", await job(bench)), 400);
  },
} satisfies Trials;

type JobOf = { readonly endpoint: string; readonly job: string };

const call = (bench: Bench, path: string, params: Readonly<Record<string, string>>, body?: unknown) =>
  bench.ask(path, { to: "queue", params, body });

/** Submits a job, which waits. */
async function job(bench: Bench): Promise<JobOf> {
  const { id: endpoint } = await bench.makeEndpoint();
  const answer = needStatus(await call(bench, "POST /v2/{endpoint}/run", { endpoint }, { input: {} }), 200);
  return { endpoint, job: idIn(answer, answer.body) };
}

const formOf = (value: unknown): string => (Array.isArray(value) ? "a list" : `${typeof value} without \`stream\``);
