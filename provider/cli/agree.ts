import { createInterface } from "node:readline/promises";

/** Asks on the terminal. Anything but "y" or "yes" is a no. */
export async function agree(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question}yes or no? `, {
      signal,
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
