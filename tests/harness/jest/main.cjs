/*
 * Jest with Node's AsyncContextFrame, which Node 24 has by itself and Node 22 behind a flag: jest's runner follows every promise,
 * and without it tests in process take a third more CPU time. Room for young objects spares a tenth: each file loads all modules
 * anew. `main.cjs everyday`, `long` or `quick` runs these files.
 */
"use strict";
const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const [group = "", ...others] = process.argv.slice(2);
const filter = join(__dirname, `${group}.cjs`);
const flags = ["--max-semi-space-size=64"];
if (Number.parseInt(process.versions.node, 10) < 24) flags.push("--experimental-async-context-frame");
const args = existsSync(filter) ? ["--filter", filter, ...others] : process.argv.slice(2);
// What it compiles, and what tests start, Node keeps for the next process.
const env = { NODE_COMPILE_CACHE: join(__dirname, "../../../.computecloud/compile-cache"), ...process.env };
const child = spawn(process.execPath, [...flags, require.resolve("jest/bin/jest"), ...args], { stdio: "inherit", env });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (code) => {
  process.exitCode = code ?? 1;
});
