import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { ConflictError, createQueue, type ResponseEvent, UsageError } from "../../provider/client";
import { json, Script, type Step } from "../harness/script";

// A call's result with its answer, and the answer alone.

let script: Script;
beforeEach(async () => {
  script = new Script();
  await script.listen();
});
afterEach(() => script.close());

const accepted = json({ id: "j", status: "IN_QUEUE", extra: 1 }, 200, { "x-request-id": "r-1" });

test("every call of a queue gives its result with its answer, run included", async () => {
  script.play(json({}, 429), accepted);
  const queue = script.client().queue("e");
  const { data, response } = await queue.withResponse((options) => queue.run({ input: 1 }, options));
  expect(data).toMatchObject({ id: "j", status: "IN_QUEUE" });
  expect(response).toMatchObject({ status: 200, attempt: 2, requestId: "r-1" });
});

test("a queue by itself gives the answer as a Response, with what the result leaves out", async () => {
  script.play(accepted);
  const queue = createQueue({ endpointId: "e", apiKey: "key", serverlessUrl: script.address });
  const response = await queue.asResponse((options) => queue.run({ input: 1 }, options));
  expect(response?.status).toBe(200);
  expect(response?.headers.get("x-request-id")).toBe("r-1");
  expect(await response?.json()).toEqual({ id: "j", status: "IN_QUEUE", extra: 1 });
  await queue.close();
});

test("a client's calls do, too: an empty answer, one that is compressed, and an error as always", async () => {
  const compressed: Step = (_, response) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    response.writeHead(200, headers).end(gzipSync('{"keys":[]}'));
  };
  const empty: Step = (_, response) => response.writeHead(204).end();
  script.play(compressed, empty, json({ title: "Conflict", status: 409 }, 409));
  const client = script.client();
  const keys = await client.asResponse((options) => client.sshKeys.get(options));
  expect([keys?.headers.get("content-encoding"), await keys?.text()]).toEqual([null, '{"keys":[]}']);
  const deleted = await client.asResponse((options) => client.templates.delete("t", options));
  expect([deleted?.status, await deleted?.text()]).toEqual([204, ""]);
  await expect(client.asResponse((options) => client.pods.get("p", options))).rejects.toThrow(ConflictError);
});

test("a call that does not take the options says so, and sends nothing", async () => {
  script.play(accepted);
  const queue = script.client().queue("e");
  const error = await queue.withResponse(() => queue.run({ input: 1 })).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({ message: expect.stringContaining("Pass them on") });
  expect(script.received).toEqual([]);
});

test("what is told of an answer shows its request to who asks alone, and its body to nobody", async () => {
  script.play(accepted);
  let told: ResponseEvent | undefined;
  const onResponse = (event: ResponseEvent) => {
    told = event;
  };
  await script.client().queue("e").run({ input: 1 }, { onResponse });
  expect(told?.request).toMatchObject({ method: "POST", url: `${script.address}/v2/e/run`, attempt: 1 });
  expect(Object.keys(told ?? {})).not.toContain("request");
  expect(inspect(told, { depth: 9, showHidden: true })).not.toContain("extra");
});
