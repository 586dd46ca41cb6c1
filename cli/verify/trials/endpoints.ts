import { z } from "../../../common/zod";
import { type Bench, creates, idIn, queueEndpoint, savedEndpoint, shows, type Trials } from "../bench";
import { expectStatus, expectTrue, field, listIn, needStatus } from "../verdict";

/** Far more than any account may have. None is started. */
const TOO_MANY_WORKERS = 100_000;
const TIMEOUT_MS = 300_000;
const IDLE_S = 10;

/** Trials about serverless endpoints, over either interface or both. None of them has workers. */
export const endpointTrials = {
  "worker-quota": creates("endpoint", { ...queueEndpoint, workers: { min: 0, max: TOO_MANY_WORKERS } }, 400, 422),
  builds: async (bench) => {
    const { id } = await bench.makeEndpoint();
    await shows("GET /v2/serverless/{id}/builds", { builds: z.array(z.unknown()) }, { params: { id } })(bench);
  },
  "rest-timeout-default": async (bench) => {
    const { body: endpoint } = await bench.makeEndpoint();
    const timeout = field(endpoint, "timeout");
    expectTrue(timeout === TIMEOUT_MS, `it has ${String(timeout)}`);
  },
  "rest-endpoint-defaults": async (bench) => {
    const { body: endpoint } = await bench.makeEndpoint();
    const flashboot = field(endpoint, "flashboot");
    const idleTimeout = field(endpoint, "workers", "idleTimeout");
    const seen = `it has FlashBoot ${String(flashboot)} and an idle timeout of ${String(idleTimeout)}`;
    expectTrue(flashboot === "OFF" && idleTimeout === IDLE_S, seen);
  },
  "workers-merged": async (bench) => {
    const { id } = await bench.makeEndpoint({ workers: { min: 0, max: 0, idleTimeout: 33 } });
    expectStatus(await bench.patch("endpoint", id, { workers: { max: 0 } }), 200);
    const idleTimeout = field(await bench.read("endpoint", id), "workers", "idleTimeout");
    expectTrue(idleTimeout === 33, `an idle timeout of 33 became ${String(idleTimeout)}`);
  },
  "cuda-floor-cleared": async (bench) => {
    const { id } = await bench.makeEndpoint({ gpu: { pools: ["AMPERE_16"], minCudaVersion: "12.4" } });
    expectStatus(await bench.patch("endpoint", id, { gpu: { minCudaVersion: "" } }), 200);
    const floor = field(await bench.read("endpoint", id), "gpu", "minCudaVersion") ?? "";
    expectTrue(floor === "", "it is still there");
  },
  "template-in-use-400": async (bench) => {
    const { templateId } = await saved(bench);
    expectStatus(await bench.ask("DELETE /v2/templates/{id}", { params: { id: templateId } }), 400);
  },
  "template-shared": async (bench) => {
    const { templateId } = await saved(bench);
    const second = await bench.saveAnswer({ templateId });
    const id = field(second.body, "data", "saveEndpoint", "id");
    expectTrue(typeof id === "string", `a second endpoint of the template was refused (${second.status})`);
  },
  "save-is-no-patch": async (bench) => {
    const { id, templateId } = await saved(bench);
    const { idleTimeout: _, ...input } = full(bench, id, templateId);
    const answer = needStatus(await bench.saveAnswer(input), 200);
    const idleTimeout = field(answer.body, "data", "saveEndpoint", "idleTimeout");
    expectTrue(
      typeof idleTimeout === "number" && idleTimeout !== 7,
      `an idle timeout of 7 became ${String(idleTimeout)}`,
    );
  },
  "graphql-several-saves": async (bench) => {
    const { id, templateId } = await saved(bench);
    const input = full(bench, id, templateId);
    const query =
      "mutation ($input: EndpointInput!) { a: saveEndpoint(input: $input) { id } b: saveEndpoint(input: $input) { id } }";
    const answer = await bench.graphqlAnswer(query, { input });
    const data = field(answer.body, "data");
    const both = [field(data, "a"), field(data, "b")].every((each) => field(each, "id") === id);
    expectTrue(both, `GraphQL refused two saves in one document (${answer.status})`);
  },
  "graphql-shows-flashboot": async (bench) => {
    const { id } = await saved(bench);
    const answer = needStatus(await bench.graphqlAnswer("{ myself { endpoints { id flashBootType } } }"), 200, 400);
    const endpoints = listIn(answer.body, "data", "myself", "endpoints");
    const endpoint = endpoints.find((each) => field(each, "id") === id);
    expectTrue(typeof field(endpoint, "flashBootType") === "string", `GraphQL doesn't show it (${answer.status})`);
  },
  "graphql-bad-key": async (bench) => {
    const answer = await bench.graphqlAnswer("{ myself { id } }", {}, { key: "made up" });
    const isNobody = answer.status === 200 && field(answer.body, "data", "myself") === null;
    expectTrue(answer.status === 401 || isNobody, `GraphQL answered ${answer.status}`);
  },
  "graphql-key-in-header": async (bench) => {
    // REST shows whether the key is valid.
    needStatus(await bench.ask("GET /v2/account"), 200);
    const answer = needStatus(await bench.graphqlAnswer("{ myself { id } }"), 200, 401);
    const id = field(answer.body, "data", "myself", "id");
    expectTrue(typeof id === "string", `GraphQL does not know the key that REST accepts (${answer.status})`);
  },
  "two-views": async (bench) => {
    const { id } = await saved(bench);
    expectStatus(await bench.ask("GET /v2/serverless/{id}", { params: { id } }), 200);
  },
  "no-time-limit-is-0": async (bench) => {
    const { id } = await saved(bench);
    const timeout = field(await bench.read("endpoint", id), "timeout");
    expectTrue(timeout === 0, `it has ${String(timeout)}`);
  },
  "countries-kept": async (bench) => {
    const { id } = await saved(bench, { locations: "US" });
    needStatus(await bench.patch("endpoint", id, { name: bench.name() }), 200);
    const data = await bench.graphql("{ myself { endpoints { id locations } } }");
    const endpoint = listIn(data, "myself", "endpoints").find((each) => field(each, "id") === id);
    expectTrue(field(endpoint, "locations") === "US", "the PATCH has changed `locations`");
  },
  "rest-patches-template": async (bench) => {
    const { id, templateId } = await saved(bench);
    needStatus(await bench.patch("endpoint", id, { image: "busybox:1" }), 200);
    const image = field(await bench.read("template", templateId), "image");
    expectTrue(image === "busybox:1", "the template still has its old image");
  },
  "rest-deletes-template": async (bench) => {
    const { id, templateId } = await saved(bench);
    needStatus(await bench.ask("DELETE /v2/serverless/{id}", { params: { id } }), 204);
    expectStatus(await bench.ask("GET /v2/templates/{id}", { params: { id: templateId } }), 404);
  },
} satisfies Trials;

/** Creates an endpoint over GraphQL, with its own template. */
async function saved(bench: Bench, input: Readonly<Record<string, unknown>> = {}) {
  const { id: templateId } = await bench.makeTemplate();
  return { templateId, id: await bench.saveEndpoint({ templateId, ...input }) };
}

const full = (bench: Bench, id: string, templateId: string) => ({
  ...savedEndpoint,
  ...{ id, templateId, name: bench.name() },
});

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

const call = (bench: Bench, path: string, params: Readonly<Record<string, string>>, body?: unknown) =>
  bench.ask(path, { to: "queue", params, body });

/** Submits a job, which waits. */
async function job(bench: Bench) {
  const { id: endpoint } = await bench.makeEndpoint();
  const answer = needStatus(await call(bench, "POST /v2/{endpoint}/run", { endpoint }, { input: {} }), 200);
  return { endpoint, job: idIn(answer, answer.body) };
}

const formOf = (value: unknown): string => (Array.isArray(value) ? "a list" : `${typeof value} without \`stream\``);
