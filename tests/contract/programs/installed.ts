import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attempt, cachedFolder } from "../../../tools/run/cachedFolder";

/** Installs from PyPI within seconds, whatever other versions the programs before needed. */
const UV = "uv==0.13.9";

/** What a program is installed from: names with versions, as its registry writes them. */
export interface Packages {
  readonly name: string;
  readonly registry: string;
  readonly packages: readonly string[];
}

/** A folder that has a program's packages; undefined, and a line about it, where they can't be had. */
export const installed = ({ name, registry, packages }: Packages): Promise<string | undefined> =>
  cachedFolder(`${registry.toLowerCase()}-${name.replaceAll(/\W+/g, "-")}`, packages, (folder) =>
    registry === "npm" ? fromNpm(folder, packages) : fromPyPi(folder, packages),
  );

async function fromNpm(folder: string, packages: readonly string[]): Promise<string | undefined> {
  await writeFile(join(folder, "package.json"), '{"private":true}');
  return attempt("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...packages], folder);
}

async function fromPyPi(folder: string, packages: readonly string[]): Promise<string | undefined> {
  const home = await cachedFolder("uv", [UV], (place) =>
    inTurn(place, [
      ["python3", "-m", "venv", place],
      [join(place, "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", UV],
    ]),
  );
  if (home === undefined) return "uv can't be installed";
  const uv = join(home, "bin/uv");
  return inTurn(folder, [
    [uv, "venv", "--quiet", "--allow-existing", "--python", "python3", folder],
    [uv, "pip", "install", "--quiet", "--python", join(folder, "bin/python"), ...packages],
  ]);
}

async function inTurn(
  folder: string,
  commands: readonly (readonly [string, ...string[]])[],
): Promise<string | undefined> {
  for (const [command, ...args] of commands) {
    const failure = await attempt(command, args, folder);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
