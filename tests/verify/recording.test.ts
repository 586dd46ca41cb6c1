import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type Asked, Wire } from "../../cli/verify/wire";
import { leaksIn, Recorder } from "../../tools/recording/recorder";
import { type Exchange, RECORDING_FILE, Recording } from "../../tools/recording/recording";
import { connectionTo } from "../../tools/run/connection";
import { folderForEach } from "../harness/folder";
import { impatient } from "../harness/place";
import { json, Script, type Step } from "../harness/script";

const KEY = "rpa_PLANTED/KEY+WITHOUT-DIGITS";
const WORD = "0a1b2c3d";

const script = new Script();
let wire: Wire;
const folder = folderForEach();
let recorder: Recorder;
beforeAll(async () => {
  await script.listen();
  const { address } = script;
  const addresses = { apiKey: KEY, baseUrl: address, serverlessUrl: address, graphqlUrl: `${address}/graphql` };
  wire = new Wire(connectionTo(addresses), impatient());
});
beforeEach(async () => {
  recorder = await Recorder.open(folder.path, { apiKey: KEY, word: WORD });
});
afterAll(async () => {
  await wire.close();
  await script.close();
});

const read: Asked = { method: "GET", path: "/v2/pods" };
const problem = (detail: string) => json({ title: "Bad Request", status: 400, detail }, 400);

/** Asks these one after another, and reads what is recorded of it. */
async function recorded(...calls: (readonly [Asked, Step])[]): Promise<Exchange[]> {
  const heard = wire.heard(recorder.hear("planted"));
  for (const [asked, step] of calls) {
    script.play(step);
    await heard.ask(asked);
  }
  await recorder.write("1.2.3");
  return Recording.parse(JSON.parse(await readFile(folder.at(RECORDING_FILE), "utf8"))).exchanges;
}

const uuid = "6f1f2c7e-58a4-4b53-9c1e-0c5f6f0f2d11";
const presigned =
  "https://bucket.example.com/model?X-Amz-Credential=AKIAQ%2Faws4&X-Amz-Signature=5d41402abc4b2a76b9719d91";
const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPlanted somebody@laptop";

const graphql = (body: object): Asked => ({ to: "graphql", method: "POST", path: "", body });
const quoting = (text: string) => problem(`the value ${text} is refused`);

test.each<[string, string, Asked, Step]>([
  ["the key that a refusal quotes", KEY, read, problem(`nobody has the key ${KEY}`)],
  ["the key in another form", "WITHOUT-DIGITS", read, problem(`nobody has the key ${encodeURIComponent(KEY)}`)],
  ["the key in an address", KEY, { ...read, path: `/v2/pods?api_key=${KEY}&limit=1` }, json({ pods: [] })],
  ["a token in an address", "hunter-two", { ...read, path: "/v2/pods?token=hunter-two" }, quoting("hunter-two")],
  [
    "a registry's password",
    "hunter-two",
    { method: "POST", path: "/v2/registries", body: { name: "a", username: "b", password: "hunter-two" } },
    quoting("hunter-two"),
  ],
  [
    "a variable",
    "postgres-of-acme",
    { method: "POST", path: "/v2/pods", body: { image: "busybox", env: { DATABASE: "postgres-of-acme" } } },
    json({ id: "a", image: "busybox", env: { DATABASE: "postgres-of-acme" } }, 201),
  ],
  [
    "a variable of GraphQL",
    "postgres-of-acme",
    graphql({ query: "mutation", variables: { input: { env: [{ key: "DATABASE", value: "postgres-of-acme" }] } } }),
    json({ errors: [{ message: "postgres-of-acme is refused" }] }),
  ],
  [
    "a secret in a GraphQL document",
    "hunter-two",
    graphql({ query: 'mutation { saveRegistryAuth(input: { name: "a", password: "hunter-two" }) { id } }' }),
    json({ errors: [{ message: "hunter-two is refused" }] }),
  ],
  [
    "a secret's value",
    "hunter-two",
    { method: "POST", path: "/v2/account/secrets", body: { name: "a", value: "hunter-two" } },
    json({ id: "a", value: "hunter-two" }, 201),
  ],
  ["what the platform adds to variables", "otter lake", read, json({ env: { JUPYTER_PASSWORD: "otter lake" } })],
  ["an SSH key", "AAAAC3NzaC1lZDI1NTE5", read, json({ env: { PUBLIC_KEY: sshKey } })],
  ["an SSH key in a sentence", "AAAAC3NzaC1lZDI1NTE5", read, quoting(sshKey)],
  ["a presigned address", "bucket.example.com", read, json({ output: { url: presigned } })],
  ["a presigned address in a sentence", "5d41402abc4b2a76", read, quoting(presigned)],
  [
    "a token in a sentence",
    "eyJhbGciOiJIUzI1NiJ9",
    read,
    quoting("eyJhbGciOiJIUzI1NiJ9.e30.Et9HFtf9R3GEMA0IICOfFMVXY7k"),
  ],
  ["another key in a sentence", "hf_abcdefghijklmnop", read, quoting("hf_abcdefghijklmnop")],
  ["an email address", "ceo@acme.example", read, json({ owner: "ceo@acme.example" })],
  ["an email address in a sentence", "ceo@acme.example", read, quoting("ceo@acme.example")],
  [
    "the account",
    "user_2x9Planted",
    { method: "GET", path: "/v2/account" },
    json({ id: "user_2x9Planted", email: null }),
  ],
  ["amounts", "1234.56", { method: "GET", path: "/v2/billing/balance" }, json({ balanceAmount: 1234.56 })],
  ["numbers in a sentence", "137", read, quoting("137 workers")],
  ["an id", "k3j4h5g6f7d8s9", read, json({ id: "k3j4h5g6f7d8s9" })],
  ["an id in a sentence", "k3j4h5g6f7d8s9", read, quoting("k3j4h5g6f7d8s9")],
  ["an id in a property's name", uuid, read, json({ [uuid]: 1 })],
  ["a job's id", uuid, { ...read, to: "queue" }, json({ id: uuid, status: "IN_QUEUE" })],
  ["somebody's names", "acme-production", read, json({ pods: [{ id: "a", name: "acme-production" }] })],
  [
    "what somebody has",
    "acme/model:7",
    read,
    json({ pods: [{ id: "a", name: "b", image: "acme/model:7", cost: 77.5 }] }),
  ],
  [
    "how many somebody has",
    "b-17",
    read,
    json({ pods: Array.from({ length: 17 }, (_, at) => ({ name: `b-${at + 1}` })) }),
  ],
  ["an IP address", "203.0.113.77", read, json({ runtime: { ports: [{ ip: "203.0.113.77", public: 4022 }] } })],
  ["an IPv6 address in a sentence", "2001:db8:7::1", read, quoting("2001:db8:7::1")],
  ["a host", "acme-7.proxy.example.net", read, json({ host: "acme-7.proxy.example.net" })],
  ["a host in a sentence", "acme.proxy.example.net", read, quoting("acme.proxy.example.net")],
  ["a time", "2026-11-12", read, json({ createdAt: "2026-11-12T10:11:12.345Z" })],
  ["a time in a sentence", "2026-11-12", read, quoting("2026-11-12 10:11")],
  ["a moment as a number", "1762942272345", read, json({ createdAt: 1_762_942_272_345 })],
  ["a cookie", "session-of-acme", read, json({}, 200, { "set-cookie": "id=session-of-acme" })],
  ["an id in a header", uuid, read, json({}, 200, { "x-request-id": uuid })],
  ["a page of a proxy", "ACME Gateway", read, (_, response) => response.end("<html>ACME Gateway</html>")],
  [
    "the run's own word",
    WORD,
    { method: "POST", path: "/v2/pods", body: { name: `verify-${WORD}-1` } },
    quoting(`VERIFY-${WORD.toUpperCase()}-1`),
  ],
])("nothing is kept of %s", async (_, planted, asked, step) => {
  const exchanges = await recorded([asked, step]);
  expect(exchanges).toHaveLength(1);
  expect(JSON.stringify(exchanges).toLowerCase()).not.toContain(planted.toLowerCase());
});

test("what is said of the service is kept", async () => {
  const body = { name: `verify-${WORD}-7`, image: "busybox", ports: ["8080/http"], disk: 5, type: "QUEUE" };
  const [exchange] = await recorded([
    { method: "POST", path: "/v2/templates", body },
    json(
      { ...body, status: "IN_QUEUE", registry: null, flag: false, errors: ["$: missing property 'dataCenter'"] },
      201,
      {
        ratelimit: '"minute";r=59;t=30',
      },
    ),
  ]);
  const named = { ...body, name: "verify-00000000-7" };
  expect(exchange).toEqual({
    fact: "planted",
    to: "rest",
    method: "POST",
    path: "/v2/templates",
    key: "bearer",
    body: named,
    answer: {
      status: 201,
      headers: { "content-type": "application/json", ratelimit: "…" },
      body: { ...named, status: "IN_QUEUE", registry: null, flag: false, errors: ["$: missing property 'dataCenter'"] },
    },
  });
});

test("lists keep only what the run has made", async () => {
  const ours = { id: "ours4ours4", name: `verify-${WORD}-1` };
  const [, list] = await recorded(
    [{ method: "POST", path: "/v2/templates", body: { name: ours.name } }, json(ours, 201)],
    [
      read,
      json({ pods: [{ id: "other2other", name: "theirs" }, { id: ours.id }], pagination: { hasNextPage: false } }),
    ],
  );
  expect(list?.answer.body).toEqual({ pods: [{ id: "<id-1>" }], pagination: { hasNextPage: false } });
});

test("the same is replaced by the same throughout, also where it came earlier", async () => {
  const id = "k3j4h5g6f7d8s9";
  const exchanges = await recorded(
    [read, problem(`template ${id} is in use`)],
    [{ method: "POST", path: "/v2/templates", body: {} }, json({ id, other: "zz9zz8zz7" }, 201)],
    [{ method: "GET", path: "/v2/templates/{id}", params: { id } }, json({ templateId: id })],
    [{ to: "graphql", method: "POST", path: "", body: { query: "{ a }", variables: { templateId: id } } }, json({})],
  );
  expect(exchanges[0]?.answer.body).toMatchObject({ detail: "template <id-1> is in use" });
  expect(exchanges[1]?.answer.body).toEqual({ id: "<id-1>", other: "<text-1>" });
  expect(exchanges[2]).toMatchObject({ path: "/v2/templates/<id-1>", answer: { body: { templateId: "<id-1>" } } });
  expect(exchanges[3]?.body).toEqual({ query: "{ a }", variables: { templateId: "<id-1>" } });
});

test("an id that was answered is replaced where it is only sent, and one that was sent first is kept", async () => {
  const exchanges = await recorded(
    [
      { method: "POST", path: "/v2/pods", body: { gpu: { id: "RTX 4090" } } },
      json({ id: "k3j4h5", gpu: { id: "RTX 4090" } }),
    ],
    [{ method: "POST", path: "/v2/pods", body: { volume: "k3j4h5" } }, json({})],
  );
  expect(exchanges[0]).toMatchObject({
    body: { gpu: { id: "RTX 4090" } },
    answer: { body: { gpu: { id: "RTX 4090" } } },
  });
  expect(exchanges[1]?.body).toEqual({ volume: "<id-1>" });
});

test("of a long secret its length is kept: a call may be about it", async () => {
  const [exchange] = await recorded([
    { method: "POST", path: "/v2/pods", body: { env: { A: "x".repeat(102_400) } } },
    json({}),
  ]);
  expect(exchange?.body).toEqual({ env: { A: expect.stringMatching(/^<secret-\d+:102400>$/) } });
});

describe("where something is left", () => {
  test("nothing is written", async () => {
    script.play(json({}));
    // The name of a fact comes from this package: it is not looked into before the end.
    await wire.heard(recorder.hear(encodeURIComponent(KEY))).ask(read);
    await expect(recorder.write("1.2.3")).rejects.toThrow("Nothing was recorded: the API key in a call of ");
    await expect(readFile(folder.at(RECORDING_FILE))).rejects.toThrow("ENOENT");
  });

  const own = { apiKey: KEY, word: WORD };
  const exchange = (text: string): Exchange => {
    return { fact: "a", to: "rest", method: "GET", path: text, key: "none", answer: { status: 200, headers: {} } };
  };
  test.each([
    ["the API key", encodeURIComponent(KEY)],
    ["the API key", Buffer.from(`user:${KEY}`).toString("base64")],
    ["a secret, an id or an address", Buffer.from("replaced before").toString("base64")],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"],
    ["an SSH key", sshKey],
    ["an address", presigned],
    ["a signature", "?X-Amz-Signature=abc"],
    ["a token", "eyJhbGciOiJIUzI1NiJ9.e30.Et9HFtf9R3GEMA0"],
    ["an API key", "sk-abcdefghijkl"],
    ["credentials", "Bearer abc123def"],
    ["an email address", "ceo@acme.example"],
    ["an id", uuid],
    ["a time", "2026-11-12T10:11:12Z"],
    ["a time", "Thu, 12 Nov 2026 10:11:12 GMT"],
    ["an IP address", "203.0.113.77"],
    ["an IP address", "2001:db8:7:1::1"],
    ["a host", "acme.proxy.example.net"],
    ["a long random text", "aB3dE5gH7jK9mN1pQ3sT5vW7"],
    ["a long random text", "5d41402abc4b2a76b9719d911017c592"],
  ])("%s is found in %j", (what, text) => {
    expect(leaksIn(exchange(text), own, ["replaced before"])).toContain(`${what} in a call of a`);
  });

  test("nothing is found where nothing is", () => {
    expect(leaksIn(exchange("/v2/templates/<id-1>?limit=1"), own, ["replaced before"])).toEqual([]);
  });
});

describe("a folder", () => {
  test("is made", async () => {
    const { file } = await Recorder.open(folder.at("a", "b"), { apiKey: KEY, word: WORD });
    expect(file).toBe(folder.at("a", "b", RECORDING_FILE));
  });

  test("that has a recording is left alone", async () => {
    await recorded([read, json({})]);
    await expect(Recorder.open(folder.path, { apiKey: KEY, word: WORD })).rejects.toThrow("is there already");
  });

  const onLinux = process.platform === "linux" ? test : test.skip;
  // They exist and answer ENOENT to every new entry, which Node's own recursive mkdir tries for ever.
  onLinux.each(["/proc", "/proc/recording", "/proc/recording/deep"])(
    "that can't be made is refused: %s",
    async (path) => {
      await expect(Recorder.open(path, { apiKey: KEY, word: WORD })).rejects.toThrow(`${path} can't be written to.`);
    },
  );

  test("that is a file is refused", async () => {
    await writeFile(folder.at("file"), "");
    await expect(Recorder.open(folder.at("file"), { apiKey: KEY, word: WORD })).rejects.toThrow("can't be written to");
  });
});
