/** A field of v1 that v2 has no equivalent for, or that has another meaning there. */
export interface Warning {
  /** The field of v1, as a dotted path. */
  readonly field: string;
  readonly message: string;
}

export type Body = Readonly<Record<string, unknown>>;

export function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value means "not set": v1 answers null, and its clients send empty strings. */
const isEmpty = (value: unknown) => value === undefined || value === null || value === "";

const TEXTS = "a list of texts";
const textsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;

/**
 * The fields of a v1 body. It tracks which fields were read, so that `finish` can warn about the others: they were not
 * converted.
 */
export class Fields {
  readonly warnings: Warning[] = [];
  readonly #read = new Set<string>();

  /** @param isUpdate whether the body is an update's: then no defaults are added */
  constructor(
    private readonly body: Body,
    readonly isUpdate: boolean,
    private readonly prefix = "",
  ) {}

  warn(field: string, message: string): void {
    this.warnings.push({ field: this.prefix + field, message });
  }

  /** Whether the body has the field, even with null or an empty string. */
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
    const parts = (value: unknown) => (typeof value === "string" ? value.split(",").map((part) => part.trim()) : value);
    return this.#first(names, TEXTS, (value) => textsOf(parts(value)));
  }

  objects(name: string): Body[] | undefined {
    return this.#first([name], "a list of objects", (value) =>
      Array.isArray(value) && value.every(isBody) ? value : undefined,
    );
  }

  /** A command line: a string, or an argv. */
  command(...names: readonly string[]): string | readonly string[] | undefined {
    return this.#first(names, TEXTS, (value) => (typeof value === "string" ? value : textsOf(value)));
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

  /** Marks fields as read without a warning: the service sets them, or they change nothing in v2. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /** Warns if a field is set that v2 can't express. */
  lost(name: string, message: string): void {
    this.#read.add(name);
    const value = this.body[name];
    const says = !isEmpty(value) && value !== false && value !== 0 && !(Array.isArray(value) && value.length === 0);
    if (says) this.warn(name, message);
  }

  /** All warnings, including one for each unread field. */
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

/** An object without its undefined members. */
export function stated(object: Body): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
