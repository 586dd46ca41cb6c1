import { inspect } from "node:util";
import { type Rewritten, rewrite, unchanged, unescaped } from "./escapes";
import { isRecord, jsonOf, parseJson } from "./json";
import { looksSecret } from "./looksSecret";

/*
 * The one home of "no secret leaves". What the process knows as a secret is told here (`hide`, `hideDuring`); each door out
 * of the process calls `redact` or `redactIn`, once, on what it is about to show or keep.
 */

/** Replaces a secret in messages. */
export const MASK = "[secret]";
/** Shorter values ("1", "yes") are not redacted: they occur in ordinary words, so it would garble messages and hide nothing. */
const SHORTEST_SECRET = 4;
/** Shorter single lines of a multi-line secret are not redacted either. */
const SHORTEST_LINE = 8;
const SHORTEST_BASE64 = 6;
const SHORTEST_KEY = 8;
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

type Collect = () => readonly string[];

/** What the process knows as a secret. */
const hidden = {
  /** The accounts'. */
  keys: new Set<string>(),
  texts: new Set<string>(),
  sources: new Set<{ readonly collect: Collect }>(),
  /** Removes the keys. */
  withoutKeys: undefined as Redactor | undefined,
};

/** Hides an account's key from now on, in all that leaves the process and all that is kept. */
export function hideKey(key: string): void {
  // A mocked client's is a word.
  if (key.length < SHORTEST_KEY || hidden.keys.has(key)) return;
  hidden.keys.add(key);
  hidden.withoutKeys = undefined;
}

/** Hides these texts from now on in all that leaves the process. */
export function hide(...secrets: readonly string[]): void {
  for (const secret of secrets) hidden.texts.add(secret);
}

/**
 * Hides the texts of a piece of work until it is over.
 *
 * @param collect is called when there is something to redact: few calls and operations have a message
 * @returns what ends it
 */
export function hideDuring(collect: Collect): () => void {
  const source = { collect };
  hidden.sources.add(source);
  return () => void hidden.sources.delete(source);
}

/**
 * Removes all secrets from a text that leaves the process: as they are, line by line, in base64, letter by letter in a
 * stream of events, and as any well-known encoder writes them (`escapes.ts`), up to four times over. Instead of enumerating
 * what encoders write, the text is read as they do, and what is found is removed at its place in the original.
 *
 * Not removed: values shorter than 4 characters, other encodings such as hex, hashes, and partial quotes, but for a secret's
 * beginning at the end of the text.
 *
 * @param more secrets of this text alone
 */
export function redact(text: string, more: readonly string[] = []): string {
  return text.length < SHORTEST_SECRET ? text : new Redactor([...everything(), ...more]).redact(text);
}

/** The beginning of a long text, such as an answer in an error. Cut first, a secret could be left in part. */
export const excerpt = (text: string, length: number): string => redact(text).slice(0, length);

/** What removes all that is secret now from several values: it is collected once for them. */
export function redactor(): <T>(value: T) => T {
  const all = new Redactor(everything());
  return (value) => mapTexts(value, all);
}

/** The same value without secrets in its texts and the names of its members, at any depth. */
export const redactIn = <T>(value: T): T => redactor()(value);

/**
 * An answer of a server as it may be kept, such as in a state: without the accounts' keys and a request's credentials, which
 * a server may echo. Other secrets may be what the answer is for, and the state encrypts those.
 */
export function redactKept<T>(value: T, credentials: readonly string[]): T {
  hidden.withoutKeys ??= new Redactor([...hidden.keys]);
  const all = credentials.length === 0 ? hidden.withoutKeys : new Redactor([...hidden.keys, ...credentials]);
  return mapTexts(value, all);
}

function mapTexts<T>(value: T, all: Redactor): T {
  // At once: nearly all that is kept holds none.
  if (!all.mayFind(jsonOf(value) ?? "")) return value;
  const isSafe = (part: unknown) => typeof part !== "string" || all.redact(part) === part;
  if ([...membersOf(value)].every(([name, member]) => isSafe(name) && isSafe(member))) return value;
  const inside = (part: unknown): unknown => {
    if (typeof part === "string") return all.redact(part);
    if (Array.isArray(part)) return part.map(inside);
    // A date or an error stays what it is.
    if (!isRecord(part) || !isPlain(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [all.redact(name), inside(member)]));
  };
  try {
    return inside(value) as T;
  } catch (error) {
    // Nested deeper than the stack.
    if (error instanceof RangeError) return MASK as T;
    throw error;
  }
}

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value));

const everything = (): string[] => [
  ...hidden.keys,
  ...hidden.texts,
  ...[...hidden.sources].flatMap(({ collect }) => collect()),
];

/** A secret that no encoder writes otherwise than as it is, but for those that escape every letter, or in base64. */
const ORDINARY = /^[\w.-]+$/;
/** A text without one of these is as it reads: nothing is escaped, broken over lines, or an event. */
const ENCODED = /[\\%&\r\n]|data:/;

class Redactor {
  readonly #needles: ReadonlySet<string>;
  readonly #encoded: ReadonlySet<string>;
  /** Whatever undoes an encoding makes a text shorter, so a text shorter than this holds no secret. */
  readonly #shortest: number = SHORTEST_BEGINNING;
  /** The beginnings of all, in base64's letters. Undefined if others may write a secret otherwise. */
  readonly #beginnings: RegExp | undefined;

  constructor(secrets: readonly string[]) {
    const plain = new Set(
      secrets
        .flatMap((secret) => [secret, ...textsOfJson(secret), ...partsOfAddress(secret)])
        .filter(isLong)
        .flatMap(linesOf),
    );
    this.#needles = new Set([...plain].flatMap((each) => layersOf(each).map((layer) => layer.text)));
    this.#encoded = new Set([...plain].flatMap(base64Forms));
    const all = [...this.#needles, ...this.#encoded].filter(isLong);
    for (const { length } of all) this.#shortest = Math.min(length, this.#shortest);
    const beginnings = all.map((each) => inBase64Letters(each.slice(0, SHORTEST_BEGINNING)).replace(/[+/.]/g, "\\$&"));
    if ([...plain].every((each) => ORDINARY.test(each))) this.#beginnings = new RegExp(beginnings.join("|") || "[]");
  }

  /** Whether a text may hold a secret: quickly, and rather true than false. */
  mayFind(text: string): boolean {
    if (this.#beginnings === undefined) return true;
    return this.#needles.size > 0 && (ENCODED.test(text) || this.#beginnings.test(inBase64Letters(text)));
  }

  redact(text: string): string {
    if (text.length < this.#shortest || !this.mayFind(text)) return text;
    const places = layersOf(text)
      .flatMap((layer) => [layer, ...joinedEvents(layer)])
      .flatMap((layer) => [
        ...placesOf(layer, this.#needles, SHORTEST_SECRET),
        ...cutPlaces(layer, this.#needles),
        ...base64Places(rewrite(layer, NOT_BASE64, inBase64), this.#encoded),
      ]);
    // mutant no-redaction: text
    return masked(text, places);
  }
}

const isLong = (secret: string): boolean => secret.length >= SHORTEST_SECRET;

/** An event of a stream on its line; of a chat in JSON, the text of its token. */
const EVENT =
  /\bdata: ?(?:[^\n]*?"(?:content|text|reasoning|reasoning_content|delta)"\s*:\s*"|\{[^\n]*)?((?:[^"\\\n]|\\[^\n])*)[^\n]*\n*/g;

const joinedEvents = (layer: Rewritten): Rewritten[] =>
  layer.text.includes("data:") ? [rewrite(layer, EVENT, (event) => event.replace(EVENT, "$1"))] : [];

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

const base64Places = (layer: Rewritten, encoded: Iterable<string>): Place[] => [
  ...placesOf(layer, encoded, SHORTEST_BASE64, "="),
  ...cutPlaces(layer, encoded),
];

/** Beginnings of secrets at the text's end, or before the mark of a text that was cut within this one. */
function cutPlaces(layer: Rewritten, needles: Iterable<string>): Place[] {
  const { text } = layer;
  const places: Place[] = [];
  for (const needle of needles) {
    const beginning = needle.slice(0, SHORTEST_BEGINNING);
    if (beginning.length < SHORTEST_BEGINNING) continue;
    for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
      let end = at + SHORTEST_BEGINNING;
      while (end < text.length && text[end] === needle[end - at]) end++;
      if (end === text.length || text[end] === "…") places.push([layer.start(at), layer.end(end - 1)]);
    }
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

/** The path of an address, or of a path with a query, and what the query holds: messages show only the path. */
function partsOfAddress(secret: string): string[] {
  if (!/^(?:https?:\/)?\/./.test(secret) || !URL.canParse(secret, "http://host")) return [];
  const { pathname, searchParams } = new URL(secret, "http://host");
  return [pathname, ...searchParams.values()];
}

/** Of a request that is a secret as a whole, its path and method tell which one it is. */
const WAY = /^(?:\/.*|GET|HEAD|POST|PUT|PATCH|DELETE)$/;

function leaves(json: unknown): string[] {
  return [...membersOf(json)].flatMap(([, value]) =>
    (typeof value === "string" && (!WAY.test(value) || looksSecret(value))) || typeof value === "number"
      ? [String(value)]
      : [],
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

const inBase64Letters = (text: string): string => text.replaceAll("-", "+").replaceAll("_", "/").replaceAll(" ", "+");

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

/** Headers that hold no credentials. */
const harmlessHeaders = new Set(["accept", "accept-encoding", "accept-language", "content-type", "user-agent"]);

/** The credentials in a request's headers: each value, and what follows a scheme such as `Bearer`. */
export function secretsInHeaders(headers: Readonly<Record<string, unknown>> = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    // mutant header-shown: []
    typeof value !== "string" || harmlessHeaders.has(name.toLowerCase()) ? [] : [value, ...value.split(" ")],
  );
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
    if (name === "env") return secretVariables(value);
    // mutant credentials-quoted: false
    const isSecret = secretProperties.has(name) || (isOfSecrets && name === "value");
    return isSecret && typeof value === "string" ? [value] : [];
  });
}

/** Values of variables that look like secrets. `env` is a map in REST and a list of `{key, value}` in GraphQL. */
export function secretVariables(env: unknown): string[] {
  if (typeof env !== "object" || env === null) return [];
  const variables: [unknown, unknown][] = Array.isArray(env)
    ? env.map(({ key, value }: { key?: unknown; value?: unknown }) => [key, value])
    : Object.entries(env);
  return variables.flatMap(([name, value]) =>
    typeof value === "string" && looksSecret(value, String(name)) ? [value] : [],
  );
}
