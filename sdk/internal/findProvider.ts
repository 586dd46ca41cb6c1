import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { once } from "../../common/cached";
import { compareVersions } from "../../common/requireNode";

/** The engine would not find what it needs. The program is not at fault, so its stack trace would mislead. */
export class SetupError extends pulumi.RunError {
  override stack = "";
}

const HOST = "@pulumi/pulumi/cmd/dynamic-provider";

/**
 * Makes sure that the engine can load the dynamic providers. Resources name their provider by its package, which the
 * engine's process resolves from the program's folder. With pnpm only the program's own dependencies are there.
 *
 * @throws SetupError
 */
export function findProvider(): void {
  if (pulumi.runtime.getEngine() !== undefined) findOnce();
}

const findOnce = once(() => {
  const folder = process.cwd();
  // The engine would wait for ever. An inline program of the Automation API may be in any folder.
  if (!resolves(folder, HOST))
    throw new SetupError(
      `@pulumi/pulumi can't be found from ${folder}, where this program runs. Pulumi starts its process for dynamic resources ` +
        "there, and would wait for it for ever. Run the program in a folder that has its packages, such as by " +
        "process.chdir(__dirname), or give the resources a Provider.",
    );
  if (runsInProject() && !resolves(folder, "pulumi-computecloud/provider"))
    throw new SetupError(
      `pulumi-computecloud can't be found from ${folder}, where the engine runs providers: only a package that the ` +
        "program uses depends on it. Make it a dependency of the program itself: npm install pulumi-computecloud " +
        "(or pnpm add, yarn add).",
    );
  if (pulumi.runtime.isDryRun()) warnAboutOldHost();
});

/** From this version on Pulumi's host of dynamic resources passes on the arguments that a refresh reads. */
const PASSES_READ_ARGUMENTS = "3.216.0";

function warnAboutOldHost(): void {
  const { version } = require("@pulumi/pulumi/package.json") as { version: string };
  if (compareVersions(version, PASSES_READ_ARGUMENTS) >= 0) return;
  void pulumi.log.warn(
    `With @pulumi/pulumi ${version} a preview that follows a refresh does not show which arguments of a dynamic resource were ` +
      `changed outside of this program, though \`pulumi up\` undoes it. From ${PASSES_READ_ARGUMENTS} on it shows them, and ` +
      "`npx pulumi-computecloud drift` does with any version.",
  );
}

/** Whether the program runs in its project's folder. An inline program's may be anywhere. */
export const runsInProject = (): boolean => /[\\/]cmd[\\/]run[\\/]/.test(require.main?.filename ?? "");

function resolves(folder: string, name: string): boolean {
  try {
    createRequire(join(folder, "index.js")).resolve(name);
    return true;
  } catch {
    return false;
  }
}
