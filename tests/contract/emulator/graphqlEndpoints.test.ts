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
  await cloud.rest("PATCH", `/v2/serverless/${saved.id}`, {
    name: "renamed",
    scaling: { type: "REQUEST_COUNT", requestCount: 2 },
  });
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
  expect((await cloud.rest("GET", `/v2/serverless/${created.id}`)).body).toMatchObject({
    image: "emulator/echo",
    workers: { max: 2 },
  });
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

it("endpoints are deleted with their workers, where the service does so", async () => {
  await using cloud = await openAccount({ settings: { graphqlDeletesWithWorkers: true } });
  const templateId = await openTemplate(cloud);
  const { id } = await save(cloud, { name: "images", gpuIds: "AMPERE_16", templateId, workersMin: 1 });
  await cloud.advance(0);
  expect(await mutate(cloud, `deleteEndpoint(id: "${id}")`)).toEqual({ data: { deleteEndpoint: null } });
  expect((await cloud.rest("GET", `/v2/serverless/${id}`)).status).toBe(404);
});

it("endpoints are deleted once their workers are set to 0 and have all ended", async () => {
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
});

it("endpoints come with the account's discount", async () => {
  const serverlessDiscount = { discountFactor: 0.15, type: "COMMITMENT", expirationDate: "2030-01-01T00:00:00Z" };
  const read = async () =>
    (await cloud.graphql("{ myself { serverlessDiscount { discountFactor type expirationDate } } }")).body.data.myself;
  expect(await read()).toEqual({ serverlessDiscount: null });
  await cloud.service.settings({ serverlessDiscount });
  expect(await read()).toEqual({ serverlessDiscount });
});
