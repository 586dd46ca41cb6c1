import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect } from "@jest/globals";
import { bin } from "../../package.json";
import { addressVariables, checkout, type EmulatorAddresses, scratch } from "../../tools/run/environment";
import { type ProcessOptions, type ProcessResult, run } from "../../tools/run/process";

/** The command line, as it is built. */
export const MAIN = `${checkout}/${bin["pulumi-computecloud"]}`;

/** The command line in a project, where npm would link it. */
export async function linkCommand(project: string): Promise<void> {
  await scripted(join(project, "node_modules/.bin"), { "pulumi-computecloud": `exec node '${MAIN}' "$@"` });
}

/** Puts scripts of the shell in the place of programs. @returns the variable with which they are */
export async function scripted(folder: string, programs: Readonly<Record<string, string>>) {
  await mkdir(folder, { recursive: true });
  for (const [name, script] of Object.entries(programs))
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: [folder, process.env.PATH].join(delimiter) };
}

export const scriptedEngine = (folder: string, pulumi: string) => scripted(folder, { pulumi });

/** `npx pulumi-computecloud …`, with the emulator, and nothing else, in its environment. */
export const commandOn = (
  emulator: EmulatorAddresses,
  args: readonly string[],
  { env, ...options }: ProcessOptions = {},
) =>
  run(process.execPath, [MAIN, ...args], {
    ...options,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: `${scratch}/compile-cache`,
      ...addressVariables(emulator),
      ...env,
    },
  });

/** How a command ends that could not do what it was asked for, and says so. */
export const fails = (text: string) => ({ exitCode: 2, stderr: expect.stringContaining(text) });

/** The JSON document of a command that has ended with this code. */
export function documentOf({ exitCode, stdout }: Pick<ProcessResult, "exitCode" | "stdout">, expected = 0) {
  expect(exitCode).toBe(expected);
  return JSON.parse(stdout);
}

/** How a command ends that did it, with what it prints. */
export const passes = (text: RegExp) => ({ exitCode: 0, stdout: expect.stringMatching(text) });
