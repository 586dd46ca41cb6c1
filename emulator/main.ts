#!/usr/bin/env node
import { nodeProblem } from "../common/requireNode";

async function main(): Promise<void> {
  const problem = nodeProblem();
  if (problem !== undefined) throw new Error(problem);
  const { Command } = require("commander") as typeof import("@commander-js/extra-typings");
  const { emulator } = require("./commandLine") as typeof import("./commandLine");
  const { version } = require("pulumi-computecloud/package.json") as { version: string };
  const command = new Command("computecloud-emulator").version(version, "-v, --version", "print the version");
  emulator(command);
  await command.parseAsync();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
