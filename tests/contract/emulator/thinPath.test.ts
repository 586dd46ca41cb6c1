import { describe, expect, it } from "@jest/globals";
import { openAccount } from "../../harness/account";

describe("the thin path", () => {
  it("takes a template, a volume and a registry from create to delete", async () => {
    await using cloud = await openAccount();
    for (const [path, body] of [
      ["/v2/templates", { name: "worker", image: "repo/worker:1", serverless: true }],
      ["/v2/network-volumes", { name: "models", size: 50, dataCenter: "US-KS-2" }],
      ["/v2/registries", { name: "hub", username: "me", password: "secret" }],
    ] as const) {
      const created = await cloud.rest("POST", path, body);
      expect(created.status).toBe(201);
      expect(created.headers.get("x-request-id")).toBeTruthy();
      expect(created.headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+, "hour"/);
      const one = `${path}/${created.body.id}`;
      expect((await cloud.rest("GET", one)).body).toEqual(created.body);
      expect((await cloud.rest("DELETE", one)).status).toBe(204);
      expect(await cloud.rest("GET", one)).toMatchObject({ status: 404, body: { title: "Not Found", status: 404 } });
    }
  });

  it("lists every broken rule of a body in the service's wording", async () => {
    await using cloud = await openAccount();
    const { status, headers, body } = await cloud.rest("POST", "/v2/network-volumes", {
      name: "models",
      size: 5,
      bogus: 1,
    });
    expect(status).toBe(422);
    expect(headers.get("content-type")).toMatch("application/problem+json");
    expect(body).toEqual({
      title: "Unprocessable Entity",
      status: 422,
      detail: "Request validation failed.",
      errors: expect.arrayContaining([
        "$: missing property 'dataCenter'",
        "$: additional properties 'bogus' not allowed",
        "$.size: minimum: got 5, want 10",
      ]),
    });
  });

  it("runs a job on an endpoint that GraphQL saved, and deletes the endpoint once its workers are 0", async () => {
    await using cloud = await openAccount();
    const template = await cloud.rest("POST", "/v2/templates", {
      name: "echo",
      image: "repo/echo:1",
      serverless: true,
    });
    const save = "mutation Save($input: EndpointInput!) { saveEndpoint(input: $input) { id workersMax } }";
    const input = { name: "echo", gpuIds: "AMPERE_16", templateId: template.body.id, workersMax: 2 };
    const saved = await cloud.graphql(save, { input });
    const { id } = saved.body.data.saveEndpoint;

    const job = await cloud.queue("POST", `${id}/run`, { input: { prompt: "hi" } });
    expect(job.body).toMatchObject({ status: "IN_QUEUE" });
    await cloud.advance(1000);
    expect((await cloud.queue("GET", `${id}/status/${job.body.id}`)).body).toMatchObject({
      status: "COMPLETED",
      output: { prompt: "hi" },
    });
    expect((await cloud.queue("GET", `${id}/health`)).body.jobs).toMatchObject({ completed: 1, inQueue: 0 });

    const remove = "mutation Delete($id: String!) { deleteEndpoint(id: $id) }";
    expect((await cloud.graphql(remove, { id })).body.errors[0].message).toMatch("workersMin and workersMax");
    expect((await cloud.rest("DELETE", `/v2/templates/${template.body.id}`)).status).toBe(400);
    await cloud.graphql(save, { input: { ...input, id, workersMax: 0 } });
    expect((await cloud.graphql(remove, { id })).body).toEqual({ data: { deleteEndpoint: null } });
    expect((await cloud.graphql("{ myself { endpoints { id } } }")).body.data.myself.endpoints).toEqual([]);
  });

  it("logs every call without the key and fails on request", async () => {
    await using cloud = await openAccount();
    await cloud.control("POST", "/faults", { match: { operation: "listTemplates", nth: 2 }, act: { status: 503 } });
    expect((await cloud.rest("GET", "/v2/templates")).status).toBe(200);
    expect((await cloud.rest("GET", "/v2/templates")).status).toBe(503);
    expect((await cloud.rest("GET", "/v2/templates")).status).toBe(200);
    await cloud.graphql("{ myself { id } }");
    const { body } = await cloud.control("GET", "/requests");
    expect(JSON.stringify(body)).not.toContain(cloud.apiKey);
    expect(body.requests.map(({ operation, status }: Record<string, unknown>) => [operation, status])).toEqual([
      ["listTemplates", 200],
      ["listTemplates", 503],
      ["listTemplates", 200],
      ["myself", 200],
    ]);
  });

  it("refuses a call without its key, and tells 404 from 405", async () => {
    await using cloud = await openAccount();
    expect(await cloud.rest("GET", "/v2/templates", undefined, {})).toMatchObject({
      status: 401,
      body: { title: "Unauthorized", status: 401, detail: "missing bearer token" },
    });
    expect((await cloud.rest("GET", "/v2/nothing")).status).toBe(404);
    const wrong = await cloud.rest("PUT", "/v2/templates");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, POST");
  });
});
