import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "../run/checkout";
import { bundle, checksums, makePlugin, ownPlatform, type Platform, platforms } from "./plugin";

// `npm run plugin [-- platform…]`: the plugin as executables, in build/release, with their checksums. `all`: of every platform.

async function main(): Promise<void> {
  const folder = join(checkout, "build", "release");
  const script = await bundle();
  for (const platform of asked(process.argv.slice(2))) {
    process.stderr.write(`${await makePlugin(platform, script, folder)}\n`);
    if (platform.startsWith("darwin") && process.platform !== "darwin")
      process.stderr.write("not signed, so that no Mac starts it: make it on a Mac\n");
  }
  await writeFile(join(folder, "checksums.txt"), await checksums(folder));
}

function asked(names: readonly string[]): readonly Platform[] {
  if (names.length === 0) return [ownPlatform()];
  if (names[0] === "all") return platforms;
  return names.map((name) => {
    const found = platforms.find((each) => each === name);
    if (found === undefined) throw new Error(`${name} is not a platform: ${platforms.join(", ")}`);
    return found;
  });
}

void main();
