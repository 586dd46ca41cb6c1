import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
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
    const plugin = join(__dirname, "..", "engine", "plugin", "main.js");
    const files = process.platform === "win32" ? windowsFile(plugin) : unixFile(plugin);
    await writeFile(join(folder, files.name), files.text, { mode: 0o755 });
    return await pulumi(["plugin", "install", "resource", "computecloud", version, "--file", folder, "--reinstall"]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const MOVED =
  "pulumi-computecloud or its Node has moved; run again, where it is now: npx pulumi-computecloud plugin install";

function unixFile(plugin: string) {
  const [node, file] = [process.execPath, plugin].map((path) => `'${path.replaceAll("'", `'\\''`)}'`);
  const text = `#!/bin/sh
if [ ! -x ${node} ] || [ ! -f ${file} ]; then
  echo '${MOVED}' >&2
  exit 1
fi
exec ${node} ${file} "$@"
`;
  return { name: "pulumi-resource-computecloud", text };
}

function windowsFile(plugin: string) {
  return { name: "pulumi-resource-computecloud.cmd", text: `@"${process.execPath}" "${plugin}" %*\r\n` };
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
