import { inspect } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { type Client, type ClientOptions, createClient, NotFoundError } from "../../client";
import { Place, placeForAll } from "../harness/place";
import { cluster, endpoint, pod, registry, savedEndpoint, template, volume } from "../harness/requests";
import { json, reset, Script, type Step, serverForEach, silence, stall } from "../harness/script";
import { errorOf } from "../harness/until";

describe("the typed surface against the emulator", () => {
  const place = placeForAll();
  let client: Client;
  beforeAll(async () => {
    client = place.client();
  });
  beforeEach(() => place.reset());

  test("a pod lives through create, read, update, stop, start and delete", async () => {
    const created = await client.pods.create(pod("one"));
    expect(await client.pods.get(created.id)).toMatchObject({ id: created.id, name: "one" });
    expect(await client.pods.update(created.id, { name: "two" })).toMatchObject({ name: "two" });
    expect(await client.pods.action(created.id, "stop")).toMatchObject({ id: created.id });
    expect(await client.pods.action(created.id, "start")).toMatchObject({ id: created.id });
    expect(await client.pods.action(created.id, "terminate")).toBeUndefined();
    expect(await client.pods.read(created.id)).toBeUndefined();
    await client.pods.delete(created.id);
    await expect(client.pods.get(created.id)).rejects.toThrow(NotFoundError);
  });

  test("a cluster shows its member pods, which the list of pods leaves out", async () => {
    const { id } = await client.clusters.create(cluster("ring"));
    // Members are placed one after the other.
    await place.service.advance(60_000);
    expect(await client.clusters.pods(id)).toHaveLength(2);
    expect(await client.pods.list()).toHaveLength(0);
    expect(await client.pods.list({ includeClusterPods: true })).toHaveLength(2);
    expect(await client.clusters.update(id, { name: "circle" })).toMatchObject({ name: "circle" });
    await client.clusters.delete(id);
    expect(await client.clusters.list()).toEqual([]);
  });

  test("a list of a thousand takes one call, and one more takes two", async () => {
    const volumes = Array.from({ length: 1001 }, (_, index) => ({
      id: `gsb_${index}`,
      name: `v${index}`,
      createdAt: 0,
      createdByUserId: null,
    }));
    for (const [count, calls] of [
      [1000, 1],
      [1001, 2],
    ] as const) {
      await place.service.setState({ globalVolumes: volumes.slice(0, count) });
      await place.service.forgetCalls();
      expect(await client.globalVolumes.list()).toHaveLength(count);
      expect(await place.service.calls()).toHaveLength(calls);
    }
    await place.service.setState({ globalVolumes: [] });
  });

  test("an endpoint over REST has workers and releases", async () => {
    const { id } = await client.serverless.create(endpoint("api-endpoint"));
    expect(await client.serverless.update(id, { timeout: 1000 })).toMatchObject({ timeout: 1000 });
    expect((await client.serverless.workers(id)).summary?.total).toBe(0);
    expect((await client.serverless.releases(id)).releases?.length).toBeGreaterThan(0);
    expect(await client.serverless.read(id)).toMatchObject({ id, name: "api-endpoint" });
    await client.serverless.delete(id);
    expect(await client.serverless.list()).toEqual([]);
  });

  test("an endpoint over GraphQL is created, replaced as a whole and deleted", async () => {
    const { id: templateId } = await client.templates.create({ ...template("t"), serverless: true });
    const input = savedEndpoint("saved", templateId);
    const { id } = await client.endpoints.save(input);
    const workers = { ...input.workers, idleTimeout: 42 };
    expect(await client.endpoints.save({ ...input, id, workers })).toMatchObject({ id, workers });
    expect(await client.endpoints.list()).toHaveLength(1);
    expect(await client.endpoints.get(id)).toMatchObject({ id, name: "saved" });
    await client.endpoints.delete(id);
    expect(await client.endpoints.read(id)).toBeUndefined();
    await client.endpoints.delete(id);
    await expect(client.endpoints.get(id)).rejects.toThrow(NotFoundError);
    expect(await client.endpoints.serverlessDiscount()).toBeNull();
  });

  test("templates, volumes and registries live through create, read, update and delete", async () => {
    const created = await client.templates.create(template("t"));
    expect(await client.templates.update(created.id, { disk: 20 })).toMatchObject({ disk: 20 });
    await client.templates.delete(created.id);
    expect(await client.templates.read(created.id)).toBeUndefined();

    const { id } = await client.networkVolumes.create(volume("v"));
    expect(await client.networkVolumes.update(id, { size: 20 })).toMatchObject({ size: 20 });
    await client.networkVolumes.delete(id);

    const credentials = await client.registries.create(registry("r"));
    expect(await client.registries.list()).toEqual([credentials]);
    await client.registries.delete(credentials.id);
  });

  test("a delegation is read from the list, for there is no read by id", async () => {
    const { id } = await client.delegations.create({
      resource: "arn:aws:ecr:us-east-1:123456789012:repository/app",
      name: "pull",
    });
    expect(await client.delegations.read(id)).toMatchObject({ id, name: "pull" });
    await client.delegations.delete(id);
    expect(await client.delegations.read(id)).toBeUndefined();
  });

  test("the account's ssh keys are put as a whole", async () => {
    expect(await client.sshKeys.put(["ssh-ed25519 AAAA me"])).toEqual(["ssh-ed25519 AAAA me"]);
    expect(await client.sshKeys.get()).toEqual(["ssh-ed25519 AAAA me"]);
    expect(await client.sshKeys.put([])).toEqual([]);
  });

  test("the catalog is read with and without availability", async () => {
    const gpus = await client.catalog.gpus({ include: ["AVAILABILITY"], product: ["POD", "SERVERLESS"] });
    expect(gpus[0]?.availability).toBeDefined();
    expect(await client.catalog.gpu("NVIDIA L4")).toMatchObject({ id: "NVIDIA L4" });
    const [cpu] = await client.catalog.cpus();
    expect(await client.catalog.cpu(cpu?.id ?? "")).toEqual(cpu);
    const [dataCenter] = await client.catalog.dataCenters({ regions: ["EUROPE"] });
    expect(await client.catalog.dataCenter(dataCenter?.id ?? "")).toMatchObject({ region: "EUROPE" });
    expect(Array.isArray(await client.catalog.templates({ source: "official" }))).toBe(true);
  });

  test.each(["summary", "pods", "serverless", "endpoints", "networkVolumes", "clusters"] as const)(
    "the bill of %s has records and totals",
    async (bill) => {
      const { metadata, records } = await client.billing[bill]({ lastN: 3, bucketSize: "day" });
      expect(metadata?.recordCount).toBe(records?.length);
      expect(metadata?.totals?.totalAmount).toBeGreaterThanOrEqual(0);
    },
  );

  test("a job runs, and the queue tells its health", async () => {
    const { id } = await client.serverless.create(endpoint("worker"));
    const queue = client.queue(id);
    const done = await queue.runSync({ input: { prompt: "hello" } });
    expect(done.status).toBe("COMPLETED");
    const { id: jobId } = await queue.run({ input: { n: 1 } });
    expect((await queue.status(jobId)).id).toBe(jobId);
    expect((await queue.health()).workers.running).toBeGreaterThanOrEqual(0);
    expect(await queue.purgeQueue()).toMatchObject({ removed: expect.any(Number) });
  });

  test("a pod's log is followed line by line until the reader leaves", async () => {
    const { id } = await client.pods.create(pod("talker"));
    const lines = [];
    for await (const line of client.pods.logs(id, { tail: 5 })) {
      lines.push(line);
      break;
    }
    expect(lines).toEqual([{ source: expect.any(String), line: expect.any(String), ts: expect.any(String) }]);
  });
});

// The service's older documents put GraphQL's key into the address, where much is logged that headers never reach.

const apiKey = "key/with+what=addresses&escape";
const escaped = encodeURIComponent(apiKey);
const nobody = json({ data: { myself: { endpoints: [] } } });

const script = serverForEach(new Script());
const setEnvironment = (more: NodeJS.ProcessEnv) => jest.replaceProperty(process, "env", { ...process.env, ...more });
afterEach(() => void jest.restoreAllMocks());

const inHeader = { authorization: `Bearer ${apiKey}` };
const inQuery = `/graphql?api_key=${escaped}`;
const byEnvironment = { COMPUTECLOUD_GRAPHQL_KEY_IN: "query" };

test.each<[string, Partial<ClientOptions>, NodeJS.ProcessEnv, string, object]>([
  ["a header, and nothing in the address", {}, {}, "/graphql", inHeader],
  ["api_key of the query, and nothing else, for those who ask for it", { graphqlKeyIn: "query" }, {}, inQuery, {}],
  ["in the query by the environment as well", {}, byEnvironment, inQuery, {}],
])("GraphQL's key is %s", async (_, options, environment, address, expected) => {
  script.play(nobody);
  setEnvironment(environment);
  await script.client({ apiKey, ...options }).endpoints.list();
  const [{ url = "", headers: { authorization = undefined } = {} } = {}] = script.received;
  expect([url, { authorization }]).toEqual([address, expected]);
});

test("GraphQL's key that is refused in one place may be taken in the other, as the error says", async () => {
  script.play(json({ errors: [] }, 401));
  const wayOut = "Where REST takes it, try the other place of graphqlKeyIn.";
  await expect(script.client({ apiKey }).endpoints.list()).rejects.toThrow(wayOut);
  script.play(json({ data: { myself: null } }));
  await expect(script.client({ apiKey }).endpoints.list()).rejects.toThrow(wayOut);
  script.play(json({}, 401));
  await expect(script.client({ apiKey }).sshKeys.get()).rejects.not.toThrow(wayOut);
});

test.each([
  ["header", "query"],
  ["query", "header"],
] as const)(
  "GraphQL's key that REST takes, and GraphQL refuses in its %s, belongs into its %s",
  async (graphqlKeyIn, other) => {
    const client = script.client({ apiKey, graphqlKeyIn });
    const wayOut = `REST takes this key, GraphQL does not: set computecloud:graphqlKeyIn to ${other} (COMPUTECLOUD_GRAPHQL_KEY_IN).`;
    script.play(json({ keys: [] }), json({ errors: [] }, 401));
    await client.sshKeys.get();
    await expect(client.endpoints.list()).rejects.toThrow(wayOut);
    script.play(json({ data: { myself: null } }));
    await expect(client.endpoints.list()).rejects.toThrow(wayOut);
    // The key may have been revoked since.
    script.play(json({}, 401));
    await expect(client.sshKeys.get()).rejects.not.toThrow(wayOut);
  },
);

test("GraphQL's key that was put where its place belongs is refused without being shown", () => {
  setEnvironment({ COMPUTECLOUD_GRAPHQL_KEY_IN: apiKey });
  expect(() => script.client({ apiKey })).toThrow("COMPUTECLOUD_GRAPHQL_KEY_IN: must be query or header.");
  expect(() => script.client({ apiKey })).not.toThrow(apiKey);
});

test("GraphQL's key stays out of the addresses of REST and of queues", async () => {
  script.play(json({ keys: [], jobs: {}, workers: {} }));
  const client = script.client({ apiKey });
  await client.sshKeys.get();
  await client.queue("e").health();
  expect(script.received.map(({ url }) => url)).toEqual(["/v2/account/ssh-keys", "/v2/e/health"]);
});

/** Answers that quote the address that was asked for, as gateways do. */
const quoting =
  (status: number, type = "application/json"): Step =>
  (request, response) => {
    const body = { title: request.url, detail: `no ${request.url}`, message: request.url, error: request.url };
    const headers = { "content-type": type, location: `https://other.invalid${request.url}`, "x-request-id": apiKey };
    response.writeHead(status, headers).end(JSON.stringify({ ...body, errors: [{ message: request.url }] }));
  };

test.each<[string, Step | undefined]>([
  ["the answer is what was asked for", nobody],
  ["nobody listens", undefined],
  ["the connection breaks", reset],
  ["the answer never begins", silence],
  ["the answer never ends", stall],
  ...[200, 302, 400, 401, 403, 404, 408, 422, 429, 500, 502].map((status): [string, Step] => [
    `an answer of ${status} quotes the address`,
    quoting(status),
  ]),
  ["a web page quotes the address", quoting(200, "text/html")],
])("GraphQL's key is shown nowhere when %s", async (_, step) => {
  const events: unknown[] = [];
  const tell = (event: unknown) => void events.push(event);
  if (step !== undefined) script.play(step);
  const { address } = script;
  if (step === undefined) await script.close();
  const client = createClient({
    apiKey,
    baseUrl: address,
    serverlessUrl: address,
    graphqlUrl: `${address}/graphql`,
    graphqlKeyIn: "query",
    retryBudgetMs: 600,
    onRequest: tell,
    onResponse: tell,
    onRetry: tell,
    timeouts: { headersMs: 500, bodyMs: 500 },
  });
  const calls: Promise<unknown>[] = [client.endpoints.list(), client.pods.list()];
  const ends = await Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
  const inspected = [...ends, events, client].map((thing) =>
    inspect(thing, { depth: 12, showHidden: true, getters: true }),
  );
  const printed = [...inspected, ends.join("\n"), JSON.stringify([ends, events, client])].join("\n");
  expect(events.length).toBeGreaterThan(0);
  expect(printed).not.toContain(apiKey);
  expect(printed).not.toContain(escaped);
  if (step === undefined) await script.listen();
  await client.close();
});

test.each(["query", "header"] as const)("the service takes GraphQL's key in its %s", async (graphqlKeyIn) => {
  await using place = await Place.start({ settings: { rateLimitExempt: true, keys: [{ key: apiKey }] } });
  expect(await place.client({ apiKey, graphqlKeyIn }).endpoints.list()).toEqual([]);
  const wrong = place.client({ apiKey: "wrong-key", graphqlKeyIn }).endpoints.list();
  await expect(wrong).rejects.toMatchObject({ name: "AuthenticationError" });
});

test.each<[string, (client: Client) => Promise<unknown>]>([
  ["read access to pods (pods:read)", (client) => client.pods.list()],
  ["write access to pods (pods:write)", (client) => client.pods.update("p", { name: "new" })],
  ["read access to clusters (clusters:read)", (client) => client.clusters.list()],
  ["read access to serverless (serverless:read)", (client) => client.serverless.list()],
  [
    "write access to templates (templates:write)",
    (client) => client.templates.create({ name: "t", image: "busybox", disk: 10 }),
  ],
  ["read access to network volumes (volumes:read)", (client) => client.networkVolumes.list()],
  ["read access to registries (secrets:read)", (client) => client.registries.list()],
  ["read access to registries (probably secrets:read)", (client) => client.delegations.list()],
  ["read access to the account (probably authentication:read)", (client) => client.sshKeys.get()],
  ["read access to the catalog (catalog:read)", (client) => client.catalog.gpus()],
  ["read access to billing (billing:read)", (client) => client.billing.pods({})],
  ["write access to cost centers (probably billing:write)", (client) => client.costCenters.delete("c")],
  ["access to GraphQL", (client) => client.endpoints.list()],
  ["access to the queue of endpoint e", (client) => client.queue("e").run({ input: { n: 1 } })],
  ["read access to this part of the account", (client) => client.request("GET", "/v2/widgets")],
])("an error of 403 asks for %s", async (access, refused) => {
  script.play(json({ title: "Forbidden", status: 403, detail: "access denied" }, 403));
  const error = await errorOf(refused(script.client()));
  expect(error).toMatchObject({ name: "PermissionError", status: 403 });
  expect(String(error)).toContain(`Give the key ${access}, or use another key.`);
});
