import type { z } from "zod";
import { ContractError, type ErrorFacts } from "../errors";

/** So long can an integer be that no number holds it: only then is the slow way taken. */
const LONG_INTEGER = /\d{16}/;

/**
 * The text as JSON; undefined when it is none. An integer that no number holds exactly, beyond 2^53, comes as the text
 * of its digits: a number would be another one.
 */
export function parseJson(text: string): unknown {
  try {
    return LONG_INTEGER.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function exactly(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? "";
  const changed = typeof value === "number" && /^-?\d+$/.test(source) && String(value) !== source;
  return changed ? source : value;
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
