import { printable } from "../client/text/printable";

/** Of every command. */
export const exitCodes = { done: 0, failed: 1, couldNotRun: 2 } as const;

/** A text for people. What the service put into it can't steer the terminal. */
export function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** A document for programs, every byte as it came. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
}

/** A reader that leaves early, as `head` does, is not a failure: the rest of the output goes nowhere. */
export function toleratesClosing(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
