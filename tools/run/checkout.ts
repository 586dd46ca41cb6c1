import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";

/** The checkout's root: these files run both from their sources and from dist/. */
export const checkout = findRoot(__dirname);

/** Git-ignored folder for stacks, backends and whatever else a run leaves behind. */
export const scratch = join(checkout, ".computecloud");

function findRoot(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : findRoot(dirname(folder));
}

/** Lets programs under a checkout's scratch folder import the package by its name: from that checkout, also after it was copied. */
export async function linkPackage(root: string): Promise<void> {
  const packages = join(root, ".computecloud", "node_modules");
  const link = join(packages, "pulumi-computecloud");
  // Relative, because an absolute link would lead from a copy to the original.
  const target = join("..", "..");
  if ((await readlink(link).catch(() => undefined)) === target) return;
  await mkdir(packages, { recursive: true });
  const temporaryLink = join(packages, `.${process.pid}-${randomUUID()}`);
  await symlink(target, temporaryLink);
  // Two workers may get here at once: a rename over the other's link is as good.
  await rename(temporaryLink, link).catch(async () => {
    await rm(link, { recursive: true, force: true });
    await rename(temporaryLink, link);
  });
}

/** `PATH` for a program that starts the engine: the checkout's Node first, then the engine. */
export function pathWith(engineFolder: string): string {
  return [join(checkout, "node_modules", ".bin"), engineFolder, process.env.PATH ?? ""].join(delimiter);
}
