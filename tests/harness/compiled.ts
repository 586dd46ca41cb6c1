import { join } from "node:path";
import { checkout } from "../../tools/run/environment";
import { type ProcessResult, run } from "../../tools/run/process";

/** How a check of a project's types ends: by the native compiler, in a fifth of the CPU time. The build checks with the other one. */
export function compiled(project: string): Promise<ProcessResult> {
  const tsc = join(checkout, "node_modules", "typescript-native", "bin", "tsc");
  return run(process.execPath, [tsc, "--noEmit", "--singleThreaded", "-p", project], { cwd: checkout });
}

/** How it ends without any error. */
export const CLEAN = { exitCode: 0, stdout: "" };
