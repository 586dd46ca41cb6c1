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
  const issue = result.error.issues[0];
  const path = pathText(issue?.path ?? []);
  // The create may have worked, even if its answer can't be read. With the id, the user can find the resource.
  const id = facts.id ?? (isRecord(value) && typeof value.id === "string" ? value.id : undefined);
  const subject = [facts.kind, id].filter(Boolean).join(" ");
  throw new ContractError(
    `${subject}: the answer is not what the contract promises: ${path || "(whole answer)"}: ${issue?.message}. ` +
      "Update the package: npm install pulumi-computecloud@latest.",
    { ...facts, id, path },
  );
}
