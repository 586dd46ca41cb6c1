// openapi-typescript and openapi-fetch: what they make of the service's schema compiles, and the program beside it runs.
import { execFile } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { runCases } from "./cases.mjs";

const { SCHEMA, COMPILER, TYPES } = process.env;
const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  module: "nodenext",
  target: "es2022",
  lib: ["es2023", "dom"],
  types: ["node"],
  typeRoots: [TYPES],
};
const node = (...args) =>
  promisify(execFile)(process.execPath, ["--no-warnings", ...args]).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });

await runCases({
  async generate() {
    // Without the service's own description beside the checkout the emulator's has to do.
    const schema = SCHEMA || "https://api.runpod.io/v2/openapi.json";
    if (!SCHEMA) await writeFile("openapi.json", await (await fetch(schema)).text());
    else await copyFile(schema, "openapi.json");
    await node("node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", "schema.d.ts");
  },
  async compile() {
    await copyFile("generated.txt", "program.mts");
    await writeFile("tsconfig.json", JSON.stringify({ compilerOptions, files: ["program.mts"] }));
    await node(COMPILER, "-p", ".");
  },
});
const { cases } = await import("./program.mts");
await runCases(cases);
