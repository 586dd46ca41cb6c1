import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { generate } from "./generate";
import type { PackageFacts } from "./packageSchema";

// `npm run generate [folder]` writes the generated files into the checkout, or into another folder.

const checkout = join(__dirname, "../..");
const target = resolve(process.argv[2] ?? checkout);
const facts = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as PackageFacts;

const files = generate(facts);
for (const [path, text] of files) {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const biome = join(checkout, "node_modules/.bin/biome");
execFileSync(biome, ["check", "--write", "--vcs-enabled=false", ...files.keys()], { cwd: target, stdio: "inherit" });
