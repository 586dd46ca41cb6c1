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
  } catch (error) {
    // With `exactly` a parse ends where the stack does.
    return exactIntegers && error instanceof RangeError ? parseJson(text) : undefined;
  }
}

function exactly(_: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  return /^-?\d+$/.test(source) && String(value) !== source ? source : value;
}

/** Whether a parsed value may hold an integer that JSON.parse has rounded. */
export const mayBeRounded = (parsed: unknown): boolean => /\d{16}|e\+/.test(jsonOf(parsed));

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

/** JSON of what was parsed, at any depth. `JSON.stringify` ends where the stack does, thousands of levels deep. */
export function jsonOf(parsed: unknown): string {
  try {
    return JSON.stringify(parsed);
  } catch {
    return deepJson(parsed);
  }
}

function deepJson(parsed: unknown): string {
  let text = "";
  const pending = partsOf(parsed).reverse();
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part === "string") text += part;
    else pending.push(...partsOf(part.value).reverse());
  }
  return text;
}

function partsOf(value: unknown): (string | { readonly value: unknown })[] {
  const separated = (index: number, before: string) => `${index > 0 ? "," : ""}${before}`;
  if (Array.isArray(value))
    return ["[", ...value.flatMap((each, index) => [separated(index, ""), { value: each }]), "]"];
  if (!isRecord(value)) return [JSON.stringify(value)];
  const members = Object.entries(value).flatMap(([key, each], index) => [
    separated(index, `${JSON.stringify(key)}:`),
    { value: each },
  ]);
  return ["{", ...members, "}"];
}
