import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

/** The variable with which a script tells the plugin its version: the package there may have been upgraded in place. */
export const EXPECTED_VERSION = "COMPUTECLOUD_PLUGIN_VERSION";

const MAIN = "dist/provider/engine/plugin/main.js";
const MOVED =
  "pulumi-computecloud or its Node has moved; run the program again, or: npx pulumi-computecloud plugin install";

/** The script that the engine starts as its plugin. It has absolute paths of the package and of Node, so it works anywhere. */
export interface StartScript {
  readonly name: string;
  readonly text: string;
  /** Whether the paths in an earlier script still exist, and lead to this version. */
  isWorking(text: string): boolean;
}

/** @throws Error where a program that was bundled into one file has no package beside it */
export function startScript(): StartScript {
  const plugin = join(packageFolder(), MAIN);
  return process.platform === "win32" ? windowsScript(plugin) : unixScript(plugin);
}

function packageFolder(): string {
  const around = join(__dirname, "../..");
  if (existsSync(join(around, MAIN))) return around;
  // In a bundle these lines stand in the program's own file.
  return dirname(createRequire(join(process.cwd(), "program.js")).resolve("pulumi-computecloud/package.json"));
}

/** What Node needs to read a package in one of Yarn's archives. */
function plugAndPlay(): readonly string[] {
  return process.versions.pnp === undefined ? [] : [createRequire(join(process.cwd(), "program.js")).resolve("pnpapi")];
}

function unixScript(plugin: string): StartScript {
  const [node, file, loader] = [process.execPath, plugin, ...plugAndPlay()].map(
    (path) => `'${path.replaceAll("'", `'\\''`)}'`,
  );
  const text = `#!/bin/sh
if [ ! -x ${node} ] || [ ! -f ${loader ?? file} ]; then
  echo '${MOVED}' >&2
  exit 1
fi
${EXPECTED_VERSION}=${version} exec ${node} ${loader === undefined ? "" : `--require ${loader} `}${file} "$@"
`;
  const plain = (quoted = "") => quoted.replaceAll(`'\\''`, "'");
  const isWorking = (written: string) => {
    const [, node, file] =
      /^\w+=\S+ exec '((?:(?!' --require ').)+)' (?:--require '.+' )?'(.+)' "\$@"$/m.exec(written) ?? [];
    return existsSync(plain(node)) && isOurVersion(plain(file));
  };
  return { name: "pulumi-resource-computecloud", text, isWorking };
}

/** Read by cmd.exe, where `%` begins a variable and letters are those of the terminal's code page unless it is told. Untried. */
function windowsScript(plugin: string): StartScript {
  const [node, file] = [process.execPath, plugin].map((path) => path.replaceAll("%", "%%"));
  const text = `@chcp 65001 >nul\r\n@set ${EXPECTED_VERSION}=${version}\r\n@"${node}" "${file}" %*\r\n`;
  const isWorking = (written: string) => {
    const [, node = "", file = ""] = /^@"(.+)" "(.+)" %\*/m.exec(written.replaceAll("%%", "%")) ?? [];
    return existsSync(node) && isOurVersion(file);
  };
  return { name: "pulumi-resource-computecloud.cmd", text, isWorking };
}

function isOurVersion(plugin: string): boolean {
  try {
    const manifest = readFileSync(join(plugin.slice(0, -MAIN.length), "package.json"), "utf8");
    return existsSync(plugin) && (JSON.parse(manifest) as { version?: string }).version === version;
  } catch {
    return false;
  }
}
