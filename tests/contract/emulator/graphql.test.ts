import { expect, it } from "@jest/globals";
import { accountForEach, openAccount } from "../../harness/account";
import { mutate, openTemplate, save } from "./graphqlCalls";

const cloud = accountForEach();

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

it("the GraphQL server takes literals in the document, enums unquoted", async () => {
  const templateId = await openTemplate(cloud);
  const { data } = await mutate(
    cloud,
    `saveEndpoint(input: {name: "images", gpuIds: "ADA_24", templateId: "${templateId}", flashBootType: PRIORITY_FLASHBOOT}) { flashBootType }`,
  );
  expect(data.saveEndpoint).toEqual({ flashBootType: "PRIORITY_FLASHBOOT" });
});

it("the GraphQL server answers a bad key with 401, or with nobody's account when it is set to", async () => {
  const ask = async (query: string) => {
    const response = await fetch(`${cloud.graphqlUrl}?api_key=wrong`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return [response.status, await response.json()];
  };
  expect(await ask("{ myself { id } }")).toMatchObject([401, { errors: [{ message: expect.any(String) }] }]);
  await cloud.service.settings({ graphqlBadKey: "null" });
  expect(await ask("{ myself { id } }")).toEqual([200, { data: { myself: null } }]);
  expect((await ask('mutation { deleteEndpoint(id: "any") }'))[0]).toBe(401);
});

it("the GraphQL server lets a key do what it may", async () => {
  await using cloud = await openAccount({
    settings: {
      keys: [
        { key: "reader", kind: "read-only" },
        { key: "nobody", kind: "restricted" },
      ],
    },
  });
  const status = async (key: string, query: string) =>
    (
      await fetch(cloud.graphqlUrl, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ query }),
      })
    ).status;
  expect(await status("reader", "{ myself { id } }")).toBe(200);
  expect(await status("reader", 'mutation { deleteEndpoint(id: "any") }')).toBe(403);
  expect(await status("nobody", "{ myself { id } }")).toBe(403);
});

it("the GraphQL server hides a new endpoint for as long as a fault says", async () => {
  const templateId = await openTemplate(cloud);
  await cloud.service.fault({ match: { operation: "saveEndpoint" }, act: { staleMs: 2500 } });
  const { id } = await save(cloud, { name: "images", gpuIds: "AMPERE_16", templateId });
  const seen = async () => {
    const { data } = (await cloud.graphql("{ myself { endpoints { id } } }")).body;
    return [data.myself.endpoints.length, (await cloud.queue("GET", `${id}/health`)).status];
  };
  expect(await seen()).toEqual([0, 404]);
  await cloud.advance(2500);
  expect(await seen()).toEqual([1, 200]);
});
