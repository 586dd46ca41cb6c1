import { printable, printableJson, printableLine } from "../client/text/printable";

/** The usual exit codes. */
export const exitCodes = { done: 0, failed: 1, couldNotRun: 2 } as const;

/** Prints a text for people. Control characters from the service are escaped. */
export function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** Prints a document for programs, as JSON of the same values. */
export function printJson(document: unknown): void {
  process.stdout.write(`${printableJson(document, 2)}\n`);
}

/** Says something about the run, on stderr: one line for people, with what the service wrote escaped. */
export function tell(line: string): void {
  process.stderr.write(`${printableLine(line)}\n`);
}

/** Ignores EPIPE: a reader that leaves early, as `head` does, is not a failure. */
export function toleratesClosing(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
