import type { Bench } from "../bench";
import { type Answer, expectStatus, expectTrue, field, listIn, needStatus } from "../verdict";
import type { Trials } from "./trial";

const TYPE = "SERVERLESS_ENDPOINT";
const VALUE = "tried";
/** Statuses of a success: the service does not document which one these calls answer. */
const DONE = [200, 201, 202, 204];

/** Trials about tags and cost centers. A cost center is made only where the service deletes them. */
export const tagTrials = {
  tags: async (bench) => {
    const created = expectStatus(await bench.create("tag", { value: VALUE }), 200, 201);
    const id = field(created.body, "id");
    expectTrue(typeof id === "string", `${created.call} answered no id`);
    const read = expectStatus(await bench.ask("GET /v2/tags/{id}", { params: { id: String(id) } }), 200);
    const shows = field(read.body, "value") === VALUE && typeof field(read.body, "key") === "string";
    expectTrue(shows, `${read.call} doesn't show key and value`);
    const list = expectStatus(await bench.ask("GET /v2/tags"), 200);
    expectTrue(Array.isArray(field(list.body, "tags")), `${list.call} shows no tags`);
  },
  "tags-attached": async (bench) => {
    const params = await tagAndEndpoint(bench);
    expectStatus(await attached(bench, "PUT", `${RESOURCES}/${TYPE}/{endpoint}`, params), ...DONE);
    expectStatus(await attached(bench, "DELETE", `${RESOURCES}/${TYPE}/{endpoint}`, params), ...DONE);
  },
  "tag-resources-shown": async (bench) => {
    const params = await tagAndEndpoint(bench);
    const first = await attached(bench, "PUT", `${RESOURCES}/${TYPE}/{endpoint}`, params);
    if (!DONE.includes(first.status))
      needStatus(await attached(bench, "PUT", `/v2/tags/{id}/${TYPE}/{endpoint}`, params), ...DONE);
    const read = expectStatus(await bench.ask("GET /v2/tags/{id}?include=resources", { params }), 200);
    const [resource] = listIn(read.body, "resources");
    const shows = field(resource, "id") === params.endpoint && field(resource, "type") === TYPE;
    expectTrue(shows, `${read.call} doesn't show the endpoint that has it`);
  },
  "tags-twice": async (bench) => {
    const tag = { key: bench.name(), value: VALUE };
    needStatus(await bench.create("tag", tag), 200, 201);
    expectStatus(await bench.create("tag", tag), 200, 201);
  },
  "cost-centers": async (bench) => {
    const answer = expectStatus(await bench.ask("GET /v2/cost-centers"), 200);
    expectTrue(Array.isArray(field(answer.body, "costCenters")), `${answer.call} shows no costCenters`);
  },
  "cost-centers-change": async (bench) => {
    // One that nobody has: an older service answers 405, and would keep what the trial makes.
    const probe = expectStatus(await bench.ask("DELETE /v2/cost-centers/{id}", { params: { id: bench.name() } }), 404);
    const isOwn = probe.headers["content-type"]?.startsWith("application/problem+json") === true;
    expectTrue(isOwn, `${probe.call} answered a 404 that is not the service's`);
    const { id } = await bench.make("costCenter", {});
    const value = bench.name();
    const renamed = expectStatus(
      await bench.ask("PATCH /v2/cost-centers/{id}", { params: { id }, body: { value } }),
      200,
    );
    const shows = field(renamed.body, "id") === id && field(renamed.body, "value") === value;
    expectTrue(shows, `${renamed.call} doesn't show the new value under the same id`);
    expectStatus(await bench.ask("DELETE /v2/cost-centers/{id}", { params: { id } }), 204);
    expectStatus(await bench.ask("GET /v2/cost-centers/{id}", { params: { id } }), 404);
  },
} satisfies Trials;

const RESOURCES = "/v2/tags/{id}/resources";

async function tagAndEndpoint(bench: Bench) {
  const { id } = await bench.make("tag", { value: VALUE });
  return { id, endpoint: (await bench.makeEndpoint()).id };
}

const attached = (
  bench: Bench,
  method: "PUT" | "DELETE",
  path: string,
  params: Readonly<Record<string, string>>,
): Promise<Answer> => bench.ask(`${method} ${path}`, { params });
