import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Client, createClient, UsageError, WrongAddressError } from "../../provider/client";
import { json, Script, type Step } from "../harness/script";

const problem = json({ title: "Not Found", status: 404, detail: "pod not found" }, 404, {
  "content-type": "application/problem+json",
});
const page: Step = (_, response) => void response.writeHead(404, { "content-type": "text/html" }).end("<h1>404</h1>");
const strange: [string, Step][] = [
  ["a proxy's page", page],
  ["JSON that is not a problem document", json({ message: "no such route" }, 404)],
  ["a document of another status", json({ status: 200 }, 404, { "content-type": "application/problem+json" })],
];

describe("gone", () => {
  let script: Script;
  let client: Client;
  beforeEach(async () => {
    script = new Script();
    await script.listen();
    client = script.client();
  });
  afterEach(() => script.close());

  test("is what the service says is not found, and what its list lacks", async () => {
    script.play(problem, json({ pods: [{ id: "other" }] }));
    expect(await client.pods.read("p")).toBeUndefined();
    expect(script.received.map(({ url }) => url)).toEqual(["/v2/pods/p", "/v2/pods?includeClusterPods=true"]);
  });

  test("is proven by one list for all things of a kind", async () => {
    script.play(problem, json({ templates: [] }), problem);
    for (const id of ["a", "b", "c"]) await client.templates.delete(id);
    expect(script.received.filter(({ method }) => method === "GET")).toHaveLength(1);
  });

  test.each(strange)("is not what %s says", async (_, step) => {
    script.play(step);
    await expect(client.pods.read("p")).rejects.toThrow(WrongAddressError);
    await expect(client.pods.delete("p")).rejects.toThrow(/address looks wrong/);
    await expect(client.delegations.delete("d")).rejects.toThrow(WrongAddressError);
    await expect(client.endpoints.read("e")).rejects.toThrow(WrongAddressError);
    await expect(client.sshKeys.get()).rejects.toThrow(WrongAddressError);
  });

  test.each(strange)("is not what %s says, whatever a list would prove", async (_, step) => {
    script.play(step, json({ pods: [] }));
    await expect(client.pods.read("p")).rejects.toThrow(WrongAddressError);
    expect(script.received).toHaveLength(1);
  });

  test("is nothing at an address where lists are not found either", async () => {
    script.play(problem);
    await expect(client.pods.read("p")).rejects.toThrow(WrongAddressError);
    await expect(client.networkVolumes.delete("v")).rejects.toThrow(WrongAddressError);
    await expect(client.delegations.read("d")).rejects.toThrow(WrongAddressError);
    await expect(client.sshKeys.put([])).rejects.toThrow(WrongAddressError);
  });

  test("is nothing that a list with an item without a readable id would have to prove", async () => {
    const odd = { id: null, name: "p" };
    script.play(problem, json({ pods: [{ id: "other" }, odd] }));
    await expect(client.pods.read("p")).rejects.toThrow(/pods\[1\]\.id is missing or cannot be read/);
    script.play(problem, json({ endpoints: [odd] }));
    await expect(client.serverless.delete("e")).rejects.toMatchObject({ name: "ContractError" });
    script.play(json({ delegations: [odd] }));
    await expect(client.delegations.read("d")).rejects.toMatchObject({ name: "ContractError" });
  });

  test("is not what the list still shows", async () => {
    script.play(problem, json({ pods: [{ id: "p" }] }));
    await expect(client.pods.delete("p")).rejects.toThrow(/yet lists it/);
  });
});

describe("an address", () => {
  const plain = "https://api.example.com";
  test.each(["/v2", "/v1/", "/api/v2"])("that ends in %s is refused with the way out", (path) => {
    for (const name of ["baseUrl", "serverlessUrl", "graphqlUrl"]) {
      const urls = { baseUrl: plain, serverlessUrl: plain, graphqlUrl: `${plain}/graphql`, [name]: plain + path };
      expect(() => createClient({ apiKey: "key", ...urls })).toThrow(UsageError);
      expect(() => createClient({ apiKey: "key", ...urls })).toThrow(
        new RegExp(`^${name} ends in /v\\d, .*Leave it out`),
      );
    }
  });
});
