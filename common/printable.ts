/**
 * Texts of the service may contain control characters, which can clear a terminal, set its title, write to its clipboard or
 * forge lines, and commands for the runner of a pipeline, which can hide lines or forge errors. These functions make them
 * visible instead: an escape character is printed as \x1b.
 */

/** C0, DEL and C1; line separators; and characters that change the text direction. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * The first character of a command that a runner obeys in any output. GitHub takes `::error::` at the beginning of a line,
 * also after blanks, and `##[error]` anywhere; Azure `##vso[…]`, TeamCity `##teamcity[…]`.
 */
const RUNNER_COMMAND = /:(?=:[a-z])(?<=^\s*:)|#(?=#\w*\[)/gim;

/** For a terminal and a pipeline's log. Tabs and newlines stay. */
export function printable(text: string): string {
  const allowed = new Set(["\n", "\t"]);
  return text
    .replaceAll("\r\n", "\n")
    .replace(CONTROL, (character) => (allowed.has(character) ? character : inHex(character)))
    .replace(RUNNER_COMMAND, inHex);
}

/** The same on one line: for names, and where a forged second line could pass for our own output. */
export function printableLine(text: string): string {
  return text.replaceAll("\t", " ").replaceAll("\n", "\\n").replace(CONTROL, inHex).replace(RUNNER_COMMAND, inHex);
}

/** JSON, which is also a literal of TypeScript, of the same value. Escaped where `printable` would change the text. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent)
    .replace(CONTROL, (character) => (character === "\n" ? character : escaped(character)))
    .replace(RUNNER_COMMAND, escaped);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function inHex(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
}
