import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseJson } from "../../common/json";
import { pulumiHome } from "../../common/pulumiHome";
import { z } from "../../common/zod";

/**
 * The way out of files that a killed run has left half written in a backend on this machine. The engine's own error may be no
 * more than EOF. Empty where there are none.
 */
export function wayOutOfDamage(): string {
  const folder = backendFolder();
  if (folder === undefined) return "";
  try {
    const stacks = join(folder, ".pulumi/stacks");
    const files = readdirSync(stacks, { recursive: true, encoding: "utf8" }).filter((file) => !file.includes(".bak"));
    const damaged = files
      .filter((file) => /\.json(\.attrs)?$/.test(file))
      .map((file) => join(stacks, file))
      .filter((file) => parseJson(readFileSync(file, "utf8")) === undefined);
    return damaged
      .map((file) => {
        const wayOut = file.endsWith(".attrs") ? "Remove it." : `Put ${file}.bak in its place.`;
        return `\n${file} is incomplete, as after a run that was killed. ${wayOut}`;
      })
      .join("");
  } catch {
    return "";
  }
}

const credentials = z.object({ current: z.string() });

/** The folder with the states of stacks; undefined if they are elsewhere. */
function backendFolder(): string | undefined {
  const [, path] = /^file:\/\/(.*)$/.exec(process.env.PULUMI_BACKEND_URL || loggedIn()) ?? [];
  return path === undefined ? undefined : resolve(path.replace(/^~/, homedir()));
}

function loggedIn(): string {
  try {
    const file = readFileSync(join(pulumiHome(), "credentials.json"), "utf8");
    return credentials.safeParse(parseJson(file)).data?.current ?? "";
  } catch {
    return "";
  }
}
