import type { TextKind } from "./patterns";

/** Shorter texts ("1", "yes") occur in ordinary words, so they are replaced only as whole values. */
const SHORTEST = 6;
/** The same for texts of unknown meaning, which may be words, or JSON with words. */
const SHORTEST_TEXT = 16;
/** From this length on, the length may matter for the call, as for a body that is too large. */
const LENGTH_COUNTS = 64;

/** Assigns placeholders to texts. The same text always gets the same placeholder. */
export class Placeholders {
  readonly #byText = new Map<string, string>();
  /** Texts that are also searched for inside other texts. */
  readonly #searched = new Set<string>();
  readonly #counts = new Map<TextKind, number>();
  #longest: readonly string[] | undefined;

  get(text: string): string | undefined {
    return this.#byText.get(text);
  }

  /** All texts with a placeholder that are long enough not to occur by chance. */
  searched(): readonly string[] {
    return [...this.#searched];
  }

  of(text: string, kind: TextKind): string {
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

  /** Replaces all known texts in a text. */
  within(text: string): string {
    // The longest go first, because a shorter one inside a longer one would leave parts of it.
    this.#longest ??= this.searched().toSorted((a, b) => b.length - a.length);
    const marked = this.#longest.reduce((shown, each, index) => shown.replaceAll(each, mark(index)), text);
    return marked.replaceAll(MARK, (_, index) => this.#byText.get(this.#longest?.[Number(index)] ?? "") ?? "");
  }
}

/** A temporary mark, so that no later replacement matches inside a placeholder. Private-use characters: no service sends them. */
const mark = (index: number): string => `\u{e000}${index}\u{e001}`;
const MARK = /\u{e000}(\d+)\u{e001}/gu;
