import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "../checkout";
import { neededEnv } from "../engine/environment";
import { attempt, kept } from "../kept";

/** The languages that have a generator, and the Go module that holds it. */
const GENERATORS = { python: "sdks", nodejs: "sdks", go: "sdks", dotnet: "sdks-dotnet" } as const;

export type Language = keyof typeof GENERATORS;
export const languages = Object.keys(GENERATORS) as Language[];

/**
 * Writes the SDK of a language into a folder, which it replaces.
 *
 * @returns what went wrong
 */
export async function writeSdk(language: Language, folder: string): Promise<string | undefined> {
  const name = GENERATORS[language];
  const module = join(checkout, "tests/harness/engine/go", name);
  const sources = await Promise.all(["main.go", "go.mod"].map((file) => readFile(join(module, file), "utf8")));
  const home = await kept(name, sources, (made) => {
    const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w"];
    const env = { ...neededEnv(process.env), CGO_ENABLED: "0" };
    return attempt("go", ["build", ...flags, "-o", join(made, name), "."], module, env);
  });
  if (home === undefined) return `the generator for ${language} could not be built`;
  await rm(folder, { recursive: true, force: true });
  return attempt(join(home, name), [join(checkout, "schema.json"), language, folder], checkout);
}
