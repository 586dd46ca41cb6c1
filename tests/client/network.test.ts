import { expect, test } from "@jest/globals";
import { type Client, ConnectionError, ContractError, createClient, TimeoutError, UsageError } from "../../client";
import { freePort } from "../../tools/run/freePort";
import { environmentForEach } from "../harness/environment";
import { impatient } from "../harness/place";
import { volume } from "../harness/requests";
import {
  json,
  linesOf,
  logEvent,
  Script,
  type Step,
  serverForEach,
  silence,
  stall,
  stream,
  text,
} from "../harness/script";
import { serveBytes } from "../harness/serve";
import { errorOf, until } from "../harness/until";

const keys = json({ keys: [] });

const ofMyself = { name: "GraphqlError", operation: "myself" };

const script = serverForEach(new Script());
const setEnvironment = environmentForEach();

/** A clock that waits alone move, however long a resolver takes. */
const clockOfWaits = () => impatient(() => 0);

test("a connection that is refused is tried again for a create, because nothing was sent", async () => {
  const late = new Script();
  late.play(json({ id: "v", name: "v" }, 201));
  const port = await freePort();
  let listening: Promise<void> | undefined;
  const sleep = () => (listening ??= late.listen(port));
  const client = script.client({ baseUrl: `http://127.0.0.1:${port}`, clock: { now: Date.now, sleep } });
  await client.networkVolumes.create(volume("v"));
  expect(late.received).toHaveLength(1);
  await late.close();
});

test("a connection that is refused at first contact is tried for an eighth of the time for retries, and at least for 3 s", async () => {
  const refusals = async (retryBudgetMs: number) => {
    const clock = clockOfWaits();
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const { sshKeys } = script.client({ baseUrl, clock, retryBudgetMs });
    return [await errorOf(sshKeys.get(), ConnectionError), clock.now()] as const;
  };
  expect((await refusals(8_000))[1]).toBeLessThanOrEqual(3_000);
  const [error, elapsedMs] = await refusals(800_000);
  expect(elapsedMs).toBeGreaterThan(50_000);
  expect(elapsedMs).toBeLessThanOrEqual(100_000);
  expect(error).toMatchObject({ code: "ECONNREFUSED", kind: "SshKeys", elapsedMs });
  expect(error.message).toMatch(/attempts in .* Check the network/);
});

test("a connection to a name that does not resolve is tried again", async () => {
  const retries: string[] = [];
  const client = script.client({
    clock: clockOfWaits(),
    baseUrl: "https://does-not-exist.invalid",
    onRetry: ({ reason }) => retries.push(reason),
    retryBudgetMs: 1_000,
  });
  await expect(client.sshKeys.get()).rejects.toThrow(ConnectionError);
  expect(retries.length).toBeGreaterThan(0);
  expect(retries.every((reason) => ["ENOTFOUND", "EAI_AGAIN"].includes(reason))).toBe(true);
});

test("a connection is one of at most 16, however many calls are made at once", async () => {
  script.play(keys);
  const client = script.client({ serverlessUrl: "https://queue.invalid" });
  await Promise.all(Array.from({ length: 200 }, () => client.sshKeys.get()));
  expect(script.received).toHaveLength(200);
  expect(script.sockets.size).toBeLessThanOrEqual(16);
});

test.each<[string, NodeJS.ProcessEnv, string[]]>([
  ["the proxy of the environment, but not to loopback", {}, ["CONNECT service.invalid:443 HTTP/1.1"]],
  ["a proxy whose other spelling is empty", { https_proxy: "" }, ["CONNECT service.invalid:443 HTTP/1.1"]],
  ["no proxy where no_proxy says so and NO_PROXY is empty", { NO_PROXY: "", no_proxy: "service.invalid" }, []],
])("a connection goes through %s", async (_, variables, expected) => {
  const tunnels: string[] = [];
  await using proxy = await serveBytes((socket) => {
    socket.once("data", (request) => {
      tunnels.push(String(request).split("\r\n")[0] ?? "");
      socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
    });
  });
  setEnvironment({ HTTPS_PROXY: proxy.address, ...variables });
  script.play(keys);
  const client = script.client({ graphqlUrl: "https://service.invalid/graphql", retryBudgetMs: 0 });
  await client.sshKeys.get();
  await expect(client.endpoints.list()).rejects.toThrow();
  expect(tunnels).toEqual(expected);
});

// Well over what an answer of this machine takes when it is busy.
const quick = { timeouts: { headersMs: 3_000, bodyMs: 3_000 } };

test.each<[string, Step]>([
  ["begins", silence],
  ["ends", stall],
])("an answer that never %s is asked for again by a read, and an error once the budget is spent", async (_, fault) => {
  script.play(fault, keys);
  expect(await script.client(quick).sshKeys.get()).toEqual([]);
  expect(script.received).toHaveLength(2);
  script.play(fault);
  await expect(script.client({ ...quick, retryBudgetMs: 0 }).sshKeys.get()).rejects.toThrow(TimeoutError);
});

test.each([
  ["go in circles", { hasNextPage: true, nextCursor: "again" }, 2],
  ["go in circles, whose end nothing says", { nextCursor: "again" }, 2],
  ["go on nobody says where", { hasNextPage: true, nextCursor: null }, 1],
])("an answer in pages that %s is an error", async (_, pagination, calls) => {
  script.play(json({ registries: [], pagination }));
  await expect(script.client().registries.list()).rejects.toThrow(ContractError);
  expect(script.received).toHaveLength(calls);
});

test.each<[string, number, unknown, object]>([
  ["errors", 1, { data: { myself: null }, errors: [{ message: "no such", extensions: { code: "BAD" } }] }, ofMyself],
  ["extensions alone", 1, { extensions: { cost: 1 } }, ofMyself],
  ["no data", 1, { data: null }, ofMyself],
  ["something that is not GraphQL", 1, ["not", "graphql"], { name: "ContractError" }],
  // Perhaps an older service, which does not know all fields: it is asked again without the newer ones.
  ["an error without a message", 2, { errors: [{}] }, ofMyself],
  ["nobody as `myself`, as for a bad key", 1, { data: { myself: null } }, { name: "AuthenticationError" }],
])("GraphQL answering 200 with %s is that error", async (_, calls, body, error) => {
  script.play(json(body));
  await expect(script.client().endpoints.list()).rejects.toMatchObject(error);
  expect(script.received).toHaveLength(calls);
});

test.each(["", ".", "..", "a/b", "a\\b", "a?b", "a#b", "a%2fb", "a\nb"])(
  "a call with the id %j is refused before anything is sent",
  async (id) => {
    script.play(keys);
    await expect(script.client().pods.get(id)).rejects.toThrow(UsageError);
    expect(script.received).toEqual([]);
  },
);

// finds mutant key-in-clear
test.each([
  ["http://api.example.com", "is not https"],
  ["ftp://127.0.0.1", "is not https"],
  ["nonsense", "is not a plain address"],
  ["https://user:pass@example.com", "is not a plain address"],
  ["https://e.com/?k=1", "is not a plain address"],
  ["https://e.com/v2", "ends in /v2, .*Leave it out"],
  ["https://e.com/api/v1/", "ends in /v1, .*Leave it out"],
])("a call to the address %s is refused when the client is made", (address, words) => {
  const plain = "https://example.com";
  const urls = { baseUrl: plain, serverlessUrl: plain, graphqlUrl: `${plain}/graphql` };
  for (const name of Object.keys(urls)) {
    const create = () => createClient({ apiKey: "key", ...urls, [name]: address });
    expect(create).toThrow(UsageError);
    expect(create).toThrow(new RegExp(`^${name} .*${words}`));
  }
});

test.each([503, 429])("a call that is aborted between two attempts is not sent again (%i)", async (status) => {
  const abort = new AbortController();
  script.play(json({}, status, { "retry-after": "60" }), keys);
  // It waits by then.
  const onRetry = () => void setImmediate(() => abort.abort(new Error("enough")));
  const client = script.client({ clock: undefined, onRetry });
  await expect(client.sshKeys.get({ signal: abort.signal })).rejects.toThrow("enough");
  expect(script.received).toHaveLength(1);
});

test("a log that drops before it brought a line is an error", async () => {
  script.play(stream(": hello\n\n", (response) => response.destroy()));
  await expect(linesOf(script.client().pods.logs("p"))).rejects.toThrow(ConnectionError);
});

test("a log that is left early closes its connection", async () => {
  script.play(stream(logEvent(1), () => {}));
  for await (const _ of script.client().pods.logs("p")) break;
  await until(() => [...script.sockets].every(({ destroyed }) => destroyed));
});

const page = (status: number) => text("<h1>Request blocked</h1>", status, "text/html");

test.each<[string, (client: Client) => Promise<unknown>, Step]>([
  ["a list", ({ pods }) => pods.list(), page(403)],
  ["a list, in JSON", ({ pods }) => pods.list(), json({ message: "Forbidden" }, 403)],
  ["a job's status", (client) => client.queue("e").status("j"), page(403)],
  ["GraphQL", ({ endpoints }) => endpoints.list(), page(403)],
])(
  "what stands before the service is not the key's fault when it forbids %s, which is asked for again",
  async (_, call, step) => {
    script.play(step);
    const error = call(script.client());
    await expect(error).rejects.toThrow(/403 Forbidden, by an edge or a proxy and not by the service.*The key is not/);
    await expect(error).rejects.toThrow(ConnectionError);
    expect(script.received.length).toBeGreaterThan(1);
    script.play(step, json({ pods: [] }));
    expect(await script.client().pods.list()).toEqual([]);
  },
);

test.each<[string, Step[], string[]]>([
  ["a look at a job, which is repeated", [json({ id: "j", status: "IN_QUEUE" }), page(403)], ["COMPLETED"]],
  ["a submission, which may have come through", [page(403)], ["SubmissionLostError"]],
])("what stands before the service does not end a batch when it forbids %s", async (_, steps, first) => {
  script.play(...steps, json({ id: "j", status: "COMPLETED", output: 1 }));
  const results = await Array.fromAsync(script.client().queue("e").runMany([0, 1, 2], { concurrency: 1 }));
  expect(results.map(({ job, error }) => error?.name ?? job?.status)).toEqual([...first, "COMPLETED", "COMPLETED"]);
});

test.each([
  ["says with 407 that a proxy wants credentials", page(407), /407.*A proxy on the way asks for a name and a password/],
  ["says nothing of GraphQL's end with a 404 of REST", page(404), /address looks wrong(?!.*GraphQL:)/],
])("what stands before the service %s", async (_, step, message) => {
  script.play(step);
  await expect(script.client().pods.list()).rejects.toThrow(message);
  expect(script.received).toHaveLength(1);
});

test("what stands before the service may have ended GraphQL with a 404, and the error names the way around", async () => {
  script.play(page(404));
  await expect(script.client().endpoints.list()).rejects.toThrow(
    /address looks wrong.*may have ended GraphQL: set computecloud:endpointsThrough to rest/,
  );
});

test.each([
  ["a web page", page(200), "text/html"],
  ["JSON", json({ status: "ok" }), "application/json"],
])("what stands before the service is no empty log when it answers %s", async (_, step, type) => {
  script.play(step);
  const { pods, serverless } = script.client();
  const says = `the answer is ${type}, and not a stream of events`;
  await expect(pods.logs("p").next()).rejects.toThrow(says);
  await expect(serverless.workerLogs("e", "w").next()).rejects.toThrow(ContractError);
  expect(script.received).toHaveLength(2);
});
