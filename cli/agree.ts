import { createInterface } from "node:readline/promises";

/** Where nobody can be asked, agreement has to be given beforehand. @throws Error */
export function mustBeAskable(what: string): void {
  if (process.stdin.isTTY) return;
  throw new Error(`${what} asks for confirmation, and there is no terminal. Add --yes to go on without it.`);
}

/** Asks on the terminal. Anything but "y" or "yes" is a no. */
export async function agree(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question}yes or no? `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
