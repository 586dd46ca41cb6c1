import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first program on PATH that has one of these names. Tests that need one that isn't there are skipped. */
export function onPath(...names: readonly string[]): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
