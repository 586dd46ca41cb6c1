import { inspect } from "node:util";

const mask = "[secret]";
/** Shorter values ("1", "yes") occur in ordinary words; removing them would garble messages and hide nothing. */
const shortestSecret = 4;
const secretProperties = new Set(["password", "username", "accessId", "accessSecret"]);

/** A value that no print, inspection or serialisation shows. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}

/** Removes every occurrence of the secrets from a text that will be shown. Longest first, so that none is cut in two. */
export function redact(text: string, secrets: readonly string[]): string {
  return [...secrets]
    .filter((secret) => secret.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, mask), text);
}

/** Credentials and environment values in a request body: what the service might quote back in an error. */
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
