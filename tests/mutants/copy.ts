import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { checkout, linkPackage, scratch } from "../../tools/run/environment";

/** A place in the sources, and what a deliberate bug makes of it. */
export interface Edit {
  /** From the checkout's root. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

const NOT_COPIED = new Set(["node_modules", ".git", ".computecloud"]);
const PACKAGE = "pulumi-computecloud";

/** A copy of the built checkout, to put deliberate bugs into. Its dependencies are the original's. */
export class Copy {
  private constructor(readonly folder: string) {}

  /** @param name of a folder under the scratch folder, which is made anew */
  static async make(name: string): Promise<Copy> {
    const folder = join(scratch, name);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const entries = (await readdir(checkout)).filter((entry) => !NOT_COPIED.has(entry));
    await Promise.all(entries.map((entry) => cp(join(checkout, entry), join(folder, entry), { recursive: true })));
    await linkDependencies(folder);
    await linkPackage(folder);
    return new Copy(folder);
  }

  /** Puts a bug in, into the sources and into dist/. */
  async apply(edits: readonly Edit[]): Promise<void> {
    for (const file of filesOf(edits)) {
      const path = join(this.folder, file);
      let text = await readFile(path, "utf8");
      const places = edits.filter((edit) => edit.file === file).toSorted((a, b) => b.start - a.start);
      for (const { start, end, to } of places) text = text.slice(0, start) + to + text.slice(end);
      await writeFile(path, text);
      if (isSource(file)) await this.#compile(file);
    }
  }

  /** Takes a bug out again. */
  async restore(edits: readonly Edit[]): Promise<void> {
    for (const file of filesOf(edits).flatMap((each) => (isSource(each) ? [each, compiled(each)] : [each]))) {
      await cp(join(checkout, file), join(this.folder, file));
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #compile(file: string): Promise<void> {
    const { config } = ts.readConfigFile(join(checkout, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, checkout);
    const text = await readFile(join(this.folder, file), "utf8");
    const { outputText } = ts.transpileModule(text, { compilerOptions: options, fileName: file });
    await writeFile(join(this.folder, compiled(file)), outputText);
  }
}

const filesOf = (edits: readonly Edit[]): string[] => [...new Set(edits.map(({ file }) => file))];

const isSource = (file: string): boolean => file.endsWith(".ts");

const compiled = (file: string): string => join("dist", file.replace(/\.ts$/, ".js"));

/** Links every dependency by itself: a link to the whole folder would lead from the copy to the original package. */
async function linkDependencies(folder: string): Promise<void> {
  const [from, to] = [join(checkout, "node_modules"), join(folder, "node_modules")];
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const isWorkspace = entry.isSymbolicLink() && entry.name !== PACKAGE;
    // The examples are workspaces: relative links, which lead to the copy's.
    if (isWorkspace) await cp(join(from, entry.name), join(to, entry.name), { verbatimSymlinks: true });
    else await symlink(entry.name === PACKAGE ? ".." : join(from, entry.name), join(to, entry.name));
  }
}
