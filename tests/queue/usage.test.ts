import { expect, test } from "@jest/globals";
import { UsageError } from "../../client";
import * as jobs from "../../sdk/jobs";
import { json, Script, serverForEach } from "../harness/script";

// What a program gives to a queue, and what it is told.

const script = serverForEach(new Script());

const circle: { self?: unknown } = {};
circle.self = circle;

test.each([
  ["a function", () => 1],
  ["a symbol", Symbol("input")],
  ["a bigint", 1n],
  ["a circle", circle],
])("an input that is %s is refused before anything is sent", async (_, input) => {
  const queue = script.client().queue("e");
  await expect(queue.run({ input })).rejects.toThrow(UsageError);
  await expect(queue.runSync({ input })).rejects.toThrow(UsageError);
  expect(script.received).toEqual([]);
});

test.each([0, -1, Number.NaN])("a limit of %p is refused instead of waited for", async (per10s) => {
  const client = script.client({ queueLimits: { run: { per10s, concurrent: 1 } } });
  expect(() => client.queue("e")).toThrow(UsageError);
});

test("a purge whose first answer is lost says that its count is a least one", async () => {
  script.play(json({}, 503), json({ removed: 0 }), json({ removed: 3 }));
  const queue = script.client().queue("e");
  expect(await queue.purgeQueue()).toMatchObject({ removed: 0, isLeast: true });
  expect(await queue.purgeQueue()).toEqual({ removed: 3 });
});

test("a webhook's address is in no error: it may hold a token", async () => {
  const webhook = "https://hooks.example.com/t/very-secret-token";
  script.play((_, response) => response.writeHead(400).end(JSON.stringify({ error: `cannot reach ${webhook}` })));
  const run = script.client().queue("e").run({ input: 1, webhook });
  await expect(run).rejects.toThrow("cannot reach [secret]");
});

test("jobs of a program have the key that is configured now, not the first of the process", async () => {
  script.play(json({ id: "j", status: "IN_QUEUE" }));
  process.env.COMPUTECLOUD_SERVERLESS_URL = script.address;
  const submit = (apiKey: string) => {
    process.env.COMPUTECLOUD_API_KEY = apiKey;
    return new Promise((resolve) => jobs.run({ endpointId: "e", input: 1 }).apply(resolve));
  };
  try {
    await submit("key-of-monday");
    await submit("key-of-tuesday");
  } finally {
    delete process.env.COMPUTECLOUD_SERVERLESS_URL;
    delete process.env.COMPUTECLOUD_API_KEY;
  }
  const keys = script.received.map(({ headers }) => headers.authorization);
  expect(keys).toEqual(["key-of-monday", "key-of-tuesday"]);
});
