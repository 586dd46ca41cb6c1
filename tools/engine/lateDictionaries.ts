import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type ProcessOptions, run } from "../run/process";

/**
 * Dictionaries of passwords. Pulumi's command reads them whenever it starts, for half of a start's CPU time, and needs them to
 * judge a value of `config set` (docs/start-report-draft.md). The command that is built here reads them when it judges one.
 */
const DICTIONARIES: readonly string[] = ["github.com/nbutton23/zxcvbn-go", "github.com/ccojocar/zxcvbn-go"];

/** Their first match loads what is not loaded yet. */
const EDITS: readonly (readonly [string, string])[] = [
  ["func init() {\n\tmaleFilePath", "func Load() {\n\tmaleFilePath"],
  ["func init() {\n\tloadFrequencyList()\n}\n", ""],
  ["func loadFrequencyList() {", "func loadFrequencyList() {\n\tfrequency.Load()"],
];

/**
 * Writes a `go.mod` that has edited copies of these modules in their places.
 *
 * @param go how to run it, in the folder with the command's own `go.mod`
 * @param folder an empty one, for all of it
 * @returns its path, for `go build -modfile`; the own one's where a module can't be had, of which the build says why
 */
export async function lateDictionaries(go: ProcessOptions & { cwd: string }, folder: string): Promise<string> {
  const modfile = join(go.cwd, "go.mod");
  const { stdout } = await run("go", ["mod", "download", "-json", ...DICTIONARIES], go);
  const sources = [...stdout.matchAll(/"Dir": "(.*)"/g)].map(([, source = ""]) => source);
  if (sources.length < DICTIONARIES.length) return modfile;
  let text = await readFile(modfile, "utf8");
  for (const [index, name] of DICTIONARIES.entries()) {
    const copy = join(folder, `${index}`);
    await copyEdited(sources[index] ?? "", copy);
    await writeFile(join(copy, "go.mod"), `module ${name}\n`);
    text += `replace ${name} => ${JSON.stringify(copy)}\n`;
  }
  await copyFile(join(go.cwd, "go.sum"), join(folder, "go.sum"));
  await writeFile(join(folder, "go.mod"), text);
  return join(folder, "go.mod");
}

/** File by file: in Go's cache of modules all are read-only. */
async function copyEdited(source: string, copy: string): Promise<void> {
  for (const file of await readdir(source, { recursive: true, withFileTypes: true })) {
    const from = join(file.parentPath, file.name);
    if (!/(?<!_test)\.go$/.test(from)) continue;
    const to = join(copy, relative(source, from));
    await mkdir(dirname(to), { recursive: true });
    const text = await readFile(from, "utf8");
    await writeFile(
      to,
      EDITS.reduce((edited, [old, fresh]) => edited.replace(old, fresh), text),
    );
  }
}
