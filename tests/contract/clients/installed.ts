import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "../../harness/process";

/** The clients that the tests run, as their registries have them. */
const PYTHON = ["runpod==1.12.0"];
const NODE = ["runpod-sdk@1.1.2", "@runpod/mcp-server@4.0.0", "openapi-typescript@7.13.0", "openapi-fetch@0.17.0"];

/** Long enough for a slow line. */
const PATIENCE_MS = 240_000;
/** How long a test waits that may be the first to ask for a client. */
export const FIRST_TIME_MS = PATIENCE_MS + 60_000;

/** The interpreter of an environment that has the service's Python client; undefined, and a line about it, where there is none. */
export async function pythonClient(): Promise<string | undefined> {
  const home = await kept("python", PYTHON, async (folder) => {
    const steps: [string, string[]][] = [
      ["python3", ["-m", "venv", folder]],
      [
        join(folder, "bin/python"),
        ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", ...PYTHON],
      ],
    ];
    for (const [command, args] of steps) {
      const failure = await attempt(command, args, folder);
      if (failure !== undefined) return failure;
    }
    return undefined;
  });
  return home && join(home, "bin/python");
}

/** A folder whose node_modules has the clients that Node runs; undefined, and a line about it, where they can't be had. */
export const nodeClients = (): Promise<string | undefined> =>
  kept("node", NODE, async (folder) => {
    await writeFile(join(folder, "package.json"), '{"private":true}');
    return attempt("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...NODE], folder);
  });

/** A folder of the machine's cache, filled once and taken into use as a whole. */
async function kept(
  kind: string,
  packages: readonly string[],
  fill: (folder: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const version = createHash("sha256").update(packages.join()).digest("hex").slice(0, 12);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-computecloud");
  const home = join(cache, `clients-${kind}-${version}-${process.platform}-${process.arch}`);
  if (existsSync(home)) return home;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(`${home}.new-`);
  try {
    const failure = await fill(folder);
    if (failure !== undefined) {
      process.stderr.write(`\nSKIPPED: the tests with ${packages.join(", ")}, since ${failure}\n`);
      return undefined;
    }
    // Somebody else may have been as fast: theirs is as good.
    await rename(folder, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
    return home;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function attempt(command: string, args: readonly string[], cwd: string): Promise<string | undefined> {
  try {
    const { exitCode, stderr } = await run(command, args, { cwd, timeoutMs: PATIENCE_MS });
    return exitCode === 0 ? undefined : `'${command} ${args[0]}' failed: ${stderr.trim().split("\n").at(-1)}`;
  } catch {
    return `there is no ${command}`;
  }
}
