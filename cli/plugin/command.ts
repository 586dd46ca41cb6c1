import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { startScript } from "../../common/startScript";
import { runPulumi } from "../../provider/engine/pulumiCommand";
import { exitCodes, explain } from "../output";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

export function pluginInstall(command: Command): void {
  explain(command, { examples: ["plugin install", "plugin install --as-version 0.1.0"], connects: false });
  command
    .description("Installs the plugin of functions and native resources, for all projects.")
    .option(
      "--as-version <version>",
      "as the version that the engine asks for: that of the last `pulumi up`, which may have been an older one",
      version,
    )
    .action(async ({ asVersion }) => {
      process.exitCode = (await install(asVersion)) === 0 ? exitCodes.done : exitCodes.couldNotRun;
    });
}

/**
 * The engine copies the given folder, so the script in it contains the paths of this package and of Node.
 *
 * @returns the exit code of the engine's own command
 */
async function install(asVersion: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-resource-computecloud-"));
  try {
    const { name, text } = startScript();
    await writeFile(join(folder, name), text, { mode: 0o755 });
    const args = ["plugin", "install", "resource", "computecloud", asVersion, "--file", folder, "--reinstall"];
    return (await runPulumi(args, { inheritsOutput: true })).exitCode;
  } finally {
    await rm(folder, { recursive: true });
  }
}
