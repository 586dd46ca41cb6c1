/** Joins an argv to the single string that v2 takes. A POSIX shell splits it into the same words again. */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map(quoteWord).join(" ");
}

const PLAIN = /^[\w@%+=:,./-]+$/;

function quoteWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
