import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/** The engine will not find the code that makes resources. */
export class ProviderNotFoundError extends pulumi.RunError {
  constructor(folder: string) {
    super(
      `pulumi-computecloud can't be found from ${folder}, where the engine runs providers: only a package that the ` +
        "program uses depends on it. Make it a dependency of the program itself: npm install pulumi-computecloud " +
        "(or pnpm add, yarn add).",
    );
    // Nothing in the program is at fault.
    this.stack = "";
  }
}

let found = false;

/**
 * Resources name their provider by its package, which the engine's process looks for from the program's folder. pnpm
 * puts there what the program itself depends on, and nothing else.
 *
 * @throws ProviderNotFoundError
 */
export function findProvider(): void {
  found ||= !runsInProject() || resolves(process.cwd());
  if (!found) throw new ProviderNotFoundError(process.cwd());
}

/** Otherwise nothing is known: under mocks, and in an inline program, which the engine places elsewhere. */
function runsInProject(): boolean {
  return pulumi.runtime.getEngine() !== undefined && /[\\/]cmd[\\/]run[\\/]/.test(require.main?.filename ?? "");
}

function resolves(folder: string): boolean {
  try {
    createRequire(join(folder, "index.js")).resolve("pulumi-computecloud/provider");
    return true;
  } catch {
    return false;
  }
}
