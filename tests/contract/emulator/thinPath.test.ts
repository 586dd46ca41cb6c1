import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(() => emulator.stop());

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into bodies of every shape
  body: any;
}

async function call(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${emulator.apiKey}`, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

const rest = (method: string, path: string, body?: unknown) => call(method, emulator.baseUrl + path, body);
const gql = (query: string, variables?: unknown) =>
  call("POST", `${emulator.graphqlUrl}?api_key=${emulator.apiKey}`, { query, variables }, { authorization: "" });

describe("the thin path", () => {
  it("takes a template, a volume and a registry from create to delete", async () => {
    for (const [path, body] of [
      ["/v2/templates", { name: "worker", image: "repo/worker:1", serverless: true }],
      ["/v2/network-volumes", { name: "models", size: 50, dataCenter: "US-KS-2" }],
      ["/v2/registries", { name: "hub", username: "me", password: "secret" }],
    ] as const) {
      const created = await rest("POST", path, body);
      expect(created.status).toBe(201);
      expect(created.headers.get("x-request-id")).toBeTruthy();
      expect(created.headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+, "hour"/);
      const one = `${path}/${created.body.id}`;
      expect((await rest("GET", one)).body).toEqual(created.body);
      expect((await rest("DELETE", one)).status).toBe(204);
      expect(await rest("GET", one)).toMatchObject({ status: 404, body: { title: "Not Found", status: 404 } });
    }
  });

  it("lists every broken rule of a body in the service's wording", async () => {
    const { status, headers, body } = await rest("POST", "/v2/network-volumes", { name: "models", size: 5, bogus: 1 });
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
    const template = await rest("POST", "/v2/templates", { name: "echo", image: "repo/echo:1", serverless: true });
    const save = "mutation Save($input: EndpointInput!) { saveEndpoint(input: $input) { id workersMax } }";
    const input = { name: "echo", gpuIds: "AMPERE_16", templateId: template.body.id, workersMax: 2 };
    const saved = await gql(save, { input });
    const { id } = saved.body.data.saveEndpoint;

    const queue = `${emulator.serverlessUrl}/v2/${id}`;
    const job = await call("POST", `${queue}/run`, { input: { prompt: "hi" } }, { authorization: emulator.apiKey });
    expect(job.body).toMatchObject({ status: "IN_QUEUE" });
    await call("POST", `${emulator.controlUrl}/clock`, { advanceMs: 1000 });
    expect((await call("GET", `${queue}/status/${job.body.id}`)).body).toMatchObject({
      status: "COMPLETED",
      output: { prompt: "hi" },
    });
    expect((await call("GET", `${queue}/health`)).body.jobs).toMatchObject({ completed: 1, inQueue: 0 });

    const remove = "mutation Delete($id: String!) { deleteEndpoint(id: $id) }";
    expect((await gql(remove, { id })).body.errors[0].message).toMatch("workersMin and workersMax");
    expect((await rest("DELETE", `/v2/templates/${template.body.id}`)).status).toBe(400);
    await gql(save, { input: { ...input, id, workersMax: 0 } });
    expect((await gql(remove, { id })).body).toEqual({ data: { deleteEndpoint: null } });
    expect((await gql("{ myself { endpoints { id } } }")).body.data.myself.endpoints).toEqual([]);
  });

  it("logs every call without the key and fails on request", async () => {
    const control = emulator.controlUrl;
    await call("POST", `${control}/faults`, { match: { operation: "listTemplates", nth: 2 }, act: { status: 503 } });
    expect((await rest("GET", "/v2/templates")).status).toBe(200);
    expect((await rest("GET", "/v2/templates")).status).toBe(503);
    expect((await rest("GET", "/v2/templates")).status).toBe(200);
    await gql("{ myself { id } }");
    const { body } = await call("GET", `${control}/requests`);
    expect(JSON.stringify(body)).not.toContain(emulator.apiKey);
    expect(body.requests.map(({ operation, status }: Record<string, unknown>) => [operation, status])).toEqual([
      ["listTemplates", 200],
      ["listTemplates", 503],
      ["listTemplates", 200],
      ["myself", 200],
    ]);
  });

  it("refuses a call without its key, and tells 404 from 405", async () => {
    expect(await call("GET", `${emulator.baseUrl}/v2/templates`, undefined, { authorization: "" })).toMatchObject({
      status: 401,
      body: { title: "Unauthorized", status: 401, detail: "missing bearer token" },
    });
    expect((await rest("GET", "/v2/nothing")).status).toBe(404);
    const wrong = await rest("PUT", "/v2/templates");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, POST");
  });
});
