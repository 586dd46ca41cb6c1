/** An integer with so many digits may exceed what a number holds exactly. Only then the slow parser is used. */
const LONG_INTEGER = /\d{16}/;

/**
 * Parses JSON. Returns undefined for any other text.
 *
 * @param exactIntegers returns integers beyond 2^53 as strings of their digits, where JSON.parse would round them. It takes
 *   five to ten times as long for a text with 16 digits in a row
 */
export function parseJson(text: string, exactIntegers = false): unknown {
  try {
    return exactIntegers && LONG_INTEGER.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function exactly(_: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  return /^-?\d+$/.test(source) && String(value) !== source ? source : value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `pods[3].status` */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    "",
  );
}
