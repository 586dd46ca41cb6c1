/** Something of v1 that v2 has no equal for, or that means something else there. */
export interface Warning {
  /** The field of v1, dotted where it is inside another. */
  readonly field: string;
  readonly message: string;
}

/** A JSON object. */
export type Body = Readonly<Record<string, unknown>>;

export function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands for nothing: v1 answers null, and clients of it send empty texts. */
const isEmpty = (value: unknown) => value === undefined || value === null || value === "";

/**
 * The fields of a v1 body. It keeps account of which have been read: at the end, those that nobody asked for are the
 * ones that got lost.
 */
export class Fields {
  readonly warnings: Warning[] = [];
  readonly #read = new Set<string>();

  constructor(
    private readonly body: Body,
    private readonly prefix = "",
  ) {}

  warn(field: string, message: string): void {
    this.warnings.push({ field: this.prefix + field, message });
  }

  /** Whether the body says anything of a field, be it null or an empty text. */
  mentions(name: string): boolean {
    return this.body[name] !== undefined;
  }

  text(...names: readonly string[]): string | undefined {
    return this.#first(names, "a text", (value) => (typeof value === "string" ? value : undefined));
  }

  integer(name: string): number | undefined {
    return this.#first([name], "a whole number", (value) => (Number.isSafeInteger(value) ? Number(value) : undefined));
  }

  flag(name: string): boolean | undefined {
    return this.#first([name], "true or false", (value) => (typeof value === "boolean" ? value : undefined));
  }

  /** A list of texts, or one text with commas, as the oldest clients sent lists. */
  list(...names: readonly string[]): string[] | undefined {
    return this.#first(names, "a list of texts", (value) => {
      if (typeof value === "string") return value.split(",").map((part) => part.trim());
      return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
    });
  }

  /** A command line: an argv becomes one text. */
  command(...names: readonly string[]): string | readonly string[] | undefined {
    return this.#first(names, "a list of texts", (value) => {
      if (typeof value === "string") return value;
      return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
    });
  }

  /** Environment variables: an object, or a list of `{key, value}`. */
  variables(name: string): Record<string, string> | undefined {
    return this.#first([name], "an object of texts", (value) => {
      const entries = Array.isArray(value)
        ? value.map((each) => (isBody(each) ? [each.key, each.value] : []))
        : isBody(value)
          ? Object.entries(value)
          : [[]];
      const texts = entries.filter(
        (entry): entry is [string, string] => entry.every((part) => typeof part === "string") && entry.length === 2,
      );
      return texts.length === entries.length ? Object.fromEntries(texts) : undefined;
    });
  }

  object(name: string): Body | undefined {
    return this.#first([name], "an object", (value) => (isBody(value) ? value : undefined));
  }

  /** Fields that need no words: the service made them, or they say what is so anyway. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /** Warns where a field says something that v2 can't. */
  lost(name: string, message: string): void {
    this.#read.add(name);
    const value = this.body[name];
    const says = !isEmpty(value) && value !== false && value !== 0 && !(Array.isArray(value) && value.length === 0);
    if (says) this.warn(name, message);
  }

  /** The warnings, with one for each field that nobody has read. */
  finish(): readonly Warning[] {
    for (const [name, value] of Object.entries(this.body))
      if (!this.#read.has(name) && !isEmpty(value))
        this.warn(name, "is not a field of v1 that is known here: it is left out");
    return this.warnings;
  }

  #first<T>(names: readonly string[], expected: string, convert: (value: unknown) => T | undefined): T | undefined {
    for (const name of names) this.#read.add(name);
    const name = names.find((each) => !isEmpty(this.body[each]));
    if (name === undefined) return undefined;
    const value = convert(this.body[name]);
    if (value === undefined) this.warn(name, `is not ${expected}: it is left out`);
    return value;
  }
}

/** An object without what is undefined. */
export function stated(object: Body): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
