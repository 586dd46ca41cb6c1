import { inspect } from "node:util";
import { type Rewritten, rewrite, unchanged, unescaped } from "./escapes";
import { parseJson } from "./json";

/** Replaces a secret in messages. */
export const MASK = "[secret]";
/** Shorter values ("1", "yes") are not redacted: they occur in ordinary words, so it would garble messages and hide nothing. */
const SHORTEST_SECRET = 4;
/** Shorter single lines of a multi-line secret are not redacted either. */
const SHORTEST_LINE = 8;
const SHORTEST_BASE64 = 6;
/** So much of a secret's beginning is removed at the end of a text, which may be cut there. */
const SHORTEST_BEGINNING = 12;
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
    // mutant key-inspected: this.#value
    return MASK;
  }
}

/**
 * Removes the secrets from a text before it is shown: as they are, line by line, in base64, and as any well-known encoder
 * writes them (`escapes.ts`), up to four times over. Instead of enumerating what encoders write, the text is read as they
 * do, and what is found is removed at its place in the original.
 *
 * Not removed: values shorter than 4 characters, other encodings such as hex, hashes, and partial quotes, but for a secret's
 * beginning at the end of the text.
 *
 * @param shortest shorter secrets stay
 */
export function redact(text: string, secrets: readonly string[], shortest = SHORTEST_SECRET): string {
  const all = secrets.flatMap((secret) => [secret, ...textsOfJson(secret)]);
  const plain = new Set(all.filter((secret) => secret.length >= shortest).flatMap(linesOf));
  if (plain.size === 0) return text;
  const needles = new Set([...plain].flatMap((each) => layersOf(each).map((layer) => layer.text)));
  const encoded = new Set([...plain].flatMap(base64Forms));
  const places = layersOf(text).flatMap((layer) => [
    ...placesOf(layer, needles, shortest),
    ...cutPlaces(layer, needles),
    ...placesOf(rewrite(layer, NOT_BASE64, inBase64), encoded, SHORTEST_BASE64, "="),
  ]);
  // mutant no-redaction: text
  return masked(text, places);
}

/** A place in a text, from a character to before another. */
type Place = readonly [from: number, to: number];

/** @param tail characters that belong to what stands before them */
function placesOf(layer: Rewritten, needles: Iterable<string>, shortest: number, tail?: string): Place[] {
  const places: Place[] = [];
  for (const needle of needles) {
    if (needle.length < shortest) continue;
    for (let at = layer.text.indexOf(needle); at >= 0; at = layer.text.indexOf(needle, at + 1)) {
      let last = at + needle.length - 1;
      while (tail !== undefined && layer.text[last + 1] === tail) last++;
      places.push([layer.start(at), layer.end(last)]);
    }
  }
  return places;
}

function cutPlaces(layer: Rewritten, needles: Iterable<string>): Place[] {
  const text = layer.text.replace(/…$/, "");
  const places: Place[] = [];
  for (const needle of needles) {
    const beginning = needle.slice(0, SHORTEST_BEGINNING);
    if (beginning.length < SHORTEST_BEGINNING) continue;
    let at = text.indexOf(beginning, text.length - needle.length);
    while (at >= 0 && !needle.startsWith(text.slice(at))) at = text.indexOf(beginning, at + 1);
    if (at >= 0) places.push([layer.start(at), layer.end(text.length - 1)]);
  }
  return places;
}

function masked(text: string, places: readonly Place[]): string {
  let result = "";
  let done = 0;
  for (const [from, to] of [...places].sort(([a], [b]) => a - b)) {
    if (from >= done) result += text.slice(done, from) + MASK;
    done = Math.max(done, to);
  }
  return result + text.slice(done);
}

const MOST_LAYERS = 5;

/** A text as it is, and as it reads after each layer of escapes that it has. */
function layersOf(text: string): Rewritten[] {
  const layers = [unchanged(text)];
  for (let [last] = layers; last !== undefined && layers.length < MOST_LAYERS; ) {
    const next = unescaped(last);
    if (next === last || next.text === last.text) break;
    layers.push(next);
    last = next;
  }
  return layers;
}

/** A secret, and its lines: a service may quote a single one. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]/).map((line) => line.trim());
  return [secret, ...lines.filter((line) => line.length >= SHORTEST_LINE)];
}

/** The strings and numbers in a secret that is JSON, such as a job's input: an answer may quote a single one. */
const textsOfJson = (secret: string): string[] => (/^\s*[[{]/.test(secret) ? leaves(parseJson(secret)) : []);

function leaves(json: unknown): string[] {
  return [...membersOf(json)].flatMap(([, value]) =>
    typeof value === "string" || typeof value === "number" ? [String(value)] : [],
  );
}

/** All that a value holds, at any depth: a recursion would end at the stack's. @param closed a property that isn't opened */
function* membersOf(root: unknown, closed?: string): Generator<readonly [name: string, value: unknown]> {
  const pending: (readonly [string, unknown])[] = [["", root]];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    yield entry;
    const [name, value] = entry;
    if (typeof value !== "object" || value === null || name === closed) continue;
    for (const member of Object.entries(value).reverse()) pending.push(member);
  }
}

/** Line breaks, the letters that addresses have in place of two, and the blanks that forms make of one. */
const NOT_BASE64 = /[\r\n]\s*|[-_ ]/g;

function inBase64(match: string): string {
  if (/[\r\n]/.test(match)) return "";
  return match === "_" ? "/" : "+";
}

/**
 * The base64 of a text depends on the number of bytes before it, as for the password in a Basic header's `user:password`.
 * There are three alignments. Of each we remove the characters that do not depend on the neighbors. The first and the last
 * character of the secret may therefore stay partly visible. A text encoded alone is removed with its padding.
 */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  const within = [0, 1, 2].map((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return shifted.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [bytes.toString("base64").replace(/=+$/, ""), ...within];
}

/**
 * Credentials and environment values in a request body, which the service may quote in an error. Searching a job's input is
 * slow, so callers do it only after a failure.
 *
 * @param path of the call: the `value` of a secret is one, that of a tag is not
 */
export function secretsIn(body: unknown, path = ""): string[] {
  const isOfSecrets = /\/secrets(\/|$)/.test(path);
  return [...membersOf(body, "env")].flatMap(([name, value]) => {
    // mutant environment-quoted: false
    if (name === "env") return environmentValues(value);
    // mutant credentials-quoted: false
    const isSecret = secretProperties.has(name) || (isOfSecrets && name === "value");
    return isSecret && typeof value === "string" ? [value] : [];
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
