import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../../tools/run/environment";

/** The files of the checkout that match a pattern, by their paths from its root, with their texts. */
export function sources(pattern: string): [file: string, text: string][] {
  const exclude = (file: string) => file === "node_modules";
  return globSync(pattern, { cwd: checkout, exclude })
    .sort()
    .map((file) => [file, readFileSync(join(checkout, file), "utf8")]);
}
