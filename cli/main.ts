#!/usr/bin/env node
import { nodeProblem } from "../common/requireNode";
import { exitCodes } from "./output";

const argv = process.argv.slice(2);
const problem = nodeProblem();
if (problem === undefined) void (require("./commandLine") as typeof import("./commandLine")).run(argv);
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = exitCodes.couldNotRun;
}
