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

/**
 * The JSON of a file, or of standard input for `-`.
 *
 * @param pipe what to give on standard input, for the message on a terminal, where nobody types JSON
 */
export async function readJson(file: string, pipe = "a JSON document"): Promise<unknown> {
  if (file === "-" && process.stdin.isTTY)
    throw new Error(`There is nothing on standard input. Name a file, or pipe ${pipe} into this command.`);
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
