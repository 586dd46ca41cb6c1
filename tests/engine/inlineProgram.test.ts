/* A program of the Automation API in its own process, whose folder may be anywhere. */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { type ProcessOptions, run } from "../../tools/run/process";
import { newStack, type Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";

const { emulator, service } = emulatorForAll();

const VOLUME = 'new NetworkVolume("models", { size: 10, dataCenter: "EU-RO-1" })';
const script = (begin: string, body = VOLUME, options = {}, command = "preview") => `
  ${begin}
  const { LocalWorkspace } = require("@pulumi/pulumi/automation");
  const { NetworkVolume, Provider, getAccount } = require("pulumi-computecloud");
  const program = async () => {
    ${body};
  };
  LocalWorkspace.createOrSelectStack({ stackName: "inline", projectName: "inline", program }, ${JSON.stringify(options)})
    .then((stack) => stack.${command}())
    .then(({ changeSummary }) => console.log(JSON.stringify(changeSummary)));
`;

async function start({ project, env }: Stack, text: string, options: ProcessOptions = {}) {
  const file = join(project, "inline.cjs");
  await writeFile(file, text);
  return run(process.execPath, [file], { cwd: project, env, ...options });
}

test("a folder without Pulumi's packages is an error that names the way out, which works", async () => {
  await using stack = await newStack({ program: "", emulator });
  const started = (begin: string) => start(stack, script(begin), { cwd: tmpdir() });
  const refused = await started("");
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toMatch(/@pulumi\/pulumi can't be found from .* such as by process\.chdir\(__dirname\)/s);
  expect((await started("process.chdir(__dirname);")).stdout).toContain('"create":2');
});

test("finds the plugin where the process has the workspace's PULUMI_HOME", async () => {
  await using stack = await newStack({ program: "", emulator });
  const pulumiHome = join(stack.folder, "workspace-home");
  const body = VOLUME.replace(" })", ' }, { provider: new Provider("cloud") }); await getAccount()');
  const started = (begin: string) => start(stack, script(begin, body, { pulumiHome }));
  expect((await started("")).stderr).toContain("Could not automatically download and install resource plugin");
  expect(await started(`process.env.PULUMI_HOME = ${JSON.stringify(pulumiHome)};`)).toMatchObject({
    stdout: expect.stringContaining('"create":'),
    exitCode: 0,
  });
});

/** An inline program is its own language host, of its SDK's age. Where tests build the engine, other programs have an old one. */
test("transforms and hooks reach resources of both hosts", async () => {
  await using stack = await newStack({ program: "", emulator });
  const body = `
    pulumi.runtime.registerResourceTransform(({ type, props, opts }) =>
      type.endsWith(":NetworkVolume") ? { props: { ...props, size: 20 }, opts } : undefined);
    const hook = new pulumi.ResourceHook("note", ({ name, newOutputs }) => console.log("created", name, newOutputs.size));
    const options = { hooks: { afterCreate: [hook] } };
    new NetworkVolume("dynamic", { size: 10, dataCenter: "EU-RO-1" }, options);
    new NetworkVolume("native", { size: 10, dataCenter: "EU-RO-1" }, { ...options, provider: new Provider("cloud") })`;
  const text = script('const pulumi = require("@pulumi/pulumi");', body, {}, "up");
  const { stdout, stderr } = await start(stack, text);
  for (const name of ["dynamic", "native"]) expect(stdout + stderr).toContain(`created ${name} 20\n`);
  const { networkVolumes } = await service.state();
  expect(networkVolumes.map(({ size }) => size)).toEqual([20, 20]);
});
