import type { Kind } from "./patterns";

/** Shorter texts ("1", "yes") occur in ordinary words: they are replaced only where they stand alone. */
const SHORTEST = 6;
/** The same for texts of which nothing is known: they may be words, or JSON of words. */
const SHORTEST_TEXT = 16;
/** From here on a text's length may be what a call is about, such as a body that is too large. */
const LENGTH_COUNTS = 64;

/** One placeholder a text: the same text has the same throughout. */
export class Placeholders {
  readonly #byText = new Map<string, string>();
  /** Those that are looked for within others. */
  readonly #searched = new Set<string>();
  readonly #counts = new Map<Kind, number>();
  #longest: readonly string[] | undefined;

  get(text: string): string | undefined {
    return this.#byText.get(text);
  }

  /** All texts that have one and occur nowhere by chance. */
  searched(): readonly string[] {
    return [...this.#searched];
  }

  of(text: string, kind: Kind): string {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const placeholder = `<${kind}-${count}${text.length > LENGTH_COUNTS ? `:${text.length}` : ""}>`;
    this.#byText.set(text, placeholder);
    const isSearched = kind === "text" ? text.length >= SHORTEST_TEXT && !/^[[{]/.test(text) : text.length >= SHORTEST;
    if (isSearched) {
      this.#searched.add(text);
      this.#longest = undefined;
    }
    return placeholder;
  }

  /** Puts placeholders in place of all that occurs in a text. */
  within(text: string): string {
    // Longest first, so that none is cut in two.
    this.#longest ??= this.searched().toSorted((a, b) => b.length - a.length);
    const marked = this.#longest.reduce((shown, each, index) => shown.replaceAll(each, mark(index)), text);
    return marked.replaceAll(MARK, (_, index) => this.#byText.get(this.#longest?.[Number(index)] ?? "") ?? "");
  }
}

/** Stands for a placeholder while others are looked for: they may be words of it. Of characters that no service sends. */
const mark = (index: number): string => `\u{e000}${index}\u{e001}`;
const MARK = /\u{e000}(\d+)\u{e001}/gu;
