import { field } from "../../cli/verify/body";
import type { Own } from "../../cli/verify/command";
import type { Answer } from "../../cli/verify/verdict";
import { type Asked, usualKey } from "../../cli/verify/wire";
import { isRecord } from "../../common/json";
import { redact } from "../../common/redact";
import { textsIn } from "../../provider/lifecycle/fields/values";
import { patterns, type TextKind } from "./patterns";
import { Placeholders } from "./placeholders";
import type { Exchange } from "./recording";

/** A call of a trial, and its answer. */
export interface Heard {
  readonly fact: string;
  readonly asked: Asked;
  readonly answer: Answer;
}

/** Headers that are recorded, and headers of which only the presence is recorded. */
const SHOWN_HEADERS = ["content-type", "allow", "www-authenticate"];
const NOTED_HEADERS = [
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "deprecation",
  "sunset",
  "location",
];

/** Names of request fields and parameters with secrets. For `env`, all values inside count as secrets. */
const SECRET =
  "password|username|value|token|secret|key|api_?key|authorization|access_?(?:id|key|secret)|webhook|sig\\w*|x-amz-\\w+";
const secretField = new RegExp(`^(?:${SECRET})$`, "i");
const secretParameter = new RegExp(`([?&](?:${SECRET})=)([^&]*)`, "gi");
const secretArgument = new RegExp(`(\\b(?:${SECRET})\\s*:\\s*")((?:[^"\\\\]|\\\\.)*)(?=")`, "gi");

/** Fields with sentences of the service. The sentences are kept, without what they quote. */
const PROSE = /^(?:title|detail|message|error|errors|code)$/;
/** Enum values, such as IN_QUEUE. */
const WORD = /^[A-Z]{1,16}(?:_[A-Z]{1,16}){0,3}$/;
const ID_FIELD = /(?:^id|Id)$/;
/** Words with letters and digits in sentences, which are most likely ids. */
const MIXED = /<[a-z]+-\d+(?::\d+)?>|\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{8,}\b|\d+/gi;
/** Paths with money and limits of the account. */
const ACCOUNT = /^\/v2\/(?:account|billing)\b/;
const CATALOG = /^\/v2\/catalog\/(?!templates)/;
/** A number from here on is a time. */
const MOMENT = 1e9;
/** Shorter secrets would also match inside words. */
const SHORTEST_QUOTED = 8;
/** Longer texts are replaced as a whole. */
const LONGEST_KEPT = 10_000;

/**
 * Removes the account's data from exchanges: keys, credentials, variables, ids, names, addresses, times, amounts, and all
 * resources that existed before. A text of an answer is kept only if it is the run's own, from the catalog, an enum value or
 * a sentence.
 *
 * Not guaranteed: a sentence is free text, so a name in it that matches no pattern and occurs nowhere else stays.
 */
export class Redaction {
  readonly #known = new Placeholders();
  readonly #public = new Set<string>();
  readonly #made = new Set<unknown>();
  /** Secrets that may be quoted in other forms, such as base64. */
  readonly #credentials: string[] = [];
  readonly #ownWord: RegExp;

  constructor(private readonly own: Own) {
    this.#hide(own.apiKey);
    this.#ownWord = new RegExp(own.word, "gi");
  }

  /** Texts that must no longer occur in an exchange. */
  replaced(): readonly string[] {
    return this.#known.searched();
  }

  exchanges(heard: readonly Heard[]): Exchange[] {
    for (const each of heard) this.#learn(each);
    // The last answer may reveal a text that also occurs in the first. So the first pass only collects, and the second writes.
    for (const each of heard) this.#exchange(each);
    return heard.map((each) => this.#exchange(each));
  }

  #learn({ asked, answer }: Heard): void {
    for (const id of Object.values(asked.params ?? {})) this.#known.of(id, "id");
    for (const [, , value = ""] of asked.path.matchAll(secretParameter)) this.#hide(value);
    this.#learnBody(asked.body, false);
    if (CATALOG.test(asked.path)) for (const text of textsIn(answer.body)) this.#public.add(text);
    // An id that the run had already sent, such as a GPU type's, is public. Any other id is the account's.
    else for (const id of idsIn(answer.body)) if (!this.#public.has(id)) this.#known.of(id, "id");
    if (asked.method === "POST") for (const id of idsOutsideOfLists(answer.body)) this.#made.add(id);
  }

  #learnBody(value: unknown, secret: boolean): void {
    if (typeof value === "string") {
      if (secret) this.#hide(value);
      else if (!this.#isOwn(value) && this.#known.get(value) === undefined) this.#public.add(value);
    } else if (Array.isArray(value)) for (const each of value) this.#learnBody(each, secret);
    else if (isRecord(value))
      for (const [name, each] of Object.entries(value)) {
        if (name === "query" && typeof each === "string")
          for (const [, , secret = ""] of each.matchAll(secretArgument)) this.#hide(secret);
        else this.#learnBody(each, secret || name === "env" || secretField.test(name));
      }
  }

  #hide(value: string): void {
    if (value === "" || this.#isOwn(value) || this.#known.get(value) !== undefined) return;
    this.#known.of(value, "secret");
    if (value.length >= SHORTEST_QUOTED && value.length <= LONGEST_KEPT) this.#credentials.push(value);
  }

  #isOwn(text: string): boolean {
    return text.toLowerCase().includes(this.own.word);
  }

  #exchange({ fact, asked, answer }: Heard): Exchange {
    const { to = "rest", method, path, key = usualKey(to), body } = asked;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.#text(asked.params?.[name] ?? "", "id"));
    const hidden = this.#without(filled, secretParameter);
    const answered =
      answer.body === undefined && answer.text !== "" ? this.#known.of(answer.text, "text") : answer.body;
    return {
      fact,
      to,
      method,
      path: this.#plain(hidden),
      key,
      ...(body !== undefined && { body: this.#sent(body) }),
      answer: {
        status: answer.status,
        headers: this.#headers(answer.headers),
        ...(answered !== undefined && { body: this.#shown(answered, asked) }),
      },
    };
  }

  #headers(headers: Answer["headers"]): Record<string, string> {
    const shown = SHOWN_HEADERS.map((name) => [name, headers[name]] as const);
    const noted = NOTED_HEADERS.map((name) => [name, name in headers ? "…" : undefined] as const);
    return Object.fromEntries(
      [...shown, ...noted].flatMap(([name, value]) => (value === undefined ? [] : [[name, this.#plain(value)]])),
    );
  }

  #sent(value: unknown, name = ""): unknown {
    if (typeof value === "string")
      return name === "query" ? this.#plain(this.#without(value, secretArgument)) : this.#text(value, name);
    if (Array.isArray(value)) return value.map((each) => this.#sent(each, name));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [this.#name(key), this.#sent(each, key)]));
  }

  /** @param pattern what stands before a secret, and the secret */
  #without(text: string, pattern: RegExp): string {
    return text.replaceAll(pattern, (_, before, value) => before + (this.#known.get(value) ?? value));
  }

  #shown(value: unknown, asked: Asked, name = ""): unknown {
    if (typeof value === "string") return this.#text(value, name);
    if (typeof value === "number") return ACCOUNT.test(asked.path) || Math.abs(value) >= MOMENT ? 0 : value;
    if (Array.isArray(value))
      return value.filter((each) => this.#isOurs(each, asked)).map((each) => this.#shown(each, asked, name));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [this.#name(key), this.#shown(each, asked, key)]),
    );
  }

  /** Whether a list's item may be kept: only what the run has made, so nothing that existed before is recorded. */
  #isOurs(item: unknown, asked: Asked): boolean {
    const [id, name] = [field(item, "id"), field(item, "name")];
    if (CATALOG.test(asked.path) || (id === undefined && name === undefined)) return true;
    return this.#made.has(id) || (typeof name === "string" && this.#isOwn(name));
  }

  #text(text: string, name: string): string {
    const known = this.#known.get(text);
    if (known !== undefined || text === "") return known ?? text;
    if (PROSE.test(name)) return this.#prose(text);
    const isKept = this.#isOwn(text) || this.#public.has(text) || WORD.test(text);
    return isKept ? this.#plain(text) : this.#known.of(text, kindOf(text, name));
  }

  /** A property's name. Plain words are kept, because they are part of the schema. */
  #name(text: string): string {
    return /^[a-z]+$/i.test(text) ? text : this.#plain(text);
  }

  /** Replaces known texts of the account, and everything that matches a pattern. */
  #plain(text: string): string {
    if (text.length > LONGEST_KEPT) return this.#known.of(text, "text");
    const unnamed = text.replace(this.#ownWord, (word) => "0".repeat(word.length));
    return patterns.reduce(
      (shown, { kind, form }) => shown.replace(form, (found) => this.#known.of(found, kind)),
      // Plain occurrences first, because these get their own placeholder; `redact` uses one mask for all.
      redact(this.#known.within(unnamed), this.#credentials),
    );
  }

  /** Sentences may contain numbers and ids of the account. */
  #prose(text: string): string {
    return this.#plain(text).replace(MIXED, (found) => {
      if (found.startsWith("<") || found.toLowerCase().startsWith("verify-")) return found;
      return /^\d+$/.test(found) ? "0" : this.#known.of(found, "id");
    });
  }
}

function kindOf(text: string, name: string): TextKind {
  const whole = patterns.find(({ form }) => text.replace(form, "") === "");
  return ID_FIELD.test(name) ? "id" : (whole?.kind ?? "text");
}

function idsIn(value: unknown, name = ""): string[] {
  if (typeof value === "string") return ID_FIELD.test(name) && !WORD.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((each) => idsIn(each));
  return isRecord(value) ? Object.entries(value).flatMap(([key, each]) => idsIn(each, key)) : [];
}

function idsOutsideOfLists(value: unknown): unknown[] {
  if (!isRecord(value)) return [];
  return [value.id, ...Object.values(value).flatMap(idsOutsideOfLists)].filter((id) => id !== undefined);
}
