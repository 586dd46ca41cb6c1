import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { checkout, scratch } from "../harness/checkout";
import type { Bug } from "./bugs";

/** A deliberate bug whose place is no longer in the code. */
export class StaleBugError extends Error {
  override readonly name = "StaleBugError";
}

const NOT_COPIED = new Set(["node_modules", ".git", ".computecloud"]);

/**
 * A copy of the built checkout with the bug in it, in its sources and in dist/. It uses the original's node_modules.
 *
 * @returns its folder
 * @throws StaleBugError
 */
export async function buggyCopy({ name, edits }: Bug): Promise<string> {
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, `bug-${name}-`));
  const entries = (await readdir(checkout)).filter((entry) => !NOT_COPIED.has(entry));
  await Promise.all(entries.map((entry) => cp(join(checkout, entry), join(folder, entry), { recursive: true })));
  await symlink(join(checkout, "node_modules"), join(folder, "node_modules"));
  for (const { file, from, to } of edits) {
    const text = await readFile(join(folder, file), "utf8");
    if (text.split(from).length !== 2) throw new StaleBugError(`${name}: ${file} does not hold this once: ${from}`);
    await writeFile(
      join(folder, file),
      text.replace(from, () => to),
    );
  }
  const { config } = ts.readConfigFile(join(checkout, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, checkout);
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const { outputText } = ts.transpileModule(await readFile(join(folder, file), "utf8"), {
      compilerOptions: options,
      fileName: file,
    });
    await writeFile(join(folder, "dist", file.replace(/\.ts$/, ".js")), outputText);
  }
  return folder;
}
