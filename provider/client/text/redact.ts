import { inspect } from "node:util";
import { parseJson } from "../values/json";

/** Replaces a secret in messages and recordings. */
export const MASK = "[secret]";
/** Shorter values ("1", "yes") are not redacted: they occur in ordinary words, so it would garble messages and hide nothing. */
const SHORTEST_SECRET = 4;
/** Shorter single lines of a multi-line secret are not redacted either. */
const SHORTEST_LINE = 8;
const SHORTEST_BASE64 = 6;
const secretProperties = new Set(["password", "username", "accessId", "accessSecret", "webhook"]);

/** A value that printing, inspecting and serializing do not reveal. */
export class Redacted {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}

/**
 * Removes the secrets from a text before it is shown: as they are, escaped for JSON or a URL, in base64, and line by
 * line. The longest go first, because a shorter secret inside a longer one would leave parts of it.
 *
 * Not removed: values shorter than 4 characters, other encodings such as hex, hashes, and partial quotes.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const all = secrets.flatMap((secret) => [secret, ...textsOfJson(secret)]);
  const forms = new Set(all.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(formsOf));
  return [...forms].sort((a, b) => b.length - a.length).reduce((shown, form) => shown.replaceAll(form, MASK), text);
}

/** The strings and numbers in a secret that is JSON, such as a job's input: an answer may quote a single one. */
function textsOfJson(secret: string): string[] {
  return /^\s*[[{]/.test(secret) ? leaves(parseJson(secret)) : [];
}

function leaves(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** The forms in which a service may quote a secret. */
function formsOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]/).map((line) => line.trim());
  const plain = new Set([secret, ...lines.filter((line) => line.length >= SHORTEST_LINE)]);
  return [...plain].flatMap((each) => {
    const escaped = jsonEscaped(each);
    return [each, escaped, jsonEscaped(escaped), urlEscaped(each), ...base64Forms(each)];
  });
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Unchanged if it can't be encoded, because of a lone surrogate. */
function urlEscaped(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The base64 of a text depends on the number of bytes before it, as for the password in a Basic header's `user:password`.
 * There are three alignments. Of each we remove the characters that do not depend on the neighbors. The first and the last
 * character of the secret may therefore stay partly visible. A text encoded alone is removed with its padding.
 */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  const alone = bytes.toString("base64");
  const within = [0, 1, 2].map((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return shifted.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const forms = [alone, alone.replace(/=+$/, ""), ...within].filter((form) => form.length >= SHORTEST_BASE64);
  return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}

/**
 * Credentials and environment values in a request body, which the service may quote in an error. Searching a job's input is
 * slow, so callers do it only after a failure.
 */
export function secretsIn(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    if (name === "env") return environmentValues(value);
    if (secretProperties.has(name)) return typeof value === "string" ? [value] : [];
    return secretsIn(value);
  });
}

/** `env` is a map in REST and a list of `{key, value}` in GraphQL. */
function environmentValues(env: unknown): string[] {
  if (typeof env !== "object" || env === null) return [];
  const values: unknown[] = Array.isArray(env)
    ? env.map((entry: { value?: unknown }) => entry.value)
    : Object.values(env);
  return values.filter((value) => typeof value === "string");
}
