import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, test } from "@jest/globals";
import { createClient, JobFailedError } from "../../client";
import { Control } from "../../tools/run/control";
import { checkout, scratch } from "../../tools/run/environment";
import { openAccount } from "../harness/account";
import { folderForAll } from "../harness/folder";
import { textOf } from "./pages";

const readme = textOf("docs/emulator.md");

/** Inside the checkout, where the package finds itself by its name. */
const folder = folderForAll(scratch);

test("the guide to the emulator has a jest file that runs as it is", () => {
  const [, code = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  writeFileSync(folder.at("readme.test.ts"), code);
  const config = { rootDir: folder.path, transform: { "\\.ts$": ["ts-jest", { diagnostics: false, tsconfig: {} }] } };
  const jest = spawnSync(process.execPath, [require.resolve("jest/bin/jest"), "--config", JSON.stringify(config)], {
    cwd: checkout,
    encoding: "utf8",
  });
  expect(jest.stderr).toMatch(/Tests: +4 passed, 4 total/);
});

test("the guide to the emulator has a loop for a worker's author: the next job runs the handler as it was saved", async () => {
  const [, code = ""] = /```js\n(.*?)```/s.exec(readme) ?? [];
  const handler = (answer: string) =>
    writeFileSync(
      folder.at("handler.py"),
      `def handler(job):\n    print("works")\n    return job["input"]["prompt"] + "${answer}"\n`,
    );
  handler(" one");
  writeFileSync(folder.at("dev.mjs"), code.replace("port: 4010", "port: 0"));
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  const dev = spawn(process.execPath, ["dev.mjs"], { cwd: folder.path, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface(dev.stdout), "line");
    const addresses = JSON.parse(line);
    // A worker takes a job without input, and the service gives up on it after 40 s.
    // biome-ignore lint/plugin: a job that is given up on is what the test waits for
    await new Control(addresses).speedUp(20);
    const client = createClient(addresses);
    const { id } = await client.serverless.create({
      ...{ name: "chat", type: "QUEUE", image: "registry.example.com/chat:1.0.0", gpu: { pools: ["ADA_24"] } },
      scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
    });
    const answer = async () => (await client.queue(id).runSync({ input: { prompt: "ping" } })).output;
    expect(await answer()).toBe("ping one");
    handler(" another");
    expect(await answer()).toBe("ping another");
    // What the worker or the system can't take fails its job, and nothing else.
    for (const input of [{ text: "ping" }, { prompt: 5 }, { prompt: "x".repeat(300_000) }]) {
      await expect(client.queue(id).runSync({ input })).rejects.toThrow(JobFailedError);
    }
    expect(await answer()).toBe("ping another");
    await client.close();
  } finally {
    dev.kill();
    await once(dev, "close");
  }
});

test("the guide to the emulator shows faults that the control address takes", async () => {
  await using cloud = await openAccount({}, "running");
  const control = textOf("docs/emulator-control.md");
  const acts = Array.from(control.matchAll(/`(\{"\w+":.*?\})`(?=[,\s]*(?:`|\|))/g), ([, act = ""]) => JSON.parse(act));
  expect(acts).toHaveLength(10);
  for (const act of acts) expect((await cloud.control("POST", "/faults", { act })).status).toBe(201);
  const [, example = ""] = /```json\n(.*?)```/s.exec(control) ?? [];
  expect((await cloud.control("POST", "/faults", JSON.parse(example))).status).toBe(201);
});
