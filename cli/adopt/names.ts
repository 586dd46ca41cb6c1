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
    return this.#take(this.#taken.has(safe) && !safe.endsWith(kind) ? safe + kind : safe);
  }

  logical(name: string, kind: string): string {
    return this.#take(wordsOf(name).join("-").toLowerCase() || uncapital(kind), "-");
  }

  /** A name for a column of a table, which hides no constant. @param others the columns before it */
  column(name: string | undefined, others: ReadonlySet<string>): string {
    const [first = ""] = /^[A-Za-z_]\w*$/.exec(name ?? "") ?? ["column"];
    return numbered(first, "", (each) => RESERVED.has(each) || this.#taken.has(each) || others.has(each));
  }

  #take(wanted: string, hyphen = ""): string {
    const name = numbered(wanted, hyphen, (each) => this.#taken.has(each));
    this.#taken.add(name);
    return name;
  }
}

/** The name, with a number where it is taken. */
export function numbered(name: string, hyphen: string, isTaken: (candidate: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}${hyphen}${number}`;
    if (!isTaken(candidate)) return candidate;
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
