import { isRecord } from "../../../common/json";
import { type Bench, idIn, type Trials, workersTemplate } from "../bench";
import { type Answer, expectStatus, expectTrue, field, listIn, needStatus } from "../verdict";

const NAME_LENGTH = 191;
const POD_BYTES = 102_400;
/** Beside templates. */
const PAGED = ["pods", "clusters", "serverless", "network-volumes", "global-volumes", "cost-centers", "tags"];

/** Trials about REST as a whole, and about the account. */
export const commonTrials = {
  "key-refused": async (bench) => {
    for (const key of ["none", "made up"] as const) {
      const answer = await bench.ask("GET /v2/templates", { key });
      expectTrue(
        answer.status === 401,
        `${answer.call} with ${key === "none" ? "no" : "a made-up"} key answered ${answer.status}`,
      );
    }
  },
  "broken-schema-422": async (bench) => {
    const answer = expectStatus(await bench.create("template", { image: 7 }), 422);
    const type = answer.headers["content-type"] ?? "";
    expectTrue(type.startsWith("application/problem+json"), `the refusal has another media type`);
  },
  "unknown-property-422": async (bench) => {
    expectStatus(await bench.create("template", { image: "busybox", disk: 5, verifyUnknown: true }), 422);
  },
  "unknown-query-ignored": async (bench) => {
    expectStatus(await bench.ask("GET /v2/pods?verifyUnknown=1"), 200);
  },
  "lists-paged": async (bench) => {
    for (let count = 0; count < 2; count += 1) await bench.makeTemplate();
    const first = expectStatus(await bench.ask("GET /v2/templates?limit=1"), 200);
    const { length } = listIn(first.body, "templates");
    expectTrue(length === 1, `${first.call} with limit=1 answered ${length === 0 ? "nothing" : "more than one"}`);
    const pagination = field(first.body, "pagination");
    const cursor = field(pagination, "nextCursor");
    const isMore = field(pagination, "hasNextPage") === true && typeof cursor === "string";
    expectTrue(isMore, `${first.call} answered no pagination block that leads on`);
    const second = expectStatus(
      await bench.ask("GET /v2/templates?limit=1&cursor={cursor}", { params: { cursor: String(cursor) } }),
      200,
    );
    expectTrue(listIn(second.body, "templates").length === 1, `${second.call} with a cursor answered no second page`);
  },
  "every-list-paged": async (bench) => {
    for (const list of PAGED) {
      const answer = expectStatus(await bench.ask(`GET /v2/${list}?limit=1`), 200);
      const hasMore = field(answer.body, "pagination", "hasNextPage");
      expectTrue(typeof hasMore === "boolean", `${answer.call} answered no pagination block`);
    }
  },
  "create-201": async (bench) => {
    expectStatus(await bench.create("template", workersTemplate), 201);
  },
  "second-delete-404": async (bench) => {
    const { id } = await bench.makeTemplate();
    const remove = () => bench.ask("DELETE /v2/templates/{id}", { params: { id } });
    needStatus(await remove(), 204);
    expectStatus(await remove(), 404);
  },
  "quota-headers": async (bench) => {
    const answer = needStatus(await bench.ask("GET /v2/templates"), 200);
    for (const name of ["ratelimit", "ratelimit-policy"])
      expectTrue(answer.headers[name] !== undefined, `${answer.call} answered no ${name}`);
  },
  "request-id": async (bench) => {
    const answer = await bench.ask("GET /v2/templates");
    expectTrue(answer.headers["x-request-id"] !== undefined, `${answer.call} answered no x-request-id`);
  },
  "names-191": async (bench) => {
    const longest = bench.name().padEnd(NAME_LENGTH, "x");
    await bench.make("template", { image: "busybox", disk: 5, name: longest });
    expectStatus(await bench.create("template", { image: "busybox", disk: 5, name: `${longest}x` }), 400, 422);
  },
  "large-pod-413": async (bench) => {
    const body = { env: { LARGE: "x".repeat(POD_BYTES) } };
    const answer = await bench.ask("POST /v2/pods", { body, key: "none" });
    expectTrue(answer.status === 413, `${answer.call} without a key answered ${answer.status}`);
  },
  account: async (bench) => {
    const answer = expectStatus(await bench.ask("GET /v2/account"), 200);
    const [id, email] = [field(answer.body, "id"), field(answer.body, "email")];
    expectTrue(typeof id === "string", `${answer.call} shows no id`);
    expectTrue(typeof email === "string" || email === null, `${answer.call} shows no email`);
  },
  "account-limits": async (bench) => {
    const answer = expectStatus(await bench.ask("GET /v2/account/limits"), 200);
    const shows = ["spendRate", "serverlessWorkers"].every((name) => isRecord(field(answer.body, name)));
    expectTrue(shows, `${answer.call} doesn't show spendRate and serverlessWorkers`);
  },
  balance: async (bench) => {
    const answer = expectStatus(await bench.ask("GET /v2/billing/balance"), 200);
    const [amount, mode] = [field(answer.body, "balanceAmount"), field(answer.body, "billingMode")];
    const shows = typeof amount === "number" && (mode === "PREPAID" || mode === "POSTPAID");
    expectTrue(shows, `${answer.call} doesn't show balanceAmount and billingMode`);
  },
  "global-volumes": async (bench) => {
    const answer = expectStatus(await bench.ask("GET /v2/global-volumes"), 200);
    expectTrue(Array.isArray(field(answer.body, "globalVolumes")), `${answer.call} shows no globalVolumes`);
  },
  "registry-names-unique": async (bench) => {
    const registry = { name: bench.name(), ...credentials };
    await bench.make("registry", registry);
    expectStatus(await bench.create("registry", registry), 400);
  },
  "registry-patch": async (bench) => {
    const { id } = await bench.make("registry", credentials);
    expectStatus(await bench.ask("PATCH /v2/registries/{id}", { params: { id }, body: credentials }), 200);
  },
  "secret-value-hidden": async (bench) => {
    const value = "a-value-of-no-use";
    const created = expectStatus(await bench.create("secret", { value }), 200, 201);
    const id = idIn(created, created.body);
    const read = expectStatus(await bench.ask("GET /v2/account/secrets/{id}", { params: { id } }), 200);
    expectTrue(![created, read].some(({ text }) => text.includes(value)), "an answer shows the value");
  },
  "secret-list-hides-values": async (bench) => {
    const [value, next] = ["a-value-of-no-use", "another-of-no-use"];
    const { id } = await bench.make("secret", { value });
    const list = expectStatus(await bench.ask("GET /v2/account/secrets"), 200);
    expectTrue(!list.text.includes(value), `${list.call} shows the value`);
    const patched = expectStatus(
      await bench.ask("PATCH /v2/account/secrets/{id}", { params: { id }, body: { value: next } }),
      200,
    );
    expectTrue(!patched.text.includes(next), `${patched.call} shows the value`);
  },
  "secret-names-any-case": async (bench) => {
    const name = bench.name();
    await bench.make("secret", { name, value: "one" });
    expectStatus(await bench.create("secret", { name: name.toUpperCase(), value: "two" }), 409);
  },
} satisfies Trials;

const credentials = { username: "nobody", password: "not-a-password" };

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
