import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { ContractError, isSignedWebhook, JobOutputError, readWebhook, signedWebhook, UsageError } from "../../client";
import { checkout, linkPackage, scratch } from "../../tools/run/environment";
import { freePort } from "../../tools/run/freePort";
import { run } from "../../tools/run/process";
import { blocksOf } from "../docs/pages";
import { folderForEach } from "../harness/folder";
import { placeForAll } from "../harness/place";
import { endpoint } from "../harness/requests";
import { serve } from "../harness/serve";
import { until } from "../harness/until";

const place = placeForAll();

test("faults keep posts back, spoil them, and have them come twice", async () => {
  const received: unknown[] = [];
  await using receiver = await serve(async (request, response) => {
    received.push(await json(request));
    response.end();
  });
  const queue = await place.queue("fixed", { EMULATOR_OUTPUT: '"done"' });
  const match = { interface: "webhook", path: "/done" } as const;
  await place.fault(match, { status: 500 });
  await place.fault({ ...match, nth: 2 }, { drop: "after" });
  const { id } = await queue.run({ input: { n: 2 }, webhook: `${receiver.address}/done` });
  await until(async () => {
    await place.service.advance(10_000);
    return received.length >= 2;
  });
  // The first was kept back, the answer to the second lost.
  expect(received).toEqual([expect.objectContaining({ id }), expect.objectContaining({ id })]);
  await place.service.clearFaults();
});

const schema = z.object({ text: z.string() });

test("readWebhook reads what is posted, and checks its output", async () => {
  const body = { id: "j", status: "COMPLETED", output: { text: "hi" }, input: { n: 1 }, webhook: "https://a.example" };
  const job = await readWebhook(JSON.stringify(body), schema);
  expect(job).toEqual(body);
  if (job.status === "COMPLETED") expect(job.output.text).toBe("hi");
  await expect(readWebhook({ ...body, output: 1 }, schema)).rejects.toThrow(JobOutputError);
  expect(await readWebhook({ id: "j", status: "FAILED", error: "no" }, schema)).toMatchObject({ error: "no" });
});

test.each([["no JSON"], ["[]"], ['{"id":"j"}'], ['{"status":"COMPLETED"}']])("readWebhook refuses %s", async (body) => {
  await expect(readWebhook(body)).rejects.toThrow(ContractError);
});

describe("a signed address", () => {
  const signed = signedWebhook("https://example.com/done?picture=1&of=a%20b", "secret");

  test("is known again, whatever proxies make of its host", () => {
    const { pathname, search } = new URL(signed);
    for (const address of [signed, pathname + search, `http://10.0.0.1:8080${pathname}${search}`]) {
      expect(isSignedWebhook(address, "secret")).toBe(true);
    }
    expect(signed).not.toContain("secret");
  });

  test("is that of one job, and of who knows the secret", () => {
    expect(isSignedWebhook(signed, "other")).toBe(false);
    expect(isSignedWebhook(signed.replace("picture=1", "picture=2"), "secret")).toBe(false);
    expect(isSignedWebhook(signed.replace("/done", "/undone"), "secret")).toBe(false);
    expect(isSignedWebhook(`${signed}0`, "secret")).toBe(false);
    expect(isSignedWebhook("/done?picture=1", "secret")).toBe(false);
  });
});

// finds mutant webhooks-signed-with-nothing
test("an empty secret is refused, because anybody could have signed with it", () => {
  expect(() => signedWebhook("https://example.com/done", "")).toThrow(UsageError);
  expect(() => isSignedWebhook("/done?signature=00", "")).toThrow(UsageError);
});

const folder = folderForEach(scratch);
const [{ code = "" } = {}] = blocksOf("docs/webhooks.md", "ts");
const start = async (secret: string) => {
  await linkPackage(checkout);
  await writeFile(folder.at("receiver.ts"), code);
  const port = await freePort();
  const env = {
    ...process.env,
    WEBHOOK_SECRET: secret,
    PORT: String(port),
    COMPUTECLOUD_API_KEY: "key",
    COMPUTECLOUD_CLOUD: "runpod",
  };
  const stop = new AbortController();
  const program = ["-r", "ts-node/register/transpile-only", "receiver.ts"];
  const ended = run(process.execPath, program, { cwd: folder.path, env, signal: stop.signal });
  return { url: `http://127.0.0.1:${port}/done?picture=1`, ended, stop };
};

test("the guide's receiver does not start without its secret", async () => {
  const { ended } = await start("");
  const { exitCode, stderr } = await ended;
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("Set WEBHOOK_SECRET") });
});

test("the guide's receiver refuses strangers, and outlives bodies that are cut, foreign, of wrong types, huge or empty", async () => {
  const { url, ended, stop } = await start("a long text");
  const signed = signedWebhook(url, "a long text");
  const post = (to: string, body: string) => fetch(to, { method: "POST", body }).then(({ status }) => status);
  await until(() =>
    post(url, "{}").then(
      (status) => status === 403,
      () => false,
    ),
  );
  expect(await post(url, "{}")).toBe(403);
  expect(await post(signed.replace("picture=1", "picture=2"), "{}")).toBe(403);
  const job = JSON.stringify({ id: "job-1", status: "COMPLETED", output: "a picture" });
  const bad = [job.slice(0, 20), "[]", "", "<html>", "null", "5", '{"id":5,"status":"COMPLETED"}', '{"id":"job-1"}'];
  for (const body of [...bad, `{"id":"${"x".repeat(32_000_000)}`]) expect(await post(signed, body)).toBe(400);
  const cut = connect(Number(new URL(url).port), "127.0.0.1");
  cut.end(
    `POST ${new URL(signed).pathname}${new URL(signed).search} HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\n{`,
  );
  await once(cut.resume(), "close");
  expect(await post(signed, job)).toBe(200);
  stop.abort();
  expect((await ended).stdout).toBe("job-1 a picture\n");
});

test("examples/webhooks receives each result once, although one is posted twice, and heeds no stranger", async () => {
  const { id: endpointId } = await place
    .client()
    .serverless.create({ ...endpoint("webhooks"), image: "emulator/fixed:1", env: { EMULATOR_OUTPUT: '"a picture"' } });
  const port = await freePort();
  const { apiKey, serverlessUrl } = place.emulator;
  const PUBLIC_URL = `http://127.0.0.1:${port}`;
  await place.fault({ interface: "webhook" }, { drop: "after" });
  const queue = { COMPUTECLOUD_API_KEY: apiKey, COMPUTECLOUD_SERVERLESS_URL: serverlessUrl, ENDPOINT_ID: endpointId };
  let over = false;
  const program = run(
    process.execPath,
    ["-r", "ts-node/register/transpile-only", join(checkout, "examples/webhooks/index.ts")],
    { env: { ...process.env, ...queue, PUBLIC_URL, PORT: String(port), WEBHOOK_SECRET: "a long text" } },
  ).finally(() => {
    over = true;
  });
  let strange: number | undefined;
  await until(async () => {
    await place.service.advance(10_000);
    strange ??= await fetch(`${PUBLIC_URL}/done?picture=0`, { method: "POST", body: "{}" }).then(
      ({ status }) => status,
      () => undefined,
    );
    return over;
  });
  const { exitCode, stdout, stderr } = await program;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines = stdout.trim().split("\n");
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatch(/: COMPLETED "a picture"$/);
  expect([403, undefined]).toContain(strange);
});
