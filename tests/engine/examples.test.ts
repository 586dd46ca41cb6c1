// @long: every example.
/* Every example runs: up, a second up that changes nothing and makes no call, destroy with nothing left. */
import { readdirSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "@jest/globals";
import { createClient } from "../../client";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { leavesNothing, staysUnchanged } from "../harness/scenario";

/** Tests of their own run them, with more to say; here `adopt`, `automation`, `image` and `smoke`. */
const ELSEWHERE = new Set([
  "adopt",
  "automation",
  "batch",
  "catalog",
  "image",
  "policy",
  "python",
  "smoke",
  "webhooks",
  "yaml",
]);

const examples = readdirSync(join(checkout, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !ELSEWHERE.has(entry.name))
  .map(({ name }) => name);

const { emulator, service } = emulatorForAll();

test.each(examples)("examples/%s runs from nothing to running and back", async (name) => {
  await using stack = await newStack({ program: { folder: `examples/${name}` }, emulator });
  const up = await stack.up();
  expect(Object.keys(up.changes)).toEqual(["create"]);
  for (const output of Object.values(await stack.outputs())) expect(output).toBeTruthy();
  await staysUnchanged(stack, service);
  await leavesNothing(stack, service);
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
  expect(await service.writes()).toEqual([]);
  expect(await stack.outputs()).toEqual({ ids: { models: volume.id, chat: template.id } });
  await stack.pulumi(["state", "unprotect", "--all", "--yes"]);
  await leavesNothing(stack, service);
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

/** Stands in for the plugin that builds images: the digest is that of the context's files. */
const BUILDER = `
const { createHash } = require("node:crypto");
const { readdirSync, readFileSync } = require("node:fs");
const { main } = require("@pulumi/pulumi/provider");
const built = ({ context, tags }) => {
  const hash = createHash("sha256");
  for (const name of readdirSync(context.location).sort()) hash.update(readFileSync(context.location + "/" + name));
  const digest = "sha256:" + hash.digest("hex");
  return { digest, ref: tags[0] + "@" + digest };
};
main({
  version: "0.0.22",
  check: async (_, __, inputs) => ({ inputs }),
  diff: async (_, __, old, next) => ({ changes: old.digest !== built(next).digest }),
  create: async (_, inputs) => ({ id: "image", outs: { ...inputs, ...built(inputs) } }),
  update: async (_, __, ___, inputs) => ({ outs: { ...inputs, ...built(inputs) } }),
  delete: async () => {},
}, process.argv.slice(2));
`;

test("examples/image builds, pushes and tries an image, and a change of its folder is another one", async () => {
  const config = { repository: "ghcr.io/acme/worker", registryUser: "acme", registryPassword: { secret: "hunter2" } };
  await using stack = await newStack({ program: { folder: "examples/image" }, emulator, config });
  const tools = join(stack.folder, "tools");
  await mkdir(tools);
  await writeFile(join(tools, "builder.cjs"), BUILDER);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${join(tools, "builder.cjs")}' "$@"\n`;
  await writeFile(join(tools, "pulumi-resource-docker-build"), script, { mode: 0o755 });
  const env = { PATH: `${tools}${delimiter}${stack.env.PATH}` };
  const live = async () => (await service.state()).endpoints.find(({ name }) => !name?.includes("candidate"))?.image;

  await stack.up({ env });
  const { ref } = await stack.outputs();
  expect(ref).toMatch(/^ghcr\.io\/acme\/worker:latest@sha256:[0-9a-f]{64}$/);
  expect(await live()).toBe(ref);
  expect(Object.keys((await stack.up({ env })).changes)).toEqual(["same"]);

  await appendFile(join(stack.project, "worker/handler.py"), "# another\n");
  await stack.up({ env });
  const { ref: another } = await stack.outputs();
  expect(another).not.toBe(ref);
  expect(await live()).toBe(another);
  await leavesNothing(stack, service, { env });
});

test("examples/smoke exports the latency of a deployment that serves, and fails the one that does not", async () => {
  await using stack = await newStack({ program: { folder: "examples/smoke" }, emulator });
  await stack.up();
  const { endpointId, latency } = await stack.outputs();
  expect(latency).toEqual({ coldStart: expect.any(Number), execution: expect.any(Number) });

  // What its pipeline.sh runs.
  const files = ["--input", join(stack.project, "input.json"), "--expect", join(stack.project, "expect.json")];
  const main = join(checkout, "dist/cli/main.js");
  const step = await run(process.execPath, [main, "smoke", String(endpointId), ...files, "--json"], { env: stack.env });
  expect(step.exitCode).toBe(0);
  expect(JSON.parse(step.stdout)).toMatchObject({ passed: true, endpointId });

  await stack.setConfig("smoke:image", "emulator/crash:1");
  await stack.setConfig("smoke:timeout", "2s");
  const up = await stack.up({ fails: true });
  expect(up.exitCode).not.toBe(0);
  expect(up.stdout + up.stderr).toMatch(/was still IN_QUEUE after [\d.]+ s: the workers crash again and again/);
});
