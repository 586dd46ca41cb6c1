/**
 * Texts of the service may contain control characters, which can clear a terminal, set its title, write to its clipboard or
 * forge lines. These functions make them visible instead: an escape character is printed as \x1b.
 */

/** C0, DEL and C1; line separators; and characters that change the text direction. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** For a terminal. Tabs and newlines stay. */
export function printable(text: string): string {
  const kept = new Set(["\n", "\t"]);
  return text
    .replaceAll("\r\n", "\n")
    .replace(CONTROL, (character) => (kept.has(character) ? character : shown(character)));
}

/** The same on one line: for names, and where a forged second line could pass for our own output. */
export function printableLine(text: string): string {
  return text.replaceAll("\t", " ").replaceAll("\n", "\\n").replace(CONTROL, shown);
}

function shown(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
}
