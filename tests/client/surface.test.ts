import { inspect } from "node:util";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Client, ClientOptions } from "../../client";
import { environmentForEach } from "../harness/environment";
import { countTo } from "../harness/jobServer";
import { placeForAll } from "../harness/place";
import { cluster, template } from "../harness/requests";
import { json, reset, Script, type Step, serverForEach, silence, stall } from "../harness/script";
import { errorOf } from "../harness/until";

describe("the typed surface against the emulator", () => {
  const place = placeForAll();
  let client: Client;
  beforeEach(async () => {
    await place.reset();
    client = place.client();
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
    for (const count of [1000, 1001]) {
      const fields = { createdAt: 0, createdByUserId: null };
      const volumes = countTo(count).map((n) => ({ id: `gsb_${n}`, name: `v${n}`, ...fields }));
      await place.service.setState({ globalVolumes: volumes });
      await place.forgetCalls();
      expect(await client.globalVolumes.list()).toHaveLength(count);
      expect(await place.calls()).toHaveLength(Math.ceil(count / 1000));
    }
  });
});

// The service's older documents put GraphQL's key into the address, where much is logged that headers never reach.

const apiKey = "key/with+what=addresses&escape";
const escaped = encodeURIComponent(apiKey);

const script = serverForEach(new Script());
const setEnvironment = environmentForEach();

const inHeader = { authorization: `Bearer ${apiKey}` };
const inQuery = `/graphql?api_key=${escaped}`;
const byEnvironment = { COMPUTECLOUD_GRAPHQL_KEY_IN: "query" };

test.each<[string, Partial<ClientOptions>, NodeJS.ProcessEnv, string, object]>([
  ["a header, and nothing in the address", {}, {}, "/graphql", inHeader],
  ["api_key of the query, and nothing else, for those who ask for it", { graphqlKeyIn: "query" }, {}, inQuery, {}],
  ["in the query by the environment as well", {}, byEnvironment, inQuery, {}],
])("GraphQL's key is %s", async (_, options, environment, address, expected) => {
  script.play(json({ data: { myself: { endpoints: [] } }, keys: [], jobs: {}, workers: {} }));
  setEnvironment(environment);
  const client = script.client({ apiKey, ...options });
  await client.endpoints.list();
  const [{ url = "", headers: { authorization = undefined } = {} } = {}] = script.received;
  expect([url, { authorization }]).toEqual([address, expected]);
  // It is never in the addresses of REST and of queues.
  await client.sshKeys.get();
  await client.queue("e").health();
  expect(script.received.slice(1).map((request) => request.url)).toEqual(["/v2/account/ssh-keys", "/v2/e/health"]);
});

test.each([
  ["header", "query"],
  ["query", "header"],
] as const)(
  "GraphQL's key that GraphQL refuses in its %s may belong into its %s, and does once REST has taken it",
  async (graphqlKeyIn, other) => {
    const client = script.client({ apiKey, graphqlKeyIn });
    const refusedWith = async (wayOut: string) => {
      for (const refusal of [json({ errors: [] }, 401), json({ data: { myself: null } })]) {
        script.play(refusal);
        await expect(client.endpoints.list()).rejects.toThrow(wayOut);
      }
    };
    await refusedWith("Where REST takes it, try the other place of graphqlKeyIn.");
    script.play(json({ keys: [] }));
    await client.sshKeys.get();
    await refusedWith(
      `REST takes this key, GraphQL does not: set computecloud:graphqlKeyIn to ${other} (COMPUTECLOUD_GRAPHQL_KEY_IN).`,
    );
    // The key may have been revoked since.
    script.play(json({}, 401));
    await expect(client.sshKeys.get()).rejects.not.toThrow("graphqlKeyIn");
  },
);

test("GraphQL's key that was put where its place belongs is refused without being shown", () => {
  setEnvironment({ COMPUTECLOUD_GRAPHQL_KEY_IN: apiKey });
  expect(() => script.client({ apiKey })).toThrow("COMPUTECLOUD_GRAPHQL_KEY_IN: must be query or header.");
  expect(() => script.client({ apiKey })).not.toThrow(apiKey);
});

// What answers quote of the address, tests/promises looks for.
test.each<[string, Step]>([
  ["the connection breaks", reset],
  ["the answer never begins", silence],
  ["the answer never ends", stall],
])("GraphQL's key in the address is shown nowhere when %s", async (_, step) => {
  const events: unknown[] = [];
  const keep = (event: unknown) => void events.push(event);
  const hooks = { onRequest: keep, onResponse: keep, onRetry: keep };
  script.play(step);
  const timeouts = { headersMs: 500, bodyMs: 500 };
  const client = script.client({ apiKey, graphqlKeyIn: "query", retryBudgetMs: 600, timeouts, ...hooks });
  const error = await errorOf(client.endpoints.list());
  const printed = inspect([error, events, client], { depth: 12, showHidden: true, getters: true });
  const all = printed + String(error) + JSON.stringify([error, events, client]);
  expect(events.length).toBeGreaterThan(0);
  expect(all).not.toContain(apiKey);
  expect(all).not.toContain(escaped);
});

test.each<[string, (client: Client) => Promise<unknown>]>([
  ["read access to pods (pods:read)", (client) => client.pods.list()],
  ["write access to pods (pods:write)", (client) => client.pods.update("p", { name: "new" })],
  ["read access to clusters (clusters:read)", (client) => client.clusters.list()],
  ["read access to serverless (serverless:read)", (client) => client.serverless.list()],
  ["write access to templates (templates:write)", (client) => client.templates.create(template("t"))],
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
