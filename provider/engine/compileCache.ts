import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { nodeProblem } from "../common/requireNode";

const { PULUMI_HOME = join(homedir(), ".pulumi") } = process.env;

/**
 * To compile what a provider's process loads takes as long as its first operation: Node keeps it for the next process,
 * in a folder of the user's own. A user's NODE_COMPILE_CACHE or NODE_DISABLE_COMPILE_CACHE wins. Without a folder to
 * write to, nothing is kept.
 */
if (nodeProblem() === undefined) enableCompileCache(join(PULUMI_HOME, "computecloud", "compiled"));
