import type { Client, Secret } from "../client";
import { RESERVED_PREFIX } from "../client/values/presets";
import { suggestion } from "./suggestion";

/**
 * The text that refers to a secret in an environment. The service replaces it by the secret's value when a container
 * boots.
 */
export function referenceTo(name: string): string {
  return `{{ ${RESERVED_PREFIX}_SECRET_${name} }}`;
}

const REFERENCE = new RegExp(`\\{\\{\\s*${RESERVED_PREFIX}_SECRET_([^\\s{}]+)\\s*\\}\\}`, "g");

/** The names of the secrets that a text refers to. */
export function secretsNamedIn(text: string): string[] {
  return Array.from(text.matchAll(REFERENCE), ([, name = ""]) => name);
}

/** By client: names, in lower case, of the secrets that the program has declared so far in this run. */
const declared = new WeakMap<Client, Set<string>>();

/** Remembers that the program declares a secret of this name. The secret need not exist yet. */
export function noteSecret(client: Client, name: string): void {
  declared.set(client, (declared.get(client) ?? new Set()).add(name.toLowerCase()));
}

/** By client: the account's secrets, as last listed. */
const listed = new WeakMap<Client, Promise<readonly Secret[]>>();

/**
 * Why a text should not refer to this secret; undefined if the program or the account has it.
 *
 * @throws ComputeCloudError if the account's secrets can't be listed
 */
export async function secretMistake(client: Client, name: string, timeoutMs: number): Promise<string | undefined> {
  const isIt = (other: string) => other.toLowerCase() === name.toLowerCase();
  if (declared.get(client)?.has(name.toLowerCase())) return undefined;
  const before = listed.get(client);
  const namesIn = async (list: Promise<readonly Secret[]>) => (await list).flatMap((secret) => secret.name ?? []);
  if (before !== undefined && (await namesIn(before)).some(isIt)) return undefined;
  // The program may have created it since, in another process.
  const now = client.secrets.list({ timeoutMs });
  listed.set(client, now);
  const names = await namesIn(now);
  if (names.some(isIt)) return undefined;
  return (
    `refers to the secret "${name}", which neither this program nor the account has${suggestion(name, names)}. Declare it, ` +
    "and pass its `reference`, so that it is made first"
  );
}
