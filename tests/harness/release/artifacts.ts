import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "../checkout";
import { type Language, writeSdk } from "../languages/sdks";
import { run } from "../process";

/*
 * What a release holds besides the package itself and the plugin: the SDKs of other languages and the list of what is in the
 * package. The release's workflow makes it with this, and so do the tests.
 */

export const SDKS = join(checkout, "build/sdks");

/** Languages whose SDK a release publishes: TypeScript's is the package itself. */
const PUBLISHED = ["python", "go", "dotnet"] as const satisfies readonly Language[];

/**
 * Writes the SDKs into `build/sdks`, and into a folder the wheel and the software bill of materials. .NET's package is made by
 * dotnet, Go's is a folder of the repository under a tag.
 *
 * @throws Error with what a command said
 */
export async function makeArtifacts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const language of PUBLISHED) {
    const failure = await writeSdk(language, join(SDKS, language));
    if (failure !== undefined) throw new Error(`${language}: ${failure}`);
  }
  const wheel = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, join(SDKS, "python")];
  await succeed("python3", wheel);
  // What setuptools leaves beside the sources is not theirs.
  await rm(join(SDKS, "python/build"), { recursive: true, force: true });
  const bill = await succeed("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"]);
  await writeFile(join(folder, "sbom.cdx.json"), bill);
}

/** Runs a command that must succeed, and answers what it printed. */
async function succeed(command: string, args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(command, args, { cwd: checkout });
  if (exitCode === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
}
