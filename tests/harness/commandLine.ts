import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect } from "@jest/globals";
import { bin } from "../../package.json";
import { addressVariables, checkout, type EmulatorAddresses, scratch } from "../../tools/run/environment";
import { type ProcessOptions, run } from "../../tools/run/process";

/** The command line, as it is built. */
export const MAIN = `${checkout}/${bin["pulumi-computecloud"]}`;

/** The command line in a project, where npm would link it. */
export async function linkCommand(project: string): Promise<void> {
  const bins = join(project, "node_modules/.bin");
  await mkdir(bins, { recursive: true });
  await writeFile(join(bins, "pulumi-computecloud"), `#!/bin/sh\nexec node '${MAIN}' "$@"\n`, { mode: 0o755 });
}

/** Puts a script of the shell in the engine's place. @returns the variable with which it is */
export async function scriptedEngine(folder: string, script: string): Promise<{ readonly PATH: string }> {
  await writeFile(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: [folder, process.env.PATH].join(delimiter) };
}

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

/** How a command ends that did it, with what it prints. */
export const passes = (text: RegExp) => ({ exitCode: 0, stdout: expect.stringMatching(text) });
