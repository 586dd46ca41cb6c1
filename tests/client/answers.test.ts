import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { beforeEach, expect, test } from "@jest/globals";
import { type Client, ContractError, JobFailedError, needed, UsageError } from "../../client";
import { pod, savedEndpoint, volume } from "../harness/requests";
import { json, linesOf, logEvent, Script, serverForEach } from "../harness/script";
import { errorOf } from "../harness/until";

/** A pod as the contract promises it. */
const promised = (id: string) => ({
  id,
  name: `name of ${id}`,
  status: "RUNNING",
  actions: ["stop", "restart", "terminate"],
  image: "busybox",
  args: "",
  disk: 10,
  ports: ["8888/http"],
  env: { A: "1" },
  registry: null,
  mounts: {},
  gpu: { id: "NVIDIA L4", count: 1 },
  cloud: "SECURE",
  dataCenterId: "EU-RO-1",
  cudaVersion: "12.4",
  ssh: { proxy: null, direct: null },
  template: null,
  cost: 0.4,
  locked: false,
  globalNetworking: { enabled: false },
  runtime: { uptime: 5, gpus: [{ util: 1, memoryUtil: 2 }] },
  createdAt: "2026-01-01T00:00:00Z",
  startedAt: null,
});

const script = serverForEach(new Script());
let client: Client;
beforeEach(() => {
  client = script.client();
});

const odd: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ["a status of tomorrow", { status: "MIGRATING" }, { status: "MIGRATING" }],
  ["an unknown field", { colour: "red" }, { id: "odd" }],
  ["a field that is missing", { env: undefined, ssh: undefined }, { id: "odd", image: "busybox" }],
  ["null for what is never null", { name: null, ports: null, runtime: null }, { id: "odd", image: "busybox" }],
  ["a float for an integer", { disk: 10.5, runtime: { uptime: 1.25 } }, { disk: 10.5, runtime: { uptime: 1.25 } }],
  ["another type", { cost: "much", mounts: [], gpu: "L4" }, { id: "odd", status: "RUNNING" }],
  ["one odd member of a map", { env: { A: "1", B: null } }, { id: "odd" }],
];

test.each(odd)("one odd thing in a list (%s) is read, as by its id, and so are the others", async (_, change, seen) => {
  const changed = { ...promised("odd"), ...change };
  script.play(json({ pods: [promised("a"), changed, promised("b")] }), json(changed));
  const pods = await client.pods.list();
  expect(pods.map(({ id }) => id)).toEqual(["a", "odd", "b"]);
  expect(pods[0]).toEqual(promised("a"));
  for (const read of [pods[1], await client.pods.get("odd")]) {
    expect(read).toMatchObject(seen);
    expect(read).not.toHaveProperty("colour");
  }
});

test("one odd thing in a list leaves out a field that can't be read, instead of saying that it is empty", async () => {
  script.play(json({ ...promised("odd"), env: { A: null }, ports: ["1/http", 2], ssh: null }));
  const read = await client.pods.get("odd");
  for (const field of ["env", "ports", "ssh"]) expect(read).not.toHaveProperty(field);
});

test("one odd thing in a list without a readable id doesn't hide the others", async () => {
  script.play(json({ registries: [{ id: "a", name: "a" }, { id: 7, name: "b" }, null, { id: "c", name: "c" }] }));
  expect((await client.registries.list()).map(({ id }) => id)).toEqual(["a", "c"]);
});

test("one odd thing in a list over GraphQL leaves the others readable", async () => {
  const oddEndpoint = { id: "e", name: "e", type: "XB", idleTimeout: 1.5, workersMin: null, scalerType: "TOMORROW" };
  script.play(json({ data: { myself: { endpoints: [{ ...oddEndpoint, id: 5 }, oddEndpoint] } } }));
  expect(await client.endpoints.list()).toEqual([
    { id: "e", name: "e", type: "XB", workers: { idleTimeout: 1.5 }, scaling: { type: "TOMORROW" } },
  ]);
});

test.each<[string, unknown]>([
  ["without the list", {}],
  ["whose list is something else", { pods: { a: 1 } }],
  ["that is something else", ["pods"]],
])("an answer %s is an error that names it, not an empty account", async (_, body) => {
  script.play(json(body));
  await expect(client.pods.list()).rejects.toMatchObject({ name: "ContractError", path: "pods", kind: "Pod" });
});

test("an answer without a readable id is an error that names thing and field", async () => {
  script.play(json({ ...promised("odd"), id: null }));
  await expect(client.pods.get("odd")).rejects.toThrow(/^Pod odd: .*: id is missing or cannot be read/);
});

test.each<[string, () => Promise<unknown>]>([
  ["pod", () => client.pods.get("odd")],
  ["list", () => client.pods.list()],
  ["job", () => client.queue("e").status("j")],
])("an answer about a %s that can't be read is an error with its headers and its request", async (_, read) => {
  script.play(json({}, 200, { "x-request-id": "r-7" }));
  await expect(read()).rejects.toMatchObject({
    name: "ContractError",
    requestId: "r-7",
    headers: expect.objectContaining({ "x-request-id": "r-7" }),
  });
});

test("an answer without the account's keys is an error, not an account without keys", async () => {
  script.play(json({ keys: ["ssh-ed25519 AAAA me", null] }));
  await expect(client.sshKeys.get()).rejects.toThrow(/SshKeys: .*: keys is missing or cannot be read/);
});

test("an answer to a create is the thing that was made, whatever else it holds, and without anything else", async () => {
  script.play(json({ ...promised("new"), status: "MIGRATING", cost: null, ssh: 1 }, 201), json({ id: "new" }, 201));
  expect(await client.pods.create(pod("new"))).toMatchObject({ id: "new", status: "MIGRATING" });
  expect(await client.networkVolumes.create(volume("new"))).toEqual({ id: "new" });
  expect(script.received).toHaveLength(2);
});

test("an answer lacks nothing silently: who needs a field gets an error that names it", async () => {
  script.play(json({ ...promised("odd"), status: 5 }));
  const read = await client.pods.get("odd");
  expect(() => needed("Pod", read, "status")).toThrow(ContractError);
  expect(() => needed("Pod", read, "status")).toThrow(/^Pod odd: .*: status is missing or cannot be read/);
});

test.each<[string, (client: Client) => Promise<unknown>, RegExp]>([
  ["a field that nobody knows", () => client.pods.create({ ...pod("p"), ...{ colour: "red" } }), /Pod: colour: is not/],
  [
    "an unknown field inside of another",
    () => client.pods.create({ ...pod("p"), gpu: { id: "L4", ...{ cout: 2 } } }),
    /Pod: gpu\.cout: is not/,
  ],
  ["a wrong type", () => client.networkVolumes.update("v", { size: 1.5 }), /NetworkVolume: size: .*int/],
  [
    "an unknown field over GraphQL",
    () => client.endpoints.save({ ...savedEndpoint("e", "t"), ...{ colour: "red" } }),
    /Endpoint: colour: is not/,
  ],
])("a request with %s is refused before anything is sent", async (_, send, words) => {
  script.play(json({ id: "made" }, 201));
  expect((await errorOf(send(client), UsageError)).message).toMatch(words);
  expect(script.received).toEqual([]);
});

test.each(["gzip", "br"])("a 204 that says content-encoding: %s has nothing to decode", async (encoding) => {
  script.play((_, response) => response.writeHead(204, { "content-encoding": encoding }).end());
  await expect(client.pods.delete("p1")).resolves.toBeTruthy();
  expect(script.received.map(({ method }) => method)).toEqual(["DELETE"]);
});

/* Answers that a proxy or a worker has changed, and arguments that are not there. */

const events = logEvent(1, "hello");

function logged(encoding: string, body: Buffer): Promise<string[]> {
  const headers = { "content-type": "text/event-stream", "content-encoding": encoding };
  script.play((_, response) => void response.writeHead(200, headers).end(body));
  return linesOf(client.pods.logs("p"));
}

test.each([
  ["gzip", gzipSync(events)],
  ["deflate", deflateSync(events)],
  ["br", brotliCompressSync(events)],
])("a log that was compressed unasked is read: %s", async (encoding, body) => {
  expect(await logged(encoding, body)).toEqual(["hello"]);
});

test("a log in an encoding that nobody knows is an error, and not an empty log", async () => {
  await expect(logged("snappy", Buffer.from("?"))).rejects.toThrow("not a stream of events");
});

test.each(["status", "cancel", "wait"] as const)("%s of undefined is refused before it is sent", async (call) => {
  const ids: string[] = [];
  await expect(client.queue("e")[call](ids[0] as string)).rejects.toBeInstanceOf(UsageError);
  expect(script.received).toEqual([]);
});

test("a worker's error is printable and short in the message, and whole in the job", async () => {
  const error = `\u001b[2J${"trace ".repeat(40_000)}\u001b]0;owned\u0007 out of memory`;
  script.play(json({ id: "a", status: "FAILED", error }));
  const { message, job } = await errorOf(client.queue("e").wait("a"), JobFailedError);
  expect(message.length).toBeLessThan(5_000);
  expect(message).toContain("\\x1b]0;owned\\x07 out of memory");
  expect(message).not.toContain("\u001b");
  expect(job.error).toBe(error);
});
