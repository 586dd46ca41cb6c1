import { z } from "../../../common/zod";
import { type Bench, container, creates, createsTwice, idIn, shows, type Trials, workersTemplate } from "../bench";
import { expectBody, expectStatus, expectTrue, needStatus } from "../verdict";

const POD_BYTES = 102_400;
const credentials = { username: "nobody", password: "not-a-password" };
/** Beside templates. */
const PAGED = ["pods", "clusters", "serverless", "network-volumes", "global-volumes", "cost-centers", "tags"];
const LIST = z.array(z.unknown());

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
  "unknown-property-422": creates("template", { ...container, verifyUnknown: true }, 422),
  "unknown-query-ignored": async (bench) => expectStatus(await bench.ask("GET /v2/pods?verifyUnknown=1"), 200),
  "lists-paged": async (bench) => {
    for (let count = 0; count < 2; count += 1) await bench.makeTemplate();
    const templates = LIST.length(1);
    const leadsOn = z.object({ hasNextPage: z.literal(true), nextCursor: z.string() });
    const { pagination } = await shows("GET /v2/templates?limit=1", { templates, pagination: leadsOn })(bench);
    const params = { cursor: pagination.nextCursor };
    await shows("GET /v2/templates?limit=1&cursor={cursor}", { templates }, { params })(bench);
  },
  "every-list-paged": async (bench) => {
    const pagination = z.object({ hasNextPage: z.boolean() });
    for (const list of PAGED) await shows(`GET /v2/${list}?limit=1`, { pagination })(bench);
  },
  "create-201": creates("template", workersTemplate, 201),
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
  "large-pod-413": async (bench) => {
    const body = { env: { LARGE: "x".repeat(POD_BYTES) } };
    const answer = await bench.ask("POST /v2/pods", { body, key: "none" });
    expectTrue(answer.status === 413, `${answer.call} without a key answered ${answer.status}`);
  },
  account: shows("GET /v2/account", { id: z.string(), email: z.string().nullable() }),
  "account-limits": shows("GET /v2/account/limits", {
    spendRate: z.looseObject({}),
    serverlessWorkers: z.looseObject({}),
  }),
  balance: shows("GET /v2/billing/balance", {
    balanceAmount: z.number(),
    billingMode: z.enum(["PREPAID", "POSTPAID"]),
  }),
  "global-volumes": shows("GET /v2/global-volumes", { globalVolumes: LIST }),
  "registry-names-unique": createsTwice("registry", credentials, 400),
  "registry-patch": async (bench) => {
    const { id } = await bench.make("registry", credentials);
    expectStatus(await bench.patch("registry", id, credentials), 200);
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
    const patched = expectStatus(await bench.patch("secret", id, { value: next }), 200);
    expectTrue(!patched.text.includes(next), `${patched.call} shows the value`);
  },
  "secret-names-any-case": async (bench) => {
    const name = bench.name();
    await bench.make("secret", { name, value: "one" });
    expectStatus(await bench.create("secret", { name: name.toUpperCase(), value: "two" }), 409);
  },
} satisfies Trials;

const TYPE = "SERVERLESS_ENDPOINT";
const ATTACHMENT = `/v2/tags/{id}/resources/${TYPE}/{endpoint}`;
const VALUE = "tried";
/** Statuses of a success: the service does not document which one these calls answer. */
const DONE = [200, 201, 202, 204];

/** Trials about tags and cost centers. A cost center is made only where the service deletes them. */
export const tagTrials = {
  tags: async (bench) => {
    const created = expectStatus(await bench.create("tag", { value: VALUE }), 200, 201);
    const params = expectBody(created, z.object({ id: z.string() }));
    await shows("GET /v2/tags/{id}", { key: z.string(), value: z.literal(VALUE) }, { params })(bench);
    await shows("GET /v2/tags", { tags: LIST })(bench);
  },
  "tags-attached": async (bench) => {
    const params = await tagAndEndpoint(bench);
    expectStatus(await bench.ask(`PUT ${ATTACHMENT}`, { params }), ...DONE);
    expectStatus(await bench.ask(`DELETE ${ATTACHMENT}`, { params }), ...DONE);
  },
  "tag-resources-shown": async (bench) => {
    const params = await tagAndEndpoint(bench);
    const first = await bench.ask(`PUT ${ATTACHMENT}`, { params });
    if (!DONE.includes(first.status))
      needStatus(await bench.ask(`PUT /v2/tags/{id}/${TYPE}/{endpoint}`, { params }), ...DONE);
    const resource = z.looseObject({ id: z.literal(params.endpoint), type: z.literal(TYPE) });
    await shows("GET /v2/tags/{id}?include=resources", { resources: z.tuple([resource]) }, { params })(bench);
  },
  "tags-twice": createsTwice("tag", { value: VALUE }, 200, 201),
  "cost-centers": shows("GET /v2/cost-centers", { costCenters: LIST }),
  "cost-centers-change": async (bench) => {
    // One that nobody has: an older service answers 405, and would keep what the trial makes.
    const probe = expectStatus(await bench.ask("DELETE /v2/cost-centers/{id}", { params: { id: bench.name() } }), 404);
    const isOwn = probe.headers["content-type"]?.startsWith("application/problem+json") === true;
    expectTrue(isOwn, `${probe.call} answered a 404 that is not the service's`);
    const { id } = await bench.make("costCenter", {});
    const value = bench.name();
    const renamed = expectStatus(await bench.patch("costCenter", id, { value }), 200);
    expectBody(renamed, z.object({ id: z.literal(id), value: z.literal(value) }));
    expectStatus(await bench.ask("DELETE /v2/cost-centers/{id}", { params: { id } }), 204);
    expectStatus(await bench.ask("GET /v2/cost-centers/{id}", { params: { id } }), 404);
  },
} satisfies Trials;

async function tagAndEndpoint(bench: Bench) {
  const { id } = await bench.make("tag", { value: VALUE });
  return { id, endpoint: (await bench.makeEndpoint()).id };
}
