import { chmodSync, mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { pulumiHome } from "../../common/pulumiHome";
import { nodeProblem } from "../../common/requireNode";

/**
 * To compile what a provider's process loads takes as long as its first operation: Node keeps it for the next process,
 * in a folder of the user's own. A user's NODE_COMPILE_CACHE or NODE_DISABLE_COMPILE_CACHE wins. Without a folder to
 * write to, nothing is kept.
 */
const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
if (nodeProblem() === undefined && !NODE_COMPILE_CACHE && !NODE_DISABLE_COMPILE_CACHE) {
  const folder = join(pulumiHome(), "computecloud", "compiled");
  // mutant compiled-code-for-everybody: true
  if (isForUsAlone(folder)) enableCompileCache(folder);
}

/** Whoever can write there decides what we run, and a umask may let everybody. */
function isForUsAlone(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}
