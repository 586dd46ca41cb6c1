import { copyFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { MODULES } from "../engine/engine";
import { attempt, cachedFolder } from "../run/cachedFolder";
import { checkout } from "../run/environment";
import { runOrThrow } from "../run/process";
import type { Stack } from "../run/stack";
import { buildGo } from "./host";

/** The languages that have a generator, and the Go module that holds it. */
const GENERATORS = { python: "sdks", nodejs: "sdks", go: "sdks", dotnet: "sdks-dotnet" } as const;

export type Language = keyof typeof GENERATORS;
export const languages = Object.keys(GENERATORS) as Language[];

const SCHEMA = join(checkout, "schema.json");

/**
 * Writes the SDK of a language into a folder, which it replaces.
 *
 * @throws Error with what went wrong
 */
export async function writeSdk(language: Language, folder: string, schema = SCHEMA): Promise<void> {
  const generator = await build(GENERATORS[language]);
  if (generator === undefined) throw new Error(`${language}: its generator could not be built, for the reason above`);
  await rm(folder, { recursive: true, force: true });
  const failure = await attempt(generator, [schema, language, folder], checkout);
  if (failure !== undefined) throw new Error(`${language}: ${failure}`);
  await copyFile(join(checkout, "LICENSE"), join(folder, "LICENSE"));
}

/**
 * What `pulumi import` prints for all of the package's resources in a stack, which the engines that tests run leave to
 * hosts of languages that can't be had. A variable that it uses for a provider has the provider's name.
 *
 * @returns undefined, and a line that says why, where it can't be had
 */
export async function printedByImport(
  language: Exclude<Language, "dotnet">,
  stack: Stack,
): Promise<string | undefined> {
  const generator = await build(GENERATORS[language]);
  const exported = join(stack.folder, "export.json");
  await stack.pulumi(["stack", "export", "--show-secrets", "--file", exported]);
  return generator && runOrThrow(generator, [SCHEMA, language, "--import", exported], { cwd: checkout });
}

async function build(name: string): Promise<string | undefined> {
  const module = join(MODULES, name);
  const files = (await readdir(module)).filter((file) => /\.(go|mod)$/.test(file)).sort();
  const sources = await Promise.all(files.map((file) => readFile(join(module, file), "utf8")));
  const home = await cachedFolder(name, sources, (folder) => buildGo(name, join(folder, name), "."));
  return home === undefined ? undefined : join(home, name);
}

/** The code of a language in a text in Markdown. */
export function examplesIn(text: string, language: string): string[] {
  return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms")), ([, code = ""]) => code);
}
