import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../../tools/run/environment";

/** README and documents: what users read, by paths from the checkout's root. */
export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...globSync("docs/**/*.md", { cwd: checkout }).sort(),
];

export interface Block {
  readonly page: string;
  /** Of its first line of code. */
  readonly line: number;
  readonly code: string;
}

/** The blocks of code of a page in these languages. */
export function blocksOf(page: string, ...languages: readonly string[]): Block[] {
  const text = textOf(page);
  const fences = new RegExp(`^\`\`\`(?:${languages.join("|")})\\n(.*?)^\`\`\`$`, "gms");
  return Array.from(text.matchAll(fences), ({ index, 1: code = "" }) => ({
    page,
    line: text.slice(0, index).split("\n").length + 1,
    code,
  }));
}

export const textOf = (page: string): string => readFileSync(join(checkout, page), "utf8");
