// @long: every example.
/* Every example runs: up, a second up that changes nothing and makes no call, destroy with nothing left. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createClient } from "../../provider/client";
import { type Emulator, startEmulator } from "../emulator";
import { checkout } from "../harness/checkout";
import { Control } from "../harness/control";
import { run } from "../harness/process";
import { newStack } from "../harness/stack";

/** Tests of their own run them, with more to say; here `adopt` and `automation`. */
const ELSEWHERE = new Set(["adopt", "automation", "catalog", "policy", "python", "smoke", "webhooks", "yaml"]);

const examples = readdirSync(join(checkout, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !ELSEWHERE.has(entry.name))
  .map(({ name }) => name);

let emulator: Emulator;
let service: Control;

beforeAll(async () => {
  emulator = await startEmulator();
  service = new Control(emulator);
});

afterAll(() => emulator?.stop());

test.each(examples)("examples/%s runs from nothing to running and back", async (name) => {
  await using stack = await newStack({ program: { folder: `examples/${name}` }, emulator });
  const up = await stack.up();
  expect(Object.keys(up.changes)).toEqual(["create"]);
  for (const output of Object.values(await stack.outputs())) expect(output).toBeTruthy();
  await service.forgetCalls();
  expect(Object.keys((await stack.up()).changes)).toEqual(["same"]);
  expect(await service.log()).toEqual([]);
  await stack.destroy();
  expect(await service.isEmpty()).toBe(true);
});

test("examples/adopt takes over what exists and changes nothing of it", async () => {
  const client = createClient(emulator);
  const volume = await client.networkVolumes.create({ name: "models", size: 100, dataCenter: "EU-RO-1" });
  const template = await client.templates.create({
    name: "chat",
    image: "registry.example.com/chat:1.4.0",
    serverless: true,
  });
  await client.close();
  await using stack = await newStack({
    program: { folder: "examples/adopt" },
    emulator,
    config: { volumeId: volume.id, templateId: template.id },
  });
  await service.forgetCalls();
  expect((await stack.up()).changes).toEqual({ create: 2 });
  expect((await service.log()).filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await stack.outputs()).toEqual({ ids: { models: volume.id, chat: template.id } });
  await stack.pulumi(["state", "unprotect", "--all", "--yes"]);
  await stack.destroy();
  expect(await service.isEmpty()).toBe(true);
});

test("examples/automation runs the stacks of all tenants at the same time", async () => {
  await using stack = await newStack({ program: "", emulator });
  const command = async (name: string) => {
    const args = ["-r", "ts-node/register/transpile-only", join(checkout, "examples/automation/index.ts"), name];
    const { exitCode, stdout, stderr } = await run("node", args, { cwd: stack.project, env: stack.env });
    return exitCode === 0 ? stdout.trim().split("\n").sort() : [stdout, stderr];
  };
  expect(await command("up")).toEqual(["acme: 2 create", "globex: 2 create"]);
  expect((await service.state()).endpoints).toHaveLength(2);
  expect(await command("destroy")).toEqual(["acme: 2 delete", "globex: 2 delete"]);
  expect(await service.isEmpty()).toBe(true);
});
