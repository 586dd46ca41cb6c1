import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/** The engine would not find the code of the dynamic providers. */
export class ProviderNotFoundError extends pulumi.RunError {
  constructor(folder: string) {
    super(
      `pulumi-computecloud can't be found from ${folder}, where the engine runs providers: only a package that the ` +
        "program uses depends on it. Make it a dependency of the program itself: npm install pulumi-computecloud " +
        "(or pnpm add, yarn add).",
    );
    // The program is not at fault, so its stack trace would mislead.
    this.stack = "";
  }
}

let found = false;

/**
 * Makes sure that the engine can load the dynamic providers. Resources name their provider by its package, which the
 * engine's process resolves from the program's folder. With pnpm only the program's own dependencies are there.
 *
 * @throws ProviderNotFoundError
 */
export function findProvider(): void {
  found ||= !runsInProject() || resolves(process.cwd());
  if (!found) throw new ProviderNotFoundError(process.cwd());
}

/**
 * Whether the program runs in its project's folder. Otherwise nothing can be said: under mocks, and for an inline
 * program, which the engine runs elsewhere.
 */
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
