/* GraphQL ends on a day of the emulator's clock, and REST goes on with the endpoints that GraphQL made. */
import { expect, it } from "@jest/globals";
import { accountForEach, type openAccount } from "../../harness/account";
import { FIELDS, openTemplate, save } from "./graphqlCalls";

const cloud = accountForEach();

const DAY_MS = 86_400_000;
const QUERY = "{ myself { id } }";
const input = { name: "images", gpuIds: "AMPERE_16" };

it("answers 410 to every call from that day on", async () => {
  const now = Date.parse((await cloud.control("GET", "/clock")).body.now);
  await cloud.service.settings({ graphqlEndsAt: new Date(now + DAY_MS).toISOString() });
  expect((await cloud.graphql(QUERY)).status).toBe(200);
  await cloud.advance(DAY_MS);
  const body = JSON.stringify({ query: QUERY });
  const headers = { "content-type": "application/json", authorization: `Bearer ${cloud.apiKey}` };
  expect((await fetch(cloud.graphqlUrl, { method: "POST", headers, body })).status).toBe(410);
  expect((await cloud.rest("GET", "/v2/serverless")).status).toBe(200);
});

const bound = async (cloud: Awaited<ReturnType<typeof openAccount>>, settings: object) => {
  await cloud.service.settings(settings);
  const templateId = await openTemplate(cloud);
  const { id } = await save(cloud, { ...input, templateId });
  return { id, templateId };
};

it.each([
  ["always", 204, 404],
  ["never", 204, 200],
] as const)(
  "REST and the template that GraphQL has bound to an endpoint restDeletesTemplate %s",
  async (restDeletesTemplate, deleted, template) => {
    const { id, templateId } = await bound(cloud, { restDeletesTemplate });
    expect((await cloud.rest("DELETE", `/v2/serverless/${id}`)).status).toBe(deleted);
    expect((await cloud.rest("GET", `/v2/templates/${templateId}`)).status).toBe(template);
  },
);

it("REST and the template that GraphQL has bound to an endpoint restDeletesTemplate unlessUsed: as long as another endpoint is bound to it", async () => {
  const { id, templateId } = await bound(cloud, { restDeletesTemplate: "unlessUsed" });
  const other = await save(cloud, { ...input, name: "others", templateId });
  await cloud.rest("DELETE", `/v2/serverless/${id}`);
  expect((await cloud.rest("GET", `/v2/templates/${templateId}`)).status).toBe(200);
  await cloud.rest("DELETE", `/v2/serverless/${other.id}`);
  expect((await cloud.rest("GET", `/v2/templates/${templateId}`)).status).toBe(404);
});

it.each([
  [true, "emulator/echo:2"],
  [false, "emulator/echo:1"],
])(
  "REST and the template that GraphQL has bound to an endpoint restPatchesTemplate %s: a PATCH changes its image too, or the endpoint's alone",
  async (to, image) => {
    const { id, templateId } = await bound(cloud, { restPatchesTemplate: to });
    await cloud.rest("PATCH", `/v2/serverless/${id}`, { image: "emulator/echo:2" });
    expect((await cloud.rest("GET", `/v2/templates/${templateId}`)).body).toMatchObject({ image, env: { A: "1" } });
    // The link stays, whatever REST has copied.
    const next = await openTemplate(cloud, "next");
    await cloud.rest("PATCH", `/v2/serverless/${id}`, { templateId: next });
    const { body } = await cloud.graphql(`{ myself { endpoint(id: "${id}") { ${FIELDS} } } }`);
    expect(body.data.myself.endpoint.templateId).toBe(templateId);
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
  const { body } = await cloud.graphql(`{ myself { endpoint(id: "${id}") { ${FIELDS} } } }`);
  expect(body.data.myself.endpoint.locations).toBe("RO");
});
