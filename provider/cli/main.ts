#!/usr/bin/env node
import { nodeProblem } from "../../requireNode";

const problem = nodeProblem();
if (problem === undefined) void (require("./commandLine") as typeof import("./commandLine")).run(process.argv.slice(2));
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}
