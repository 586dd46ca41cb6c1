import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { languages, writeSdk } from "../languages/sdks";
import { checkout } from "../run/environment";
import { makeArtifacts, SDKS } from "./artifacts";
import { bundle, checksums, makePlugin, ownPlatform, type Platform, platforms } from "./plugin";

/*
 * What a release holds besides the package:
 *
 *   npm run release sdks                    # the SDKs of all languages, in build/sdks
 *   npm run release plugin [platform…]      # the plugin as executables, in build/release; `all`: of every platform
 *   npm run release artifacts               # the rest, in build/release, beside what is there already
 */

const folder = join(checkout, "build", "release");

async function plugin(names: readonly string[]): Promise<void> {
  const script = await bundle();
  for (const platform of selectPlatforms(names)) {
    process.stderr.write(`${await makePlugin(platform, script, folder)}\n`);
    if (platform.startsWith("darwin") && process.platform !== "darwin")
      process.stderr.write("not signed, so that no Mac starts it: make it on a Mac\n");
  }
}

function selectPlatforms(names: readonly string[]): readonly Platform[] {
  if (names.length === 0) return [ownPlatform()];
  if (names[0] === "all") return platforms;
  return names.map((name) => {
    const platform = platforms.find((each) => each === name);
    if (platform === undefined) throw new Error(`${name} is not a platform: ${platforms.join(", ")}`);
    return platform;
  });
}

async function sdks(): Promise<void> {
  for (const language of languages) {
    const place = join(SDKS, language);
    const outcome = await writeSdk(language, place).then(
      () => `${language}: ${place}`,
      ({ message }: Error) => {
        process.exitCode = 1;
        return message;
      },
    );
    process.stderr.write(`${outcome}\n`);
  }
}

async function main([part, ...names]: readonly string[]): Promise<void> {
  if (part === "sdks") return sdks();
  if (part === "plugin") await plugin(names);
  else if (part === "artifacts") await makeArtifacts(folder);
  else throw new Error("Say which part: sdks, plugin or artifacts.");
  await writeFile(join(folder, "checksums.txt"), await checksums(folder));
}

void main(process.argv.slice(2));
