import { existsSync } from "node:fs";
import { join } from "node:path";

/** The script that the engine starts as its plugin. It has absolute paths of the package and of Node, so it works anywhere. */
export interface StartScript {
  readonly name: string;
  readonly text: string;
  /** Whether the paths in an earlier script still exist. */
  isWorking(text: string): boolean;
}

const MOVED =
  "pulumi-computecloud or its Node has moved; run the program again, or: npx pulumi-computecloud plugin install";

export function startScript(): StartScript {
  const plugin = join(__dirname, "../provider/engine/plugin/main.js");
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
