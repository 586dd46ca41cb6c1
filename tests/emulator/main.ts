#!/usr/bin/env node
import { nodeProblem } from "../../requireNode";

async function main(): Promise<number> {
  const problem = nodeProblem();
  if (problem !== undefined) throw new Error(problem);
  const { emulator } = require("./commandLine") as typeof import("./commandLine");
  return emulator(process.argv.slice(2));
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
