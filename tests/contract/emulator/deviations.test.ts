/* What the emulator does where two sides clash, and that it does so. Deviations of REST from the contract are met in operations.test.ts. */
import { expect, it } from "@jest/globals";
import { accountForEach } from "../../harness/forEach";
import { DEVIATIONS } from "../openapi/deviations";
import { mutate, openTemplate, save } from "./graphqlCalls";

const cloud = accountForEach();

const endpoint = {
  name: "chat",
  type: "QUEUE",
  image: "emulator/echo:1",
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};

const saved = async (input: Record<string, unknown>) =>
  save(cloud, { name: "chat", gpuIds: "ADA_24", type: "QB", templateId: await openTemplate(cloud), ...input });

const create = (body: Record<string, unknown>) => cloud.rest("POST", "/v2/serverless", { ...endpoint, ...body });

const status = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;

/** Where two of the service's interfaces, or its documents and what was seen of it, say different things. */
const CLASHES: readonly Clash[] = [
  {
    name: "excluded GPU types that are in no pool",
    says: ["REST refuses them with 400", "GraphQL keeps them"],
    reason: "The contract demands it of REST; over GraphQL, live checks saw unknown types stored without a word.",
    check: async () => {
      expect(await create({ gpu: { pools: ["ADA_24"], excludedTypes: ["NVIDIA NONE"] } })).toMatchObject({
        status: 400,
      });
      expect(await saved({ gpuIds: "ADA_24,-NVIDIA NONE" })).toMatchObject({ gpuIds: "ADA_24,-NVIDIA NONE" });
    },
  },
  {
    name: "short names of endpoints",
    says: ["REST takes one character", "GraphQL takes three or more"],
    reason: "The contract's minimum is 1; the vendor's own clients hold to 3 before they call GraphQL.",
    check: async () => {
      expect(await create({ name: "a" })).toMatchObject({ status: 201 });
      expect(await saved({ name: "ab" })).toMatch(/at least 3/);
    },
  },
  {
    name: "FlashBoot by the end of a name",
    says: ["REST has flashboot alone", "GraphQL turns it on for names that end in -fb"],
    reason: "Clients older than flashBootType ask for it so, and only those of GraphQL are that old.",
    check: async () => {
      expect((await create({ name: "chat-fb" })).body).toMatchObject({ flashboot: "OFF" });
      expect(await saved({ name: "chat-fb" })).toMatchObject({ flashBootType: "FLASHBOOT" });
    },
  },
  {
    name: "half seconds of queue delay",
    says: ["REST takes numbers from 0.5", "GraphQL shows whole numbers"],
    reason: "An Int holds scalerValue, so that what REST has set is rounded up, never down to the refused 0.",
    check: async () => {
      const { body } = await create({ scaling: { type: "QUEUE_DELAY", queueDelay: 0.5 } });
      expect(body.scaling.queueDelay).toBe(0.5);
      const { body: listed } = await cloud.graphql("{ myself { endpoints { scalerValue } } }");
      expect(listed.data.myself.endpoints).toEqual([{ scalerValue: 1 }]);
    },
  },
  {
    name: "a time limit that is left out",
    says: ["REST sets 300,000 ms", "GraphQL sets none, 0"],
    reason:
      "The contract names the default; a live create without it was seen with 0, which is GraphQL's. Clients send it.",
    check: async () => {
      expect((await create({})).body.timeout).toBe(300_000);
      expect(await saved({})).toMatchObject({ executionTimeoutMs: 0 });
    },
  },
  {
    name: "fields that an update leaves out",
    says: ["a PATCH of REST keeps them", "saveEndpoint sets defaults"],
    reason: "The contract's PATCH is sparse; saveEndpoint with an id was seen twice to reset what it is not told.",
    check: async () => {
      const { id } = (await create({ workers: { min: 0, max: 1, idleTimeout: 42 } })).body;
      const patched = await cloud.rest("PATCH", `/v2/serverless/${id}`, { name: "other" });
      expect(patched.body.workers).toEqual({ min: 0, max: 1, idleTimeout: 42 });
      expect(await saved({ id })).toMatchObject({ workersMax: 3, idleTimeout: 10 });
    },
  },
  {
    name: "deleting an endpoint that may have workers",
    says: ["REST deletes it", "GraphQL wants workersMin and workersMax to be 0 first, or deletes it as well"],
    reason:
      "The contract and the vendor's newest tool have no precondition; GraphQL's documents and its older provider have one: a setting.",
    check: async () => {
      const [first, second] = [await saved({}), (await create({})).body];
      expect(await mutate(cloud, `deleteEndpoint(id: "${first.id}")`)).toMatchObject({ errors: [expect.anything()] });
      expect(await cloud.rest("DELETE", `/v2/serverless/${second.id}`)).toMatchObject({ status: 204 });
    },
  },
  {
    name: "statuses of refusals",
    says: ["REST answers 400", "GraphQL answers 200 with errors"],
    reason: "Both as documented; what GraphQL can't even read is a 400 there as well.",
    check: async () => {
      expect(await create({ gpu: { pools: ["NONE"] } })).toMatchObject({ status: 400 });
      const refused = await cloud.graphql('mutation { deleteEndpoint(id: "none") }');
      expect(refused).toMatchObject({ status: 200, body: { errors: [expect.anything()] } });
      expect(await cloud.graphql("{ bogus")).toMatchObject({ status: 400 });
    },
  },
  {
    name: "the form of a stream",
    says: ["the description shows a bare list", "live answers are objects with the job's status"],
    reason: "Three clients read the object. The setting streamForm has the other.",
    check: async () => {
      const { id } = (await create({})).body;
      const { body: job } = await cloud.queue("POST", `${id}/runsync`, { input: { a: 1 } });
      const stream = async () => (await cloud.queue("GET", `${id}/stream/${job.id}`)).body;
      expect(await stream()).toMatchObject({ status: expect.any(String), stream: [] });
      await cloud.service.settings({ streamForm: "array" });
      expect(await stream()).toEqual([]);
    },
  },
  {
    name: "the key of the job plane",
    says: ["the description sends it raw", "the documents send it as a bearer"],
    reason: "Clients of both kinds are about; REST takes the bearer alone.",
    check: async () => {
      const { id } = (await create({})).body;
      const statusesWith = (authorization: string) => [
        status(`${cloud.serverlessUrl}/v2/${id}/health`, { headers: { authorization } }),
        status(`${cloud.baseUrl}/v2/pods`, { headers: { authorization } }),
      ];
      expect(await Promise.all(statusesWith(cloud.apiKey))).toEqual([200, 401]);
      expect(await Promise.all(statusesWith(`Bearer ${cloud.apiKey}`))).toEqual([200, 200]);
    },
  },
  {
    name: "rate-limit headers of clusters",
    says: ["the contract leaves them out", "the description has them on every answer to a key"],
    reason: "The description goes before the contract, and headers that a client does not expect break none.",
    check: async () => {
      const { headers } = await cloud.rest("GET", "/v2/clusters");
      expect(headers.get("ratelimit")).toMatch(/"minute";r=\d+/);
    },
  },
];

interface Clash {
  readonly name: string;
  /** What each side says; the emulator does what the last one says, or both where they are two interfaces. */
  readonly says: readonly [string, string];
  readonly reason: string;
  readonly check: () => Promise<void>;
}

it.each(CLASHES)("it is so: $name", ({ check }) => check());

it("every deviation has a name of its own, and a reason", () => {
  const all = [...DEVIATIONS, ...CLASHES];
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { reason } of all) expect(reason).toMatch(/^[A-Z].{30,}\.$/);
});
