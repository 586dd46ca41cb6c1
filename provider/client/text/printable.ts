/**
 * Texts of the service may hold control characters, by which it could clear a terminal, set its title, write to its
 * clipboard or forge lines. Here they are shown instead: an escape character reads as \x1b.
 */

/** C0, DEL and C1; line separators; and what turns the direction of writing. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text for a terminal, tabs and newlines kept. */
export function printable(text: string): string {
  const kept = new Set(["\n", "\t"]);
  return text
    .replaceAll("\r\n", "\n")
    .replace(CONTROL, (character) => (kept.has(character) ? character : shown(character)));
}

/** The same on one line: for names, and wherever a second line would read as one of ours. */
export function printableLine(text: string): string {
  return text.replaceAll("\t", " ").replaceAll("\n", "\\n").replace(CONTROL, shown);
}

function shown(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
}
