#!/usr/bin/env node
import { nodeProblem } from "../common/requireNode";

const COULD_NOT_START = 2;

async function main(): Promise<void> {
  const problem = nodeProblem();
  if (problem !== undefined) throw new Error(problem);
  const { Command } = require("commander") as typeof import("@commander-js/extra-typings");
  const { emulator } = require("./commandLine") as typeof import("./commandLine");
  const { version } = require("pulumi-computecloud/package.json") as { version: string };
  const command = new Command("computecloud-emulator").version(version, "-v, --version", "print the version");
  emulator(command);
  // Commander itself would end with 1.
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_START));
  await command.parseAsync();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = COULD_NOT_START;
});
