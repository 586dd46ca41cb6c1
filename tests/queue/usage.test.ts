import { expect, test } from "@jest/globals";
import * as jobs from "../../sdk/jobs";
import { environmentForEach } from "../harness/environment";
import { json, Script, serverForEach } from "../harness/script";

// What a program is told of a queue.

const setEnvironment = environmentForEach();
const script = serverForEach(new Script());

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
  for (const key of ["key-of-monday", "key-of-tuesday"]) {
    setEnvironment({ COMPUTECLOUD_SERVERLESS_URL: script.address, COMPUTECLOUD_API_KEY: key });
    await new Promise((resolve) => jobs.run({ endpointId: "e", input: 1 }).apply(resolve));
  }
  const keys = script.received.map(({ headers }) => headers.authorization);
  expect(keys).toEqual(["key-of-monday", "key-of-tuesday"]);
});
