import { inspect } from "node:util";
import { parseJson } from "../values/json";

/** Stands for a secret, in messages as in what is recorded. */
export const MASK = "[secret]";
/** Shorter values ("1", "yes") occur in ordinary words; removing them would garble messages and hide nothing. */
const SHORTEST_SECRET = 4;
/** A line of a secret of several lines, by itself. */
const SHORTEST_LINE = 8;
const SHORTEST_BASE64 = 6;
const secretProperties = new Set(["password", "username", "accessId", "accessSecret", "webhook"]);

/** A value that no print, inspection or serialisation shows. */
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
 * Removes every occurrence of the secrets from a text that will be shown: as they are, escaped as JSON or for an
 * address, in base64, and line by line. Longest first, so that none is cut in two.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const all = secrets.flatMap((secret) => [secret, ...textsOfJson(secret)]);
  const forms = new Set(all.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(formsOf));
  return [...forms].sort((a, b) => b.length - a.length).reduce((shown, form) => shown.replaceAll(form, MASK), text);
}

/** The texts and numbers of a secret that is a JSON document, such as a job's input: they may be quoted one by one. */
function textsOfJson(secret: string): string[] {
  return /^\s*[[{]/.test(secret) ? leaves(parseJson(secret)) : [];
}

function leaves(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** How a service may quote a secret. */
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

/** As it is where it has no such form: with half of a surrogate pair. */
function urlEscaped(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * In base64 a text looks different by what stands before it (`user:password` in a Basic header): there are three ways,
 * and of each what does not depend on the neighbours is removed. By itself it is removed with its padding.
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
 * Credentials and environment values in a request body: what the service might quote back in an error. To look through
 * a job's input takes time: only for a call that failed.
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
