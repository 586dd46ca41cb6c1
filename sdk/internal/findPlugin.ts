import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/** The engine will not find the plugin that answers functions. */
export class PluginNotFoundError extends pulumi.RunError {
  constructor() {
    super(`The plugin that answers the functions of pulumi-computecloud was not found. Add these lines to Pulumi.yaml:

plugins:
  providers:
    - name: computecloud
      path: node_modules/pulumi-computecloud/provider/bin

or install it for all projects: npx pulumi-computecloud plugin install`);
    // Nothing in the program is at fault.
    this.stack = "";
  }
}

let found = false;

/**
 * Looks where the engine is going to look. An engine that finds no plugin ends the program, which then can't say
 * anything any more.
 *
 * @throws PluginNotFoundError
 */
export function findPlugin(): void {
  // Under mocks there is no engine, and no plugin either.
  found ||= pulumi.runtime.getEngine() === undefined || attached() || namedByProject() || onPath() || installed();
  if (!found) throw new PluginNotFoundError();
}

function namedByProject(): boolean {
  const root = pulumi.runtime.getRootDirectory();
  for (let folder = existsSync(root) ? root : process.cwd(); ; folder = dirname(folder)) {
    const file = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(folder, name)).find(existsSync);
    if (file !== undefined) return /\b(plugins|packages)\b[\s\S]*\bcomputecloud\b/.test(readFileSync(file, "utf8"));
    // Programs of the Automation API have their project elsewhere: nothing can be said.
    if (folder === dirname(folder)) return true;
  }
}

function onPath(): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(join(folder, "pulumi-resource-computecloud")));
}

function installed(): boolean {
  const folder = join(process.env.PULUMI_HOME ?? join(homedir(), ".pulumi"), "plugins");
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("resource-computecloud-v"));
}

/** A plugin that runs already, for debugging. */
function attached(): boolean {
  return /\bcomputecloud:/.test(process.env.PULUMI_DEBUG_PROVIDERS ?? "");
}
