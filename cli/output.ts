import { printable, printableJson, printableLine } from "../common/printable";

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

/**
 * Ends the program when its output can't be written, as on a full disk, with the exit code for that: another one would say
 * that it has done its work. A reader that leaves early, as `head` does, is not a failure.
 */
export function watchOutput(couldNotRun: number): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "EPIPE") return;
      if (stream === process.stdout) tell(`The output can't be written (${code}). Check the disk that it goes to.`);
      process.exit(couldNotRun);
    });
  }
}
