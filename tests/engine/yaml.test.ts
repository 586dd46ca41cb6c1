// @long: another language.
/* A YAML program, where this machine has the engine's host for them: no registry of modules holds it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/checkout";
import { Control } from "../../tools/run/control";
import { newStack } from "../../tools/run/stack";
import { openAccount } from "../harness/account";

const program = (size: number) => ({
  name: "test",
  runtime: "yaml",
  plugins: { providers: [{ name: "computecloud", path: join(checkout, "provider/bin") }] },
  resources: {
    models: { type: "computecloud:NetworkVolume", properties: { name: "models", size, dataCenter: "EU-RO-1" } },
    images: { type: "computecloud:Registry", properties: { username: "ci", password: "hunter2" } },
  },
  outputs: { tier: "$" + "{models.type}" },
});
// JSON is YAML.
const files = (size: number) => ({ "Pulumi.yaml": JSON.stringify(program(size)) });

test("goes up, stays, mends what was changed elsewhere, and goes", async () => {
  const folders = (process.env.PATH ?? "").split(delimiter);
  if (!folders.some((folder) => existsSync(join(folder, "pulumi-language-yaml")))) {
    process.stderr.write("\nSKIPPED: the YAML program, since there is no pulumi-language-yaml on PATH\n");
    return;
  }
  await using emulator = await openAccount({ settings: { rateLimitExempt: true } });
  const service = new Control(emulator);
  await using stack = await newStack({ program: { files: files(10) }, emulator });
  expect((await stack.up()).changes).toEqual({ create: 2 });
  expect((await stack.up()).changes).toEqual({ same: 2 });
  expect(await stack.stateText()).not.toContain("hunter");
  expect(await stack.outputs()).toEqual({ tier: expect.any(String) });
  const [volume] = (await service.state()).networkVolumes;
  await service.rest("PATCH", `/v2/network-volumes/${volume?.id}`, { name: "else" });
  expect((await stack.up({ args: ["--refresh"] })).changes).toMatchObject({ update: 1 });
  await stack.edit({ files: files(20) });
  expect((await stack.up()).changes).toMatchObject({ update: 1 });
  await stack.destroy();

  const example = await readFile(join(checkout, "examples/yaml/Pulumi.yaml"), "utf8");
  const own = example.replace(/^name: .*/, "name: test").replace("../../provider/bin", join(checkout, "provider/bin"));
  await stack.edit({ files: { "Pulumi.yaml": own } });
  await stack.pulumi(["config", "set", "--secret", "registryPassword", "hunter3"]);
  expect((await stack.up()).changes).toEqual({ create: 6 });
  expect((await stack.up()).changes).toEqual({ same: 6 });
  await stack.destroy();
  expect(await service.isEmpty()).toBe(true);
});
