const { name, engines } = require("pulumi-computecloud/package.json") as { name: string; engines: { node: string } };

/**
 * An error message if this Node is too old; otherwise undefined. An old Node would fail half-way with a misleading error, so
 * every entry point checks before it loads anything else.
 */
export function nodeProblem(): string | undefined {
  const needed = engines.node.replace(/^>=/, "");
  if (compareVersions(process.versions.node, needed) >= 0) return undefined;
  return (
    `${name} needs Node ${needed} or newer; this is Node ${process.versions.node} (${process.execPath}). ` +
    "Install a newer one (https://nodejs.org), or put it first on PATH."
  );
}

/** @throws an error of this class that names the required version of Node */
export function requireNode(Problem: new (message: string) => Error = Error): void {
  const problem = nodeProblem();
  if (problem !== undefined) throw new Problem(problem);
}

/** Compares versions of three numbers. Negative if the first is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  const different = [0, 1, 2].find((index) => (left?.[index] ?? 0) !== (right?.[index] ?? 0));
  return different === undefined ? 0 : (left?.[different] ?? 0) - (right?.[different] ?? 0);
}
