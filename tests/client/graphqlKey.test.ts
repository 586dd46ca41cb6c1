import { inspect } from "node:util";
import { afterEach, expect, jest, test } from "@jest/globals";
import { type Client, type ClientOptions, createClient } from "../../client";
import { Place } from "../harness/place";
import { json, reset, Script, type Step, serverForEach, silence, stall } from "../harness/script";
import { errorOf } from "../harness/until";

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
