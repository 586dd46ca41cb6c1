import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

/** The JSON of a file, or of standard input where it is named `-`. */
export async function readJson(file: string): Promise<unknown> {
  const content = file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  try {
    // Editors put a byte order mark before the text.
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new Error(`${file === "-" ? "standard input" : file} is no JSON`, { cause });
  }
}
