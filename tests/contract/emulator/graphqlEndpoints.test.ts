import { expect, it } from "@jest/globals";
import { accountForEach, openAccount } from "../../harness/account";
import { FIELDS, mutate, openTemplate, save } from "./graphqlCalls";
import { openEndpoint } from "./jobPlane";

const cloud = accountForEach();

it("endpoints are the same ones through both interfaces", async () => {
  const templateId = await openTemplate(cloud);
  const saved = await save(cloud, { name: "images", gpuIds: "AMPERE_16", templateId, locations: "EU-RO-1" });
  const rest = (await cloud.rest("GET", `/v2/serverless/${saved.id}`)).body;
  expect(rest).toMatchObject({
    image: "emulator/echo:1",
    gpu: { pools: ["AMPERE_16"] },
    dataCenterIds: ["EU-RO-1"],
    workers: { min: 0, max: 3, idleTimeout: 10 },
  });
  const scaling = { type: "REQUEST_COUNT", requestCount: 2 };
  await cloud.rest("PATCH", `/v2/serverless/${saved.id}`, { name: "renamed", scaling });
  // GraphQL turns FlashBoot on for names that end so, and has whole seconds only: rounded up, as it refuses 0.
  const created = await openEndpoint(cloud, { name: "smoke-fb", scaling: { type: "QUEUE_DELAY", queueDelay: 0.5 } });
  const { body } = await cloud.graphql(`{ myself { endpoints { ${FIELDS} } } }`);
  expect(body.data.myself.endpoints).toMatchObject([
    { id: saved.id, name: "renamed", scalerType: "REQUEST_COUNT", scalerValue: 2 },
    { id: created.id, name: "smoke-fb", workersMax: 1, scalerValue: 1, flashBootType: "OFF" },
  ]);
  // What REST made has a hidden template, which a save by the same id keeps.
  const [, { templateId: hidden }] = body.data.myself.endpoints;
  await save(cloud, { id: created.id, name: "smoke", gpuIds: "AMPERE_16", templateId: hidden, workersMax: 2 });
  const { body: kept } = await cloud.rest("GET", `/v2/serverless/${created.id}`);
  expect(kept).toMatchObject({ image: "emulator/echo", workers: { max: 2 } });
});

it("endpoints are listed up to the cap, oldest first, and read by id beyond it", async () => {
  await using cloud = await openAccount({ settings: { endpointListCap: 2 } });
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await openEndpoint(cloud)).id);
  const list = await cloud.graphql("{ myself { endpoints { id } } }");
  expect(list.body.data.myself.endpoints).toEqual([{ id: ids[0] }, { id: ids[1] }]);
  const read = await cloud.graphql(`{ myself { endpoint(id: "${ids[2]}") { id } } }`);
  expect(read.body).toEqual({ data: { myself: { endpoint: { id: ids[2] } } } });
  expect((await cloud.graphql('{ myself { endpoint(id: "nobody") { id } } }')).body).toMatchObject({
    data: { myself: { endpoint: null } },
    errors: [{ message: "endpoint not found", path: ["myself", "endpoint"] }],
  });
});

it("endpoints are deleted once their workers are set to 0 and have all ended, or at once where the service does so", async () => {
  const templateId = await openTemplate(cloud);
  const input = { name: "images", gpuIds: "AMPERE_16", templateId, env: [{ key: "EMULATOR_DELAY_MS", value: "9000" }] };
  const { id } = await save(cloud, { ...input, workersMin: 1 });
  const remove = async () => (await mutate(cloud, `deleteEndpoint(id: "${id}")`)).errors?.[0].message;
  expect(await remove()).toMatch("workersMin and workersMax to 0");
  await cloud.queue("POST", `${id}/run`, { input: 1 });
  await cloud.advance(0);
  await save(cloud, { ...input, id, workersMax: 0 });
  expect(await remove()).toMatch("1 active workers");
  await cloud.advance(9000);
  expect(await mutate(cloud, `deleteEndpoint(id: "${id}")`)).toEqual({ data: { deleteEndpoint: null } });
  expect(await remove()).toBe("endpoint not found");
  const other = await save(cloud, { ...input, workersMin: 1 });
  await cloud.service.settings({ graphqlDeletesWithWorkers: true });
  expect(await mutate(cloud, `deleteEndpoint(id: "${other.id}")`)).toEqual({ data: { deleteEndpoint: null } });
  expect((await cloud.rest("GET", `/v2/serverless/${other.id}`)).status).toBe(404);
});

it("endpoints come with the account's discount", async () => {
  const serverlessDiscount = { discountFactor: 0.15, type: "COMMITMENT", expirationDate: "2030-01-01T00:00:00Z" };
  const read = async () =>
    (await cloud.graphql("{ myself { serverlessDiscount { discountFactor type expirationDate } } }")).body.data.myself;
  expect(await read()).toEqual({ serverlessDiscount: null });
  await cloud.service.settings({ serverlessDiscount });
  expect(await read()).toEqual({ serverlessDiscount });
});

it.each([
  ["{ myself { ", "GRAPHQL_PARSE_FAILED"],
  ["{ myself { endpoints { nothing } } }", "GRAPHQL_VALIDATION_FAILED"],
  ["mutation { saveEndpoint(input: {gpuIds: 5}) { id } }", "GRAPHQL_VALIDATION_FAILED"],
  ["{ __schema { types { name } } }", "GRAPHQL_VALIDATION_FAILED"],
  ["mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id } }", "BAD_USER_INPUT"],
])("the GraphQL server answers 400 to a document that cannot run: %s", async (query, code) => {
  const { status, body } = await cloud.graphql(query);
  expect(status).toBe(400);
  expect(body).not.toHaveProperty("data");
  expect(body.errors[0]).toMatchObject({ message: expect.any(String), extensions: { code } });
});

it("the GraphQL server answers a bad key with 401, or with nobody's account when it is set to", async () => {
  const ask = (query: string) => cloud.graphql(query, undefined, { authorization: "Bearer wrong" });
  const errors = [{ message: expect.any(String) }];
  expect(await ask("{ myself { id } }")).toMatchObject({ status: 401, body: { errors } });
  await cloud.service.settings({ graphqlBadKey: "null" });
  expect(await ask("{ myself { id } }")).toMatchObject({ status: 200, body: { data: { myself: null } } });
  expect((await ask('mutation { deleteEndpoint(id: "any") }')).status).toBe(401);
});

const statusFor = async (key: string, query: string) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return (await fetch(cloud.graphqlUrl, { method: "POST", headers, body: JSON.stringify({ query }) })).status;
};

it("the GraphQL server lets a key do what it may", async () => {
  await cloud.service.settings({
    keys: [
      { key: "reader", kind: "read-only" },
      { key: "nobody", kind: "restricted" },
    ],
  });
  expect(await statusFor("reader", "{ myself { id } }")).toBe(200);
  expect(await statusFor("reader", 'mutation { deleteEndpoint(id: "any") }')).toBe(403);
  expect(await statusFor("nobody", "{ myself { id } }")).toBe(403);
});

/* GraphQL ends on a day of the emulator's clock, and REST goes on with the endpoints that GraphQL made. */
const DAY_MS = 86_400_000;
const QUERY = "{ myself { id } }";
const input = { name: "images", gpuIds: "AMPERE_16" };

it("answers 410 to every call from that day on", async () => {
  const now = Date.parse((await cloud.control("GET", "/clock")).body.now);
  await cloud.service.settings({ graphqlEndsAt: new Date(now + DAY_MS).toISOString() });
  expect((await cloud.graphql(QUERY)).status).toBe(200);
  await cloud.advance(DAY_MS);
  expect(await statusFor(cloud.apiKey, QUERY)).toBe(410);
  expect((await cloud.rest("GET", "/v2/serverless")).status).toBe(200);
});

const readOverGraphql = async (id: string) =>
  (await cloud.graphql(`{ myself { endpoint(id: "${id}") { ${FIELDS} } } }`)).body.data.myself.endpoint;
const bound = async (settings: object) => {
  await cloud.service.settings(settings);
  const templateId = await openTemplate(cloud);
  const { id } = await save(cloud, { ...input, templateId });
  return { id, templateId };
};

it.each([
  ["always", [404, 404]],
  ["never", [200, 200]],
  ["unlessUsed", [200, 404]],
] as const)(
  "REST and the template that two endpoints are bound to by GraphQL: restDeletesTemplate %s",
  async (restDeletesTemplate, statuses) => {
    const { id, templateId } = await bound({ restDeletesTemplate });
    const other = await save(cloud, { ...input, name: "others", templateId });
    const seen = [];
    for (const each of [id, other.id]) {
      expect((await cloud.rest("DELETE", `/v2/serverless/${each}`)).status).toBe(204);
      seen.push((await cloud.rest("GET", `/v2/templates/${templateId}`)).status);
    }
    expect(seen).toEqual(statuses);
  },
);

it.each([
  [true, "emulator/echo:2"],
  [false, "emulator/echo:1"],
])(
  "REST and the template that GraphQL has bound to an endpoint restPatchesTemplate %s: a PATCH changes its image too, or the endpoint's alone",
  async (to, image) => {
    const { id, templateId } = await bound({ restPatchesTemplate: to });
    await cloud.rest("PATCH", `/v2/serverless/${id}`, { image: "emulator/echo:2" });
    expect((await cloud.rest("GET", `/v2/templates/${templateId}`)).body).toMatchObject({ image, env: { A: "1" } });
    // The link stays, whatever REST has copied.
    const next = await openTemplate(cloud, "next");
    await cloud.rest("PATCH", `/v2/serverless/${id}`, { templateId: next });
    expect(await readOverGraphql(id)).toMatchObject({ templateId });
  },
);

it.each([
  ["dataCenters", expect.arrayContaining(["EU-RO-1"])],
  ["none", []],
] as const)("restShowsCountries %s", async (restShowsCountries, dataCenterIds) => {
  await cloud.service.settings({ restShowsCountries });
  const { id } = await save(cloud, { ...input, locations: "RO", templateId: await openTemplate(cloud) });
  const path = `/v2/serverless/${id}`;
  expect((await cloud.rest("GET", path)).body).toMatchObject({ dataCenterIds });
  await cloud.rest("PATCH", path, { timeout: 5000 });
  expect(await readOverGraphql(id)).toMatchObject({ locations: "RO" });
});
