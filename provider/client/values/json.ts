import type { z } from "zod";
import { ContractError, type ErrorFacts } from "../errors";

/** So long can an integer be that no number holds it: only then is the slow way taken. */
const LONG_INTEGER = /\d{16}/;

/**
 * The text as JSON; undefined when it is none.
 *
 * @param exactIntegers an integer that no number holds exactly, beyond 2^53, comes as the text of its digits. That takes
 *   five to ten times as long, for texts with 16 digits in a row; otherwise such a number is rounded, as JSON.parse does.
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

/** The value, checked. Fields the schema does not know are dropped; a wrong or missing one is a ContractError. */
export function conform<T>(schema: z.ZodType<T>, value: unknown, facts: ErrorFacts): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = pathText(issue?.path ?? []);
  // A create may have worked although its answer cannot be read: the id is what the user needs to find the thing.
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
