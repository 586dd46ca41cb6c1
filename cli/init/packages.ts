import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

const { version } = require("pulumi-computecloud/package.json") as { version: string };
const OURS = "pulumi-computecloud";

/** How a project installs what its package.json names. */
export interface Packages {
  /** Commands of a pipeline, which install exactly what the lock file says. */
  readonly install: readonly string[];
  /** npm's lock file, by which GitHub keeps what was downloaded. Relative to the root, with `/`. */
  readonly npmLock?: string;
  /** What starts the commands of installed packages. */
  readonly start: "npx" | "yarn";
  /** Adds this package to package.json, and makes the lock file. */
  readonly add: string;
}

const ADDED = `${OURS}@^${version}`;
const managed = (by: string, ...install: string[]): Packages => ({ install, start: "npx", add: `${by} ${ADDED}` });
const NPM = managed("npm install", "npm ci");

/** By lock file. */
const MANAGERS: Readonly<Record<string, Packages>> = {
  "package-lock.json": NPM,
  "npm-shrinkwrap.json": NPM,
  "pnpm-lock.yaml": managed("pnpm add", "corepack enable", "pnpm install --frozen-lockfile"),
  "yarn.lock": managed("yarn add", "corepack enable", "yarn install --frozen-lockfile"),
  "bun.lock": managed("bun add", "npm install --global bun", "bun install --frozen-lockfile"),
};
/** Plug'n'Play has no `node_modules/.bin` for npx. */
const BERRY: Packages = { ...managed("yarn add", "corepack enable", "yarn install --immutable"), start: "yarn" };
/** A project of another language, without a package.json. */
const ADD_ALONE = `npm install --no-save --no-package-lock ${OURS}@${version}`;
const NONE: Packages = { install: [ADD_ALONE], start: "npx", add: ADD_ALONE };

/**
 * What the project has. The lock file of a workspace lies above the project.
 *
 * @param isNew whether `init` writes the project, which npm then installs
 */
export async function packagesOf(folder: string, root: string, isNew: boolean): Promise<Packages> {
  const has = (at: string, name: string) => existsSync(join(at, name));
  const pathOf = (at: string, name: string) => relative(root, join(at, name)).replaceAll("\\", "/");
  const ofNpm = { ...NPM, npmLock: pathOf(folder, "package-lock.json") };
  if (isNew) return ofNpm;
  for (let at = folder; ; at = dirname(at)) {
    const lock = Object.keys(MANAGERS).find((name) => has(at, name));
    if (lock !== undefined) {
      const text = lock === "yarn.lock" ? await readFile(join(at, lock), "utf8") : "";
      const manager = text.includes("__metadata:") ? BERRY : (MANAGERS[lock] ?? NPM);
      return { ...manager, ...(manager === NPM && { npmLock: pathOf(at, lock) }) };
    }
    if (at === root || at === dirname(at)) break;
  }
  return has(folder, "package.json") ? ofNpm : NONE;
}

/** Whether the project's package.json, or one above it in the workspace, names this package. */
export async function hasPackage(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "");
  return text.includes(`"${OURS}"`);
}
