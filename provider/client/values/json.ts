import type { z } from "zod";
import { ContractError, type ErrorFacts } from "../errors";

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

/**
 * The value, checked by the schema. Unknown fields are dropped.
 *
 * @throws ContractError for a wrong or missing field
 */
export function conform<T>(schema: z.ZodType<T>, value: unknown, facts: ErrorFacts): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = pathText(issue?.path ?? []);
  // The create may have worked, even if its answer can't be read. With the id, the user can find the resource.
  const id = facts.id ?? (isRecord(value) && typeof value.id === "string" ? value.id : undefined);
  const subject = [facts.kind, id].filter(Boolean).join(" ");
  throw new ContractError(
    `${subject}: the answer is not what the contract promises: ${path || "(whole answer)"}: ${issue?.message}. ` +
      "Run `npx pulumi-computecloud contract-check` and update the package.",
    { ...facts, id, path },
  );
}

/** `pods[3].status` */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    "",
  );
}
