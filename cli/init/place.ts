import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Where a project is in its repository. */
export interface Place {
  /** The project's folder. */
  readonly folder: string;
  /** The repository's root, where the services look for pipelines; the project's folder outside a repository. */
  readonly root: string;
  readonly isRepository: boolean;
  /** From the root to the project, with `/`; empty if they are the same. */
  readonly path: string;
}

export function placeOf(name: string): Place {
  const folder = resolve(name);
  let root = folder;
  while (!existsSync(join(root, ".git")) && root !== dirname(root)) root = dirname(root);
  const isRepository = existsSync(join(root, ".git"));
  if (!isRepository) root = folder;
  return { folder, root, isRepository, path: relative(root, folder).replaceAll("\\", "/") };
}
