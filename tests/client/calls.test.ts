import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { Agent } from "undici";
import { createClient, MayExistError, type ResponseEvent, ServiceError, UsageError } from "../../client";
import { environmentForEach } from "../harness/environment";
import { impatient } from "../harness/place";
import { savedEndpoint, template, volume } from "../harness/requests";
import { json, reset, Script, type Step, serverForEach, silence } from "../harness/script";
import { errorOf } from "../harness/until";

const keys = json({ keys: ["ssh-rsa AAAA me"] }, 200, { "x-request-id": "r-1" });

const script = serverForEach(new Script());

test("the options of a call timeoutMs ends a create too, which may exist then", async () => {
  script.play(keys, silence, json({ networkVolumes: [] }));
  const client = script.client();
  // A connection is there: the create is sent well before its time is over.
  await client.sshKeys.get();
  await expect(client.networkVolumes.create(volume("v"), { timeoutMs: 1_500 })).rejects.toThrow(MayExistError);
  expect(script.received.map(({ method }) => method).slice(0, 3)).toEqual(["GET", "POST", "GET"]);
  expect(script.received.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test.each([{ timeoutMs: 10_000 }, { retryBudgetMs: 0 }])(
  "the options of a call %j shortens no search for what came of a create",
  async (limits) => {
    script.play(reset, json({ networkVolumes: [] }));
    const clock = impatient();
    const began = clock.now();
    const { timeoutMs, ...options } = { timeoutMs: undefined, ...limits };
    const create = script.client({ clock, ...options }).networkVolumes.create(volume("v"), { timeoutMs });
    const { mayComeUpUntil, message } = await errorOf(create, MayExistError);
    expect(mayComeUpUntil.getTime()).toBeGreaterThanOrEqual(began + 90_000);
    expect(clock.now()).toBeGreaterThanOrEqual(mayComeUpUntil.getTime());
    expect(message).toMatch(/has not appeared within 90 s/);
    expect(message).toContain(`It may still appear until ${mayComeUpUntil.toISOString()}.`);
    expect(new Set(script.received.slice(1).map(({ method }) => method))).toEqual(new Set(["GET"]));
  },
);

const text = JSON.stringify({ keys: ["ssh-rsa AAAA größe"] });
const sent =
  (encoding: string, body: Buffer): Step =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(body);
  };

test.each([
  ["gzip", gzipSync(text)],
  ["identity", Buffer.from(`\uFEFF${text}`)],
])("an answer in %s is read", async (encoding, body) => {
  script.play(sent(encoding, body));
  expect(await script.client().sshKeys.get()).toEqual(["ssh-rsa AAAA größe"]);
  expect(script.received[0]?.headers["accept-encoding"]).toBe("gzip");
});

test("an answer that is compressed and cut off is asked for again", async () => {
  const body = gzipSync(text);
  script.play(sent("gzip", body.subarray(0, body.length - 12)), keys);
  await script.client().sshKeys.get();
  expect(script.received).toHaveLength(2);
});

test("an answer keeps integers that no number holds, as their digits, where it is asked to, and leaves the others numbers", async () => {
  const output =
    '{"id":9007199254740993,"seed":-18446744073709551615,"even":18014398509481984,"near":9007199254740991,"zero":-0}';
  script.play((_, response) => {
    response.writeHead(200).end(`{"id":"j","status":"COMPLETED","output":${output}}`);
  });
  const queue = script.client().queue("e");
  expect((await queue.status("j")).output).toEqual(JSON.parse(output));
  const exact = { even: 18014398509481984, near: 9007199254740991, zero: -0 };
  const digits = { id: "9007199254740993", seed: "-18446744073709551615" };
  const exactIntegers = true;
  for (const { output } of [
    await queue.status("j", { exactIntegers }),
    await queue.wait("j", { exactIntegers }),
    await queue.runSync({ input: 1 }, { exactIntegers }),
  ]) {
    expect(output).toEqual({ ...exact, ...digits });
  }
  for await (const { job } of queue.runMany([1], { exactIntegers })) expect(job?.output).toMatchObject(digits);
});

test("a raw request has the key, the query, the body and the retries of any other", async () => {
  script.play(json({}, 503), json({ widgets: [1] }));
  const answer = await script.client().request("GET", "/v2/widgets", { query: { kind: ["a", "b"] } });
  expect(answer).toEqual({ widgets: [1] });
  expect(script.received.map(({ url }) => url)).toEqual(["/v2/widgets?kind=a%2Cb", "/v2/widgets?kind=a%2Cb"]);
  expect(script.received[1]?.headers.authorization).toBe("Bearer scripted-key-0123456789");
});

test("a raw request that posts is not sent twice unless it may be", async () => {
  script.play(json({}, 503));
  await expect(script.client().request("POST", "/v2/widgets", { body: {} })).rejects.toThrow(ServiceError);
  expect(script.received).toHaveLength(1);
  script.play(json({}, 503), json({}, 204));
  await script.client().request("POST", "/v2/widgets", { body: {}, repeatable: true });
  expect(script.received).toHaveLength(3);
});

test("a raw request goes to the queues with their form of the key, as a job does", async () => {
  script.play(json({ id: "j", status: "IN_QUEUE" }));
  await script.client().request("GET", "/v2/endpoint/requests", { interface: "queue" });
  await script.client().queue("e").run({ input: 1 });
  expect(script.received.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill("scripted-key-0123456789"));
});

test.each(["v2/pods", "/v2/../secrets", "/v2/a b", "/v2/pods#top"])("a raw request to %s is refused", async (path) => {
  await expect(script.client().request("GET", path)).rejects.toThrow(UsageError);
  expect(script.received).toEqual([]);
});

describe("a client", () => {
  const setEnvironment = environmentForEach();
  const ofEnvironment = { COMPUTECLOUD_API_KEY: "key-of-the-environment\n", COMPUTECLOUD_CLOUD: "runpod" };

  test("takes what it is not given from the environment", async () => {
    script.play(keys);
    setEnvironment({ ...ofEnvironment, COMPUTECLOUD_BASE_URL: script.address });
    const client = createClient();
    expect(await client.sshKeys.get()).toHaveLength(1);
    expect(script.received[0]?.headers.authorization).toBe("Bearer key-of-the-environment");
    await client.close();
  });

  test("takes what is undefined for what it is not given", async () => {
    script.play(json({}, 503));
    setEnvironment({ ...ofEnvironment, COMPUTECLOUD_RETRY_TIMEOUT: "0s" });
    const timeouts = { headersMs: undefined, callMs: undefined };
    const urls = { baseUrl: script.address, serverlessUrl: undefined, graphqlUrl: undefined };
    const client = createClient({ apiKey: undefined, ...urls, retryBudgetMs: undefined, timeouts });
    await expect(client.sshKeys.get()).rejects.toThrow(ServiceError);
    expect(script.received).toHaveLength(1);
    await client.close();
  });

  test("sends through the dispatcher that it is given, and leaves it open", async () => {
    script.play(keys);
    const seen: string[] = [];
    const dispatcher = new Agent().compose((dispatch) => (options, handler) => {
      seen.push(`${options.method} ${options.path}`);
      return dispatch(options, handler);
    });
    const client = script.client({ dispatcher });
    await client.sshKeys.get();
    await client.close();
    expect(seen).toEqual(["GET /v2/account/ssh-keys"]);
    expect((await dispatcher.request({ origin: script.address, path: "/", method: "GET" })).statusCode).toBe(200);
    await dispatcher.close();
  });
});

const page = (names: string[], nextCursor?: string) => {
  const registries = names.map((name) => ({ id: `id-${name}`, name }));
  return json({ registries, pagination: { hasNextPage: nextCursor !== undefined, nextCursor } });
};

test("what moves to the next page while a list is read is listed once", async () => {
  script.play(page(["a", "b"], "one"), page(["b", "c"]));
  expect((await script.client().registries.list()).map(({ name }) => name)).toEqual(["a", "b", "c"]);
});

test("a list whose cursor nobody heeds is an error, not a thousand calls", async () => {
  let pages = 0;
  script.play((...exchange) => {
    pages += 1;
    page(["a"], String(pages))(...exchange);
  });
  await expect(script.client().registries.list()).rejects.toMatchObject({ name: "ContractError" });
  expect(script.received.length).toBeLessThan(6);
});

test("a list is iterated page by page: the next is asked for when it is reached", async () => {
  script.play(page(["a"], "one"), page(["b"], "two"), page(["c"]));
  for await (const { name } of script.client().registries.iterate()) if (name === "b") break;
  expect(script.received.map(({ url }) => url)).toEqual(["/v2/registries", "/v2/registries?cursor=one"]);
});

const accepted = json({ id: "j", status: "IN_QUEUE", extra: 1 }, 200, { "x-request-id": "r-1" });

test("every call of a queue gives its result with its answer, run included", async () => {
  script.play(json({}, 429), accepted);
  const queue = script.client().queue("e");
  const { data, response } = await queue.withResponse((options) => queue.run({ input: 1 }, options));
  expect(data).toMatchObject({ id: "j", status: "IN_QUEUE" });
  expect(response).toMatchObject({ status: 200, attempt: 2, requestId: "r-1", call: "POST /v2/e/run" });
  expect(response?.headers["content-type"]).toBe("application/json");
});

test("what is told of an answer shows its request to who asks alone, and its body to nobody", async () => {
  script.play(accepted);
  let responseEvent: ResponseEvent | undefined;
  const onResponse = (event: ResponseEvent) => {
    responseEvent = event;
  };
  await script.client().queue("e").run({ input: 1 }, { onResponse });
  expect(responseEvent?.request).toMatchObject({ method: "POST", url: `${script.address}/v2/e/run`, attempt: 1 });
  expect(Object.keys(responseEvent ?? {})).not.toContain("request");
  expect(inspect(responseEvent, { depth: 9, showHidden: true })).not.toContain("extra");
});

test("a key that is refused is an error that says where it came from", async () => {
  script.play(json({ title: "Unauthorized", status: 401, detail: "invalid key" }, 401));
  const client = script.client({ apiKeySource: "the key came from the stack's configuration" });
  const says = "key. Use a valid key. The key came from the stack's configuration.";
  await expect(client.pods.list()).rejects.toThrow(says);
});

test.each([
  ["has no id", { data: { saveEndpoint: { name: "new" } } }],
  ["has no endpoint", { data: { saveEndpoint: null } }],
  ["has no data", { data: null }],
  ["is not GraphQL", ["not", "graphql"]],
])("a saveEndpoint whose answer %s is looked for, and not sent again", async (_, answer) => {
  // Later than whatever the client's clock, on which waiting takes no time, may show by then.
  const created = { id: "made", name: "new", createdAt: new Date(Date.now() + 3_600_000) };
  const list = json({ endpoints: [created] });
  script.play(json(answer), list, list, json({ data: { myself: { e0: created } } }));
  expect(await script.client().endpoints.save(savedEndpoint("new", "t"))).toMatchObject({ id: "made" });
  expect(script.sent()).toEqual(["POST /graphql", "GET /v2/serverless", "GET /v2/serverless", "POST /graphql"]);
});

test("a create whose answer was lost may exist, also when the clock ends the search", async () => {
  const cause = new Error("the run was told to stop");
  const clock = { now: Date.now, sleep: () => Promise.reject(cause) };
  script.play(json({ data: null }), json({ endpoints: [] }));
  const save = await errorOf(script.client({ clock }).endpoints.save(savedEndpoint("new", "t")));
  expect(save).toMatchObject({ name: "AbortError", outcomeUnknown: true, candidates: [], cause });
  expect(script.sent()).toEqual(["POST /graphql", "GET /v2/serverless"]);
});

const problem = (code: string) => json({ data: null, errors: [{ message: "no", extensions: { code } }] });
const transient = ["INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE", "GATEWAY_TIMEOUT", "RATE_LIMITED"];

test.each(transient)(
  "a GraphQL error of code %s is asked for again by a read, and a create's answer is lost",
  async (code) => {
    script.play(problem(code), json({ data: { myself: { endpoints: [] } } }));
    expect(await script.client().endpoints.list()).toEqual([]);
    expect(script.sent()).toEqual(["POST /graphql", "POST /graphql"]);
    script.play(problem(code), json({ endpoints: [] }));
    const save = script.client().endpoints.save(savedEndpoint("new", "t"));
    await expect(save).rejects.toMatchObject({ name: "MayExistError", candidates: [] });
    expect(script.sent().filter((call) => call === "POST /graphql")).toHaveLength(3);
  },
);

test("a GraphQL error of another code is the service's no", async () => {
  // The list is asked for again without newer fields, which an older service may have refused.
  script.play(problem("BAD_USER_INPUT"), problem("BAD_USER_INPUT"), problem("BAD_USER_INPUT"));
  const client = script.client();
  const refused = { name: "GraphqlError", extensionCode: "BAD_USER_INPUT" };
  await expect(client.endpoints.list()).rejects.toMatchObject(refused);
  const save = await errorOf(client.endpoints.save(savedEndpoint("new", "t")));
  expect(save).toMatchObject(refused);
  expect(save).not.toMatchObject({ outcomeUnknown: true });
  expect(script.received).toHaveLength(3);
});

const conflict = json({ title: "Conflict", status: 409, detail: "not allowed now" }, 409);
const shows = (status: string) => json({ id: "p", status });

test.each([
  ["as its effect shows", "EXITED", "EXITED"],
  ["for another reason", "RUNNING", "ConflictError"],
])("an action that was lost, and whose second is refused %s, ends so", async (_, status, end) => {
  script.play(reset, shows("RUNNING"), conflict, shows(status));
  const action = script.client().pods.action("p", "stop");
  const ended = await action.catch(({ name }: Error) => ({ status: name }));
  expect(ended?.status).toBe(end);
  expect(script.received).toHaveLength(4);
});

test.each([{ name: "new" }, { id: "", name: "new" }])(
  "an answer to a create without an id is lost: %j",
  async (answer) => {
    script.play(json(answer, 201), json({ templates: [{ id: "made", name: "new" }] }));
    expect(await script.client().templates.create(template("new"))).toMatchObject({ id: "made" });
    expect(script.sent().filter((call) => call.startsWith("POST"))).toHaveLength(1);
  },
);
