import { z } from "../../../common/zod";

/** A field of v1 that v2 has no equivalent for, or that has another meaning there. */
export interface Warning {
  /** The field of v1, as a dotted path. */
  readonly field: string;
  readonly message: string;
}

export type Body = Readonly<Record<string, unknown>>;

/** Whether a value means "not set": v1 answers null, and its clients send empty strings. */
const isEmpty = (value: unknown) => value === undefined || value === null || value === "";

const text = z.string();
const texts = z.array(text);
/** The oldest clients sent lists as one text with commas. */
const list = z.union([texts, text.transform((all) => all.split(",").map((part) => part.trim()))]);
const object = z.record(text, z.unknown());
const variables = z.union([
  z.record(text, text),
  z
    .array(z.object({ key: text, value: text }))
    .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value]))),
]);

/**
 * The fields of a v1 body. It tracks which fields were read, so that `finish` can warn about the others: they were not
 * converted.
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

  /** Whether the body has the field, even with null or an empty string. */
  mentions(name: string): boolean {
    return this.body[name] !== undefined;
  }

  text(...names: readonly string[]): string | undefined {
    return this.#first(names, "a text", text);
  }

  integer(name: string): number | undefined {
    return this.#first([name], "a whole number", z.int());
  }

  flag(name: string): boolean | undefined {
    return this.#first([name], "true or false", z.boolean());
  }

  list(...names: readonly string[]): string[] | undefined {
    return this.#first(names, "a list of texts", list);
  }

  objects(name: string): Body[] | undefined {
    return this.#first([name], "a list of objects", z.array(object));
  }

  /** A command line: a string, or an argv. */
  command(...names: readonly string[]): string | readonly string[] | undefined {
    return this.#first(names, "a list of texts", z.union([text, texts]));
  }

  /** Environment variables: an object, or a list of `{key, value}`. */
  variables(name: string): Record<string, string> | undefined {
    return this.#first([name], "an object of texts", variables);
  }

  object(name: string): Body | undefined {
    return this.#first([name], "an object", object);
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

  #first<T>(names: readonly string[], expected: string, form: z.ZodType<T>): T | undefined {
    for (const name of names) this.#read.add(name);
    const name = names.find((each) => !isEmpty(this.body[each]));
    if (name === undefined) return undefined;
    const { data, success } = form.safeParse(this.body[name]);
    if (!success) this.warn(name, `is not ${expected}: it is left out`);
    return data;
  }
}

/** An object without its undefined members. */
export function stated(object: Body): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
