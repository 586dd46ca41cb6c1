import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Language, writeSdk } from "../languages/sdks";
import { checkout } from "../run/environment";
import { runOrThrow } from "../run/process";

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
  for (const language of PUBLISHED) await writeSdk(language, join(SDKS, language));
  const wheel = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, join(SDKS, "python")];
  await runOrThrow("python3", wheel, { cwd: checkout });
  // What setuptools leaves beside the sources is not theirs.
  await rm(join(SDKS, "python/build"), { recursive: true, force: true });
  await writeFile(join(folder, "sbom.cdx.json"), `${JSON.stringify(await billOfMaterials(), undefined, 1)}\n`);
}

interface Bill {
  readonly components: readonly { "bom-ref": string; properties?: readonly { name: string }[] }[];
  readonly dependencies: readonly { ref: string; dependsOn: readonly string[] }[];
}

interface Manifest {
  readonly workspaces?: unknown;
}

/** npm's own, in CycloneDX's form, of what an install brings. It takes no project with workspaces, as the examples are. */
async function billOfMaterials(): Promise<object> {
  const parent = await mkdtemp(join(tmpdir(), "sbom-"));
  try {
    const { workspaces: _, ...manifest }: Manifest = JSON.parse(await readFile(join(checkout, "package.json"), "utf8"));
    const lock: { packages: Record<string, Manifest & { link?: boolean }> } = JSON.parse(
      await readFile(join(checkout, "package-lock.json"), "utf8"),
    );
    const { "": root, ...others } = lock.packages;
    const { workspaces: __, ...rootPackage } = root ?? {};
    const locked = Object.entries(others).filter(([place, { link }]) => !link && !place.startsWith("examples/"));
    // The bill names the package after its folder.
    const folder = join(parent, "pulumi-computecloud");
    const there = { cwd: folder };
    await mkdir(folder);
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    const packages = { "": rootPackage, ...Object.fromEntries(locked) };
    await writeFile(join(folder, "package-lock.json"), JSON.stringify({ ...lock, packages }));
    const prune = ["install", "--package-lock-only", "--ignore-scripts", "--offline", "--no-audit"];
    await runOrThrow("npm", prune, there);
    const text = await runOrThrow("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], there);
    return withoutDevelopment(JSON.parse(text));
  } finally {
    await rm(parent, { recursive: true });
  }
}

/** npm's own `--omit dev` leaves out what is needed for both. */
function withoutDevelopment(bill: Bill): Bill {
  const isForDevelopment = ({ properties = [] }: Bill["components"][number]) =>
    properties.some(({ name }) => name === "cdx:npm:package:development");
  const left = new Set(bill.components.filter(isForDevelopment).map((each) => each["bom-ref"]));
  const dependencies = bill.dependencies.filter(({ ref }) => !left.has(ref));
  return {
    ...bill,
    components: bill.components.filter((each) => !left.has(each["bom-ref"])),
    dependencies: dependencies.map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((on) => !left.has(on)),
    })),
  };
}
