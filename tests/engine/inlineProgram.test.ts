/* A program of the Automation API in its own process, whose folder may be anywhere. */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { run } from "../../tools/run/process";
import { newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/forAll";

const { emulator } = emulatorForAll();

const script = (begin: string) => `
  ${begin}
  const { LocalWorkspace } = require("@pulumi/pulumi/automation");
  const { NetworkVolume } = require("pulumi-computecloud");
  const program = async () => void new NetworkVolume("models", { size: 10, dataCenter: "EU-RO-1" });
  LocalWorkspace.createOrSelectStack({ stackName: "inline", projectName: "inline", program })
    .then((stack) => stack.preview())
    .then(({ changeSummary }) => console.log(JSON.stringify(changeSummary)));
`;

test("a folder without Pulumi's packages is an error that names the way out, which works", async () => {
  await using stack = await newStack({ program: "", emulator });
  const file = join(stack.project, "inline.cjs");
  const started = async (begin: string) => {
    await writeFile(file, script(begin));
    return run(process.execPath, [file], { cwd: tmpdir(), env: stack.env });
  };
  const refused = await started("");
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toMatch(/@pulumi\/pulumi can't be found from .* such as by process\.chdir\(__dirname\)/s);
  expect((await started("process.chdir(__dirname);")).stdout).toContain('"create":2');
});
