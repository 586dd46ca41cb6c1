import { beforeEach, describe, expect, test } from "@jest/globals";
import { type Client, ComputeCloudError, UsageError, WrongAddressError } from "../../client";
import { savedEndpoint } from "../harness/requests";
import { json, Script, type Step, serverForEach, text } from "../harness/script";

const problem = json({ title: "Not Found", status: 404, detail: "pod not found" }, 404, {
  "content-type": "application/problem+json",
});
const strange: [string, Step][] = [
  ["a proxy's page", text("<h1>404</h1>", 404, "text/html")],
  ["JSON that is not a problem document", json({ message: "no such route" }, 404)],
  ["a document of another status", json({ status: 200 }, 404, { "content-type": "application/problem+json" })],
];

const script = serverForEach(new Script());

describe("gone", () => {
  let client: Client;
  beforeEach(() => {
    client = script.client();
  });

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

  // finds mutant any-404-is-gone
  test.each(strange)("is not what %s says", async (_, step) => {
    script.play(step, json({ pods: [] }));
    await expect(client.pods.read("p")).rejects.toThrow(WrongAddressError);
    // Whatever a list would prove.
    expect(script.received).toHaveLength(1);
    script.play(step);
    await expect(client.pods.delete("p")).rejects.toThrow(/address looks wrong/);
    await expect(client.delegations.delete("d")).rejects.toThrow(WrongAddressError);
    await expect(client.endpoints.read("e")).rejects.toThrow(WrongAddressError);
    await expect(client.sshKeys.get()).rejects.toThrow(WrongAddressError);
  });

  test("is nothing at an address where lists are not found either", async () => {
    script.play(problem);
    await expect(client.pods.read("p")).rejects.toThrow(WrongAddressError);
    await expect(client.networkVolumes.delete("v")).rejects.toThrow(WrongAddressError);
    await expect(client.delegations.read("d")).rejects.toThrow(WrongAddressError);
    await expect(client.sshKeys.put([])).rejects.toThrow(WrongAddressError);
  });

  // finds mutant half-a-list-proves
  test("is nothing that a list with an item without a readable id would have to prove", async () => {
    const odd = { id: null, name: "p" };
    script.play(problem, json({ pods: [{ id: "other" }, odd] }));
    await expect(client.pods.read("p")).rejects.toThrow(/pods\[1\]\.id is missing or cannot be read/);
    script.play(problem, json({ endpoints: [odd] }));
    await expect(client.serverless.delete("e")).rejects.toMatchObject({ name: "ContractError" });
    script.play(json({ delegations: [odd] }));
    await expect(client.delegations.read("d")).rejects.toMatchObject({ name: "ContractError" });
  });

  // finds mutant no-confirmation-by-a-list
  test("is not what the list still shows", async () => {
    const listed = json({ pods: [{ id: "p" }] });
    script.play((request, response) => (request.url?.includes("?") ? listed : problem)(request, response));
    await expect(client.pods.delete("p")).rejects.toThrow(/yet lists it/);
    await expect(client.pods.read("p")).rejects.toMatchObject({ name: "ServiceError", status: 404 });
  });

  test("is told by neither a list nor a read that lags: both are asked again", async () => {
    script.play(problem, json({ pods: [{ id: "p" }] }), problem, json({ pods: [] }));
    expect(await client.pods.read("p")).toBeUndefined();
    script.play(problem, json({ pods: [{ id: "q" }] }), json({ id: "q" }));
    client = script.client();
    expect(await client.pods.read("q")).toMatchObject({ id: "q" });
    expect(await client.exists("Pod", "q")).toBe(true);
    script.play(problem, json({ pods: [] }));
    expect(await client.exists("Pod", "q")).toBe(false);
    script.play(json({ delegations: [{ id: "d" }] }));
    expect(await client.exists("EcrDelegation", "d")).toBe(true);
    await expect(client.exists("GpuType", "NVIDIA L4")).rejects.toThrow(UsageError);
  });
});

type Act = (client: Client) => Promise<unknown>;

const deletes: Record<string, Act> = {
  pods: ({ pods }) => pods.delete("x"),
  "pods' terminate": ({ pods }) => pods.action("x", "terminate"),
  clusters: ({ clusters }) => clusters.delete("x"),
  serverless: ({ serverless }) => serverless.delete("x"),
  templates: ({ templates }) => templates.delete("x"),
  networkVolumes: ({ networkVolumes }) => networkVolumes.delete("x"),
  globalVolumes: ({ globalVolumes }) => globalVolumes.delete("x"),
  registries: ({ registries }) => registries.delete("x"),
  delegations: ({ delegations }) => delegations.delete("x"),
  secrets: ({ secrets }) => secrets.delete("x"),
  tags: ({ tags }) => tags.delete("x"),
  costCenters: ({ costCenters }) => costCenters.delete("x"),
};

describe("a delete", () => {
  const foreign: [string, Step][] = [
    ["a health page", json({ status: "ok" })],
    ["a mock that shows what it was asked for", json({ id: "x", name: "x" })],
    ["a gateway that takes it for later", json({ accepted: true }, 202)],
    ["an answer without a body", (_, response) => void response.writeHead(200).end()],
  ];
  // finds mutant any-2xx-deletes
  test.each(Object.entries(deletes).flatMap(([kind, act]) => foreign.map((each) => [kind, ...each, act] as const)))(
    "of %s is not done because of %s",
    async (_, __, step, act) => {
      script.play(step);
      const error = act(script.client());
      await expect(error).rejects.toThrow(WrongAddressError);
      await expect(error).rejects.toThrow(/20\d is not the service's answer to (DELETE|POST) .*known to be deleted/);
      expect(script.received.filter(({ method }) => method !== "GET")).toHaveLength(1);
    },
  );

  test("that is not answered with 204 quotes the answer, without secrets", async () => {
    script.play(json({ status: "ok", key: "scripted-key-0123456789" }));
    const error = script.client().pods.delete("x");
    await expect(error).rejects.toThrow('{"status":"ok",');
    await expect(error).rejects.not.toThrow("scripted-key");
  });

  test("that is not answered with 204 is done if the service then knows it no more", async () => {
    script.play(json({ status: "ok" }), problem, json({ pods: [] }));
    expect(await script.client().pods.delete("x")).toBe(true);
    script.play(json({ status: "ok" }), json({ delegations: [] }));
    expect(await script.client().delegations.delete("x")).toBe(true);
  });

  const inUse = (status: number) => json({ status, detail: "Registry auth not found" }, status);
  test.each([400, 409])("that is refused with %s is done already if a read finds nothing", async (status) => {
    script.play(inUse(status), problem, json({ registries: [] }));
    expect(await script.client().registries.delete("x")).toBe(false);
    script.play(inUse(status), json({ delegations: [] }));
    expect(await script.client().delegations.delete("x")).toBe(false);
  });

  test.each<[string, Step]>([...strange, ["the resource", json({ id: "x", name: "x" })]])(
    "that is refused, or not answered with 204, is not proven by %s",
    async (_, step) => {
      script.play(inUse(400), step);
      await expect(script.client().registries.delete("x")).rejects.toMatchObject({ status: 400 });
      script.play(json({ status: "ok" }), step);
      await expect(script.client().pods.delete("x")).rejects.toThrow(/known to be deleted/);
    },
  );

  test.each([
    ["an answer that is not GraphQL", json({ status: "ok" })],
    ["an answer of another GraphQL", json({ data: {} })],
  ])("of an endpoint is not done because of %s", async (_, step) => {
    script.play(step);
    await expect(script.client().endpoints.delete("x")).rejects.toThrow(ComputeCloudError);
    const gathering = script.client().gathering();
    const both = await Promise.allSettled(["x", "y"].map((id) => gathering.endpoints.delete(id)));
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(script.client({ endpointsThrough: "rest" }).endpoints.delete("x")).rejects.toThrow(WrongAddressError);
  });
});

describe("a write", () => {
  const resource = { type: "POD", id: "p" } as const;
  const input = savedEndpoint("x", "t");
  const other = { id: "other", name: "x" };
  // finds mutant another-resource-answers
  test.each<[string, Act, unknown]>([
    ["PATCH", ({ pods }) => pods.update("x", { name: "x" }), other],
    ["read", ({ pods }) => pods.get("x"), other],
    ["action", ({ pods }) => pods.action("x", "stop"), other],
    ["save", ({ endpoints }) => endpoints.save({ ...input, id: "x" }), { data: { saveEndpoint: other } }],
  ])("is not believed if the answer shows another resource: %s", async (_, act, answer) => {
    script.play(json(answer));
    await expect(act(script.client())).rejects.toThrow(/shows other instead/);
  });

  test("without an answer of its own is not believed if something is answered", async () => {
    script.play(json({ status: "ok" }));
    await expect(script.client().tags.attach("t", resource)).rejects.toThrow(/answer to PUT .*known to be done/);
    await expect(script.client().costCenters.detach("t", resource)).rejects.toThrow(WrongAddressError);
    // No page names the status of its answer.
    script.play((_, response) => void response.writeHead(200).end());
    await script.client().tags.attach("t", resource);
    await script.client().tags.detach("t", resource);
  });
});
