import type { Client } from "../../client";
import { RESERVED_PREFIX } from "../../common/presets";

/**
 * The text that refers to a secret in an environment. The service replaces it by the secret's value when a container
 * boots.
 */
export const referenceTo = (name: string): string => `{{ ${RESERVED_PREFIX}_SECRET_${name} }}`;

const REFERENCE = new RegExp(`\\{\\{\\s*${RESERVED_PREFIX}_SECRET_([^\\s{}]+)\\s*\\}\\}`, "g");

/** The names of the secrets that a text refers to. */
export const secretsNamedIn = (text: string): string[] => Array.from(text.matchAll(REFERENCE), ([, name = ""]) => name);

/** By client: names, in lower case, of the secrets that the program has declared so far in this run. */
const declared = new WeakMap<Client, Set<string>>();

/** Remembers that the program declares a secret of this name. The secret need not exist yet. */
export function noteSecret(client: Client, name: string): void {
  declared.set(client, (declared.get(client) ?? new Set()).add(name.toLowerCase()));
}

/** Whether the program has declared a secret of this name. */
export function isDeclared(client: Client, name: string): boolean {
  return declared.get(client)?.has(name.toLowerCase()) ?? false;
}
