import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { startScript } from "../../startScript";
import { explain } from "./help";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

export function pluginInstall(command: Command): void {
  explain(command, { examples: ["plugin install"], connects: false });
  command
    .description("Installs the plugin that answers functions, for all projects. Ends as the engine's own command does.")
    .action(async () => {
      process.exitCode = await install();
    });
}

/**
 * The engine copies what it is given, so that the copy has to say where this package is, and which Node it runs on.
 *
 * @returns the exit code of the engine's own command
 */
async function install(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-resource-computecloud-"));
  try {
    const { name, text } = startScript();
    await writeFile(join(folder, name), text, { mode: 0o755 });
    return await pulumi(["plugin", "install", "resource", "computecloud", version, "--file", folder, "--reinstall"]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function pulumi(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", args, { stdio: "inherit" });
    child.once("error", (cause) =>
      reject(new Error("`pulumi` is not on PATH; install the Pulumi CLI first", { cause })),
    );
    child.once("close", (code) => resolve(code ?? 1));
  });
}
