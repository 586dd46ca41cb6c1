/* What the list of deviations says is so. Those of REST from the contract are met in operations.test.ts. */
import { expect, it } from "@jest/globals";
import type { Account } from "../../harness/account";
import { accountForEach } from "../../harness/forEach";
import { CLASHES, EVERY_DEVIATION } from "../deviations";
import { mutate, openTemplate, save } from "./graphqlCalls";

const cloud = accountForEach();

const endpoint = {
  name: "chat",
  type: "QUEUE",
  image: "emulator/echo:1",
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};

const saved = async (cloud: Account, input: Record<string, unknown>) =>
  save(cloud, { name: "chat", gpuIds: "ADA_24", type: "QB", templateId: await openTemplate(cloud), ...input });

const create = async (cloud: Account, body: Record<string, unknown>) =>
  cloud.rest("POST", "/v2/serverless", { ...endpoint, ...body });

const status = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;

const CHECKS: Readonly<Record<(typeof CLASHES)[number]["name"], (cloud: Account) => Promise<void>>> = {
  "excluded GPU types that are in no pool": async (cloud) => {
    expect(await create(cloud, { gpu: { pools: ["ADA_24"], excludedTypes: ["NVIDIA NONE"] } })).toMatchObject({
      status: 400,
    });
    expect(await saved(cloud, { gpuIds: "ADA_24,-NVIDIA NONE" })).toMatchObject({ gpuIds: "ADA_24,-NVIDIA NONE" });
  },
  "short names of endpoints": async (cloud) => {
    expect(await create(cloud, { name: "a" })).toMatchObject({ status: 201 });
    expect(await saved(cloud, { name: "ab" })).toMatch(/at least 3/);
  },
  "FlashBoot by the end of a name": async (cloud) => {
    expect((await create(cloud, { name: "chat-fb" })).body).toMatchObject({ flashboot: "OFF" });
    expect(await saved(cloud, { name: "chat-fb" })).toMatchObject({ flashBootType: "FLASHBOOT" });
  },
  "half seconds of queue delay": async (cloud) => {
    const { body } = await create(cloud, { scaling: { type: "QUEUE_DELAY", queueDelay: 0.5 } });
    expect(body.scaling.queueDelay).toBe(0.5);
    const { body: listed } = await cloud.graphql("{ myself { endpoints { scalerValue } } }");
    expect(listed.data.myself.endpoints).toEqual([{ scalerValue: 1 }]);
  },
  "a time limit that is left out": async (cloud) => {
    expect((await create(cloud, {})).body.timeout).toBe(300_000);
    expect(await saved(cloud, {})).toMatchObject({ executionTimeoutMs: 0 });
  },
  "fields that an update leaves out": async (cloud) => {
    const { id } = (await create(cloud, { workers: { min: 0, max: 1, idleTimeout: 42 } })).body;
    const patched = await cloud.rest("PATCH", `/v2/serverless/${id}`, { name: "other" });
    expect(patched.body.workers).toEqual({ min: 0, max: 1, idleTimeout: 42 });
    expect(await saved(cloud, { id })).toMatchObject({ workersMax: 3, idleTimeout: 10 });
  },
  "deleting an endpoint that may have workers": async (cloud) => {
    const [first, second] = [await saved(cloud, {}), (await create(cloud, {})).body];
    expect(await mutate(cloud, `deleteEndpoint(id: "${first.id}")`)).toMatchObject({ errors: [expect.anything()] });
    expect(await cloud.rest("DELETE", `/v2/serverless/${second.id}`)).toMatchObject({ status: 204 });
  },
  "statuses of refusals": async (cloud) => {
    expect(await create(cloud, { gpu: { pools: ["NONE"] } })).toMatchObject({ status: 400 });
    const refused = await cloud.graphql('mutation { deleteEndpoint(id: "none") }');
    expect(refused).toMatchObject({ status: 200, body: { errors: [expect.anything()] } });
    expect(await cloud.graphql("{ bogus")).toMatchObject({ status: 400 });
  },
  "the form of a stream": async (cloud) => {
    const { id } = (await create(cloud, {})).body;
    const { body: job } = await cloud.queue("POST", `${id}/runsync`, { input: { a: 1 } });
    const stream = async () => (await cloud.queue("GET", `${id}/stream/${job.id}`)).body;
    expect(await stream()).toMatchObject({ status: expect.any(String), stream: [] });
    await cloud.service.settings({ streamForm: "array" });
    expect(await stream()).toEqual([]);
  },
  "the key of the job plane": async (cloud) => {
    const { id } = (await create(cloud, {})).body;
    const statusesWith = (authorization: string) => [
      status(`${cloud.serverlessUrl}/v2/${id}/health`, { headers: { authorization } }),
      status(`${cloud.baseUrl}/v2/pods`, { headers: { authorization } }),
    ];
    expect(await Promise.all(statusesWith(cloud.apiKey))).toEqual([200, 401]);
    expect(await Promise.all(statusesWith(`Bearer ${cloud.apiKey}`))).toEqual([200, 200]);
  },
  "rate-limit headers of clusters": async (cloud) => {
    const { headers } = await cloud.rest("GET", "/v2/clusters");
    expect(headers.get("ratelimit")).toMatch(/"minute";r=\d+/);
  },
};

it.each(CLASHES)("it is so: $name", async ({ name }) => {
  await CHECKS[name](cloud);
});

it("every deviation has a name of its own, and a reason", () => {
  const names = EVERY_DEVIATION.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { reason } of EVERY_DEVIATION) expect(reason).toMatch(/^[A-Z].{30,}\.$/);
});
