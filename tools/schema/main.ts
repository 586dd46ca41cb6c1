import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { classes } from "./classes";
import { documents } from "./documents";
import { functions } from "./functions";
import { indexes } from "./indexes";
import { type PackageFacts, packageSchema } from "./packageSchema";
import { providerClass } from "./providerClass";

// `npm run generate [folder]` writes what is generated and in the repository into the checkout, or into another folder.
// `npm run build` begins with `--sdk`, which writes the classes and functions that programs import.

const checkout = join(__dirname, "../..");

function write(files: ReadonlyMap<string, string>, target: string): void {
  for (const [path, text] of files) {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

if (process.argv[2] === "--sdk") {
  // Every build makes them, so that no copy stands in the repository.
  const files = new Map([["sdk/generated/explicitProvider.ts", providerClass()], ...classes(), ...functions()]);
  write(files, checkout);
  // A kind or function that is no more.
  for (const name of readdirSync(join(checkout, "sdk/generated"), { recursive: true, encoding: "utf8" })) {
    const path = join("sdk/generated", name);
    if (path.endsWith(".ts") && !files.has(path.replaceAll("\\", "/"))) rmSync(join(checkout, path));
  }
} else {
  const target = resolve(process.argv[2] ?? checkout);
  const facts = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as PackageFacts;
  const schema = `${JSON.stringify(packageSchema(facts), undefined, 2)}\n`;
  const files = new Map([["schema.json", schema], ...indexes(), ...documents()]);
  write(files, target);
  const biome = join(checkout, "node_modules/.bin/biome");
  execFileSync(biome, ["check", "--write", "--vcs-enabled=false", ...files.keys()], { cwd: target, stdio: "inherit" });
}
