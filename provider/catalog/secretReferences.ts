import { RESERVED_PREFIX } from "../../common/presets";
import { perRun } from "../lifecycle/perRun";

/**
 * The text that refers to a secret in an environment. The service replaces it by the secret's value when a container
 * boots.
 */
export const referenceTo = (name: string): string => `{{ ${RESERVED_PREFIX}_SECRET_${name} }}`;

const REFERENCE = new RegExp(`\\{\\{\\s*${RESERVED_PREFIX}_SECRET_([^\\s{}]+)\\s*\\}\\}`, "g");

/** The names of the secrets that a text refers to. */
export const secretsNamedIn = (text: string): string[] => Array.from(text.matchAll(REFERENCE), ([, name = ""]) => name);

/** Names, in lower case, of the secrets that the program has declared so far in this run. They need not exist yet. */
export const declaredSecrets = perRun(() => new Set<string>());
