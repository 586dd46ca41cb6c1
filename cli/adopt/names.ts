/** Words that can't name a constant of a module, and names that the program imports or gives to columns. */
const RESERVED = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield config pulumi require " +
    "module exports process console globalThis Infinity NaN name adoptId"
  ).split(" "),
);

const MAX_LENGTH = 40;

export class Names {
  readonly #taken = new Set<string>();

  /** @param name the resource's name at the service: any text */
  variable(name: string, kind: string): string {
    const [first = "", ...rest] = wordsOf(name);
    const spelt = first.toLowerCase() + rest.map((word) => capital(word.toLowerCase())).join("");
    const plain = /^[a-z]/.test(spelt) ? spelt : uncapital(kind) + capital(spelt);
    const safe = RESERVED.has(plain) ? plain + kind : plain;
    if (!this.#taken.has(safe)) return this.#take(safe);
    return this.#numbered(safe.endsWith(kind) ? safe : safe + kind, "");
  }

  logical(name: string, kind: string): string {
    return this.#numbered(wordsOf(name).join("-").toLowerCase() || uncapital(kind), "-");
  }

  /** A name for a column of a table, which hides no constant. @param others the columns before it */
  column(name: string | undefined, others: ReadonlySet<string>): string {
    const isFree = (each: string) => !RESERVED.has(each) && !this.#taken.has(each) && !others.has(each);
    const [first = ""] = /^[A-Za-z_]\w*$/.exec(name ?? "") ?? ["column"];
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? first : `${first}${number}`;
      if (isFree(candidate)) return candidate;
    }
  }

  #numbered(name: string, hyphen: string): string {
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name}${hyphen}${number}`;
      if (!this.#taken.has(candidate)) return this.#take(candidate);
    }
  }

  #take(name: string): string {
    this.#taken.add(name);
    return name;
  }
}

/** The words of a name, without the hash at the end of generated names. */
function wordsOf(name: string): readonly string[] {
  const plain = name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  const words = plain.replace(/-[0-9a-f]{7,8}$/, "").match(/[A-Za-z0-9]+/g) ?? [];
  const short: string[] = [];
  for (const word of words) {
    if (short.join("-").length + word.length >= MAX_LENGTH)
      return short.length > 0 ? short : [word.slice(0, MAX_LENGTH)];
    short.push(word);
  }
  return short;
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
const uncapital = (word: string) => word.slice(0, 1).toLowerCase() + word.slice(1);
