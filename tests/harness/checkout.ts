import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** The checkout's root: these files run both from their sources and from dist/. */
export const checkout = findRoot(__dirname);

/** Git-ignored folder for stacks, backends and whatever else a run leaves behind. */
export const scratch = join(checkout, ".computecloud");

function findRoot(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : findRoot(dirname(folder));
}

/** `PATH` for a program that starts the engine: the checkout's Node first, then the engine. */
export function pathWith(engineFolder: string, env: NodeJS.ProcessEnv = process.env): string {
  return [join(checkout, "node_modules", ".bin"), engineFolder, env.PATH ?? ""].join(delimiter);
}
