/** A text that was rewritten, and where each of its characters stood in the original. */
export interface Rewritten {
  readonly text: string;
  /** Where the character at this place begins in the original. */
  start(at: number): number;
  /** Where the character at this place ends in the original. */
  end(at: number): number;
}

export const unchanged = (text: string): Rewritten => ({ text, start: (at) => at, end: (at) => at + 1 });

/** A replacement: where it stands in the new text, and what it stands for in the old one. */
interface Piece {
  readonly at: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

/** Replaces what a pattern finds; the same object if it finds nothing. */
export function rewrite(old: Rewritten, pattern: RegExp, by: (match: string) => string): Rewritten {
  const pieces: Piece[] = [];
  let shift = 0;
  const text = old.text.replace(pattern, (match, ...more: unknown[]) => {
    // Behind the groups of the pattern.
    const from = Number(more.find((each) => typeof each === "number"));
    const replacement = by(match);
    pieces.push({ at: from + shift, length: replacement.length, from, to: from + match.length });
    shift += replacement.length - match.length;
    return replacement;
  });
  if (pieces.length === 0) return old;
  // What was read together is shown or hidden together.
  const span = (at: number): [first: number, last: number] => {
    const piece = lastBefore(pieces, at);
    if (piece === undefined) return [at, at];
    const behind = at - piece.at - piece.length;
    return behind < 0 ? [piece.from, piece.to - 1] : [piece.to + behind, piece.to + behind];
  };
  return { text, start: (at) => old.start(span(at)[0]), end: (at) => old.end(span(at)[1]) };
}

/** The last piece that begins at this place or before it. */
function lastBefore(pieces: readonly Piece[], at: number): Piece | undefined {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1];
}

const HEX = "[\\da-fA-F]";
/** What well-known encoders write for a character: JSON, Go, Python, PHP, C; addresses and forms; HTML; doubled quotes. */
const ESCAPE = new RegExp(
  [
    `(?:%${HEX}{2})+|(?:\\\\x${HEX}{2})+|(?:\\\\[0-3][0-7]{2})+`,
    `\\\\u\\{${HEX}{1,6}\\}|\\\\u${HEX}{4}|\\\\U${HEX}{8}|\\\\[^]`,
    `&#\\d{1,7};|&#[xX]${HEX}{1,6};|&[a-zA-Z]{2,8};`,
    `\\+|''|""`,
  ].join("|"),
  "g",
);

/** Takes back one layer of escapes of every encoder. The same object if there is none. */
export function unescaped(from: Rewritten): Rewritten {
  return rewrite(from, ESCAPE, (match) => {
    if (match === "+") return " ";
    if (match.startsWith("&")) return entity(match);
    if (/^(?:%|\\x)/.test(match)) return ofBytes(match, new RegExp(`${HEX}{2}`, "g"), 16);
    if (/^\\[0-3][0-7]/.test(match)) return ofBytes(match, /[0-7]{3}/g, 8);
    const [, code] = /^\\[uU]\{?([\da-fA-F]+)/.exec(match) ?? [];
    if (code !== undefined) return character(Number.parseInt(code, 16)) ?? match;
    return CONTROLS[match] ?? match.slice(1);
  });
}

const CONTROLS: Readonly<Record<string, string>> = { "\\n": "\n", "\\r": "\r", "\\t": "\t", "\\b": "\b", "\\f": "\f" };

/** Bytes are UTF-8, or where they are not, each is a character, as in Python's texts. */
function ofBytes(match: string, digits: RegExp, base: number): string {
  const bytes = Buffer.from(Array.from(match.matchAll(digits), ([each]) => Number.parseInt(each, base)));
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? bytes.toString("latin1") : text;
}

const character = (code: number): string | undefined => (code > 0x10_ffff ? undefined : String.fromCodePoint(code));

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  szlig: "ß",
  euro: "€",
  pound: "£",
  sect: "§",
};
/** HTML names a letter with an accent after both: `&ouml;`. */
const ACCENTS: Readonly<Record<string, string>> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  ring: "\u030a",
  cedil: "\u0327",
};

/** The character of an HTML entity; the entity itself if it is not known. */
function entity(match: string): string {
  const name = match.slice(1, -1);
  const [, hex, decimal] = /^#(?:[xX](.+)|(\d+))$/.exec(name) ?? [];
  const code = Number.parseInt(hex ?? decimal ?? "", hex === undefined ? 10 : 16);
  if (!Number.isNaN(code)) return character(code) ?? match;
  const accent = ACCENTS[name.slice(1)];
  if (accent !== undefined) return `${name[0]}${accent}`.normalize("NFC");
  return ENTITIES[name] ?? match;
}
