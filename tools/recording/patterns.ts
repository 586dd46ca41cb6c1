/** The kind of a replaced text. */
export type TextKind = "secret" | "id" | "email" | "url" | "address" | "time" | "text";

/** A pattern that identifies private texts, wherever they occur. */
export interface Pattern {
  readonly kind: TextKind;
  /** For the error message. */
  readonly what: string;
  readonly form: RegExp;
}

/** In the order of the search: patterns that may contain others come first. */
export const patterns: readonly Pattern[] = [
  {
    kind: "secret",
    what: "a private key",
    form: /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g,
  },
  { kind: "secret", what: "an SSH key", form: /\bssh-(?:rsa|dss|ed25519) [\w+/=]+(?: [^\s"<]+)?/g },
  { kind: "url", what: "an address", form: /\b[a-z]+:\/\/[^\s"'<>\\]+/gi },
  { kind: "secret", what: "a token", form: /\beyJ[\w-]{8,}(?:\.[\w-]+)*/g },
  {
    kind: "secret",
    what: "an API key",
    form: /\b(?:rpa_|sk-|sk_|hf_|gh[a-z]_|github_pat_|glpat-|dckr_pat_|nvapi-|pul-|xox[a-z]-|AKIA|ASIA)[\w-]{8,}/g,
  },
  { kind: "secret", what: "credentials", form: /\b(?:bearer|basic)\s+(?=\S*\d)[\w.~+/=-]{6,}/gi },
  { kind: "secret", what: "a signature", form: /\b(?:X-Amz-\w+|Signature|sig|token|api_?key)=[^\s"&<>\\]+/gi },
  { kind: "email", what: "an email address", form: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g },
  { kind: "id", what: "an id", form: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi },
  {
    kind: "time",
    what: "a time",
    form: /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  },
  { kind: "time", what: "a time", form: /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4}[\d: ]*(?:GMT)?/g },
  { kind: "address", what: "an IP address", form: /\b\d{1,3}(?:\.\d{1,3}){3}\b/g },
  { kind: "address", what: "an IP address", form: /\b(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}\b/gi },
  {
    kind: "address",
    what: "a host",
    form: /\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|ai|dev|cloud|internal|local)\b/gi,
  },
  {
    kind: "text",
    what: "a long random text",
    form: /(?<![\w+/=-])(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])[\w+/=-]{24,}/g,
  },
  { kind: "text", what: "a long random text", form: /\b(?=[0-9a-f]*[1-9a-f])[0-9a-f]{32,}\b/gi },
];
