import { existsSync } from "node:fs";
import { join } from "node:path";

/** A program that the engine starts as its plugin, wherever it lies: it says where the package is, and which Node runs it. */
export interface StartScript {
  readonly name: string;
  readonly text: string;
  /** Whether a script that was written earlier still leads to a plugin. */
  isWorking(text: string): boolean;
}

const MOVED =
  "pulumi-computecloud or its Node has moved; run the program again, or: npx pulumi-computecloud plugin install";

export function startScript(): StartScript {
  const plugin = join(__dirname, "../engine/plugin/main.js");
  return process.platform === "win32" ? windowsScript(plugin) : unixScript(plugin);
}

function unixScript(plugin: string): StartScript {
  const [node, file] = [process.execPath, plugin].map((path) => `'${path.replaceAll("'", `'\\''`)}'`);
  const text = `#!/bin/sh
if [ ! -x ${node} ] || [ ! -f ${file} ]; then
  echo '${MOVED}' >&2
  exit 1
fi
exec ${node} ${file} "$@"
`;
  const exists = (quoted = "") => existsSync(quoted.replaceAll(`'\\''`, "'"));
  const isWorking = (written: string) => {
    const [, node, file] = /^exec '(.+)' '(.+)' "\$@"$/m.exec(written) ?? [];
    return exists(node) && exists(file);
  };
  return { name: "pulumi-resource-computecloud", text, isWorking };
}

function windowsScript(plugin: string): StartScript {
  const text = `@"${process.execPath}" "${plugin}" %*\r\n`;
  const isWorking = (written: string) => {
    const [, node = "", file = ""] = /^@"(.+)" "(.+)" %\*/.exec(written) ?? [];
    return existsSync(node) && existsSync(file);
  };
  return { name: "pulumi-resource-computecloud.cmd", text, isWorking };
}
