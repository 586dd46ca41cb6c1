const SECRET_NAME =
  /key|token|secret|pass|pwd|pat(?=[_=])|cred|auth|cert|private|salt|dsn|webhook|licen[cs]e|cookie|session|jwt|signature|user|login|hash/i;
/** What has one of these words for another reason: numbers of tokens, and tokenizers. */
const NO_SECRET = /tokens(?==\d*$)|tokeni[sz]\w*/gi;
/** Passwords in addresses, parameters of addresses, keys in PEM, and words as long or as mixed as generated ones. */
const SECRET_TEXT =
  /:\/\/[^/\s]*@|[?&;][\w-]+=|-----BEGIN|\n|\b(?=\w*\d)(?=\w*[A-Za-z])\w{16,}|\w{32,}|[A-Za-z0-9+/]{40,}/;
const SHORTEST_ODD = 8;

/** Whether the text of a variable is one that generators of secrets make. */
export const isSecretText = (text: string): boolean => SECRET_TEXT.test(text);

/** Whether a variable's name, or what is written as `NAME=value`, speaks of a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name.replace(NO_SECRET, ""));

/**
 * Whether a value that nobody marked as a secret is hidden all the same: where it is long, and its variable's name or its
 * text is odd. Ordinary words, names of models, paths and ports stay: hidden, they would garble messages. docs/security.md
 * has this rule.
 */
export function looksSecret(value: string, name = ""): boolean {
  // mutant odd-value-shown: false
  return value.length >= SHORTEST_ODD && (isSecretText(value) || isSecretName(`${name}=${/^\d*$/.exec(value) ?? ""}`));
}
