import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { once } from "../../common/cached";
import { pulumiHome } from "../../common/pulumiHome";
import { startScript } from "../../common/startScript";
import { runsInProject, SetupError } from "./findProvider";
import { isHostedNatively } from "./host";

export const { version } = require("pulumi-computecloud/package.json") as { version: string };

/**
 * Makes sure that the engine will find the plugin. It looks in the same places, and writes a start script if there is
 * none. The engine ends a program without a plugin before the program can report anything.
 *
 * @throws SetupError if there is no writable home folder for its start script
 */
export function findPlugin(): void {
  // Under mocks there is neither an engine nor a plugin.
  if (!isHostedNatively() && pulumi.runtime.getEngine() !== undefined) findOnce();
}

const findOnce = once(() => {
  if (!attached() && !namedByProject() && !onPath()) install();
});

/** An inline program's project is elsewhere, whatever its own folder names. */
function namedByProject(): boolean {
  if (!runsInProject()) return false;
  // Older SDKs do not tell it. Then the project is looked for from the program's folder.
  const root = pulumi.runtime.getRootDirectory?.() ?? "";
  for (let folder = existsSync(root) ? root : process.cwd(); ; folder = dirname(folder)) {
    const file = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(folder, name)).find(existsSync);
    if (file !== undefined) return namesPlugin(readFileSync(file, "utf8"));
    if (folder === dirname(folder)) return false;
  }
}

/** In YAML or JSON; another plugin may stand in this package's folder, and the project may have the plugin's name. */
export function namesPlugin(project: string): boolean {
  const amongPlugins = /\bplugins\b[\s\S]*[ \t{,]["']?name["']?:\s*["']?computecloud(?![\w-])/;
  const amongPackages = /\bpackages\b[\s\S]*[ \t{,]["']?computecloud["']?:(?!\w)/;
  return amongPlugins.test(project) || amongPackages.test(project);
}

function onPath(): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(join(folder, "pulumi-resource-computecloud")));
}

/**
 * Writes the start script into the engine's folder of plugins, by version. A script whose package has moved, was removed or
 * upgraded is replaced. One that works is kept, whichever project it belongs to.
 */
function install(): void {
  const home = join(pulumiHome(), "plugins");
  const folder = join(home, `resource-computecloud-v${version}`);
  try {
    const { name, text, isWorking } = startScript();
    const file = join(folder, name);
    if (existsSync(file) && isWorking(readFileSync(file, "utf8"))) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const staged = join(folder, `.${name}.${process.pid}`);
    writeFileSync(staged, text, { mode: 0o700 });
    // Also where the umask takes even its owner's rights, or a run that was killed left the file.
    chmodSync(staged, 0o700);
    renameSync(staged, file);
  } catch (error) {
    const cause = error instanceof Error ? error.message : error;
    throw new SetupError(`The plugin of pulumi-computecloud can't be put into ${home}, where the engine would find it (${cause}). Add these \
lines to Pulumi.yaml:

plugins:
  providers:
    - name: computecloud
      path: node_modules/pulumi-computecloud/provider/bin`);
  }
}

/** Whether a plugin is already running, for debugging. */
const attached = (): boolean => /\bcomputecloud:/.test(process.env.PULUMI_DEBUG_PROVIDERS ?? "");
