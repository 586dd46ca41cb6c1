import type { z } from "zod";
import { isRecord, pathText } from "../../common/json";
import { ContractError, type ErrorFacts } from "../errors";

/**
 * The value, checked by the schema. Unknown fields are dropped.
 *
 * @throws ContractError for a wrong or missing field
 */
export function conform<T>(schema: z.ZodType<T>, value: unknown, facts: ErrorFacts): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  // The create may have worked, even if its answer can't be read. With the id, the user can find the resource.
  const id = facts.id ?? (isRecord(value) && typeof value.id === "string" ? value.id : undefined);
  throw unreadable({ ...facts, id }, issue?.path ?? [], `: ${issue?.message}`);
}

/** The error of an answer that breaks the contract at a place. */
export function unreadable(
  facts: ErrorFacts,
  place: readonly PropertyKey[],
  problem = " is missing or cannot be read",
): ContractError {
  const path = pathText(place);
  return new ContractError(
    `${[facts.kind, facts.id].filter(Boolean).join(" ")}: the answer is not what the contract promises: ` +
      `${path || "(whole answer)"}${problem}. Update the package: npm install pulumi-computecloud@latest.`,
    { ...facts, path },
  );
}
