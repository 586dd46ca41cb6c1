import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

/** The text of a file that the user named. @throws Error that names the file and what to check */
export async function readNamed(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const wayOut =
      code === "ENOENT"
        ? "Check the path, which starts at the current folder"
        : "Check that it is a file that you may read";
    throw new Error(`${file} can't be read (${code}). ${wayOut}.`, { cause });
  }
}

/** The JSON of a file, or of standard input for `-`. */
export async function readJson(file: string): Promise<unknown> {
  const content = file === "-" ? await text(process.stdin) : await readNamed(file);
  try {
    // Some editors write a byte order mark.
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new Error(
      `${file === "-" ? "standard input" : file} is not JSON. Check that it is the right file, and complete.`,
      { cause },
    );
  }
}
