import type { z } from "zod";
import { pathText } from "../../common/json";
import { UsageError } from "../errors";

/**
 * A request, checked by its schema before it is sent.
 *
 * @throws UsageError that names an unknown field, or one of the wrong type
 */
export function checkedRequest<T>(schema: z.ZodType<T>, body: unknown, kind: string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const place = pathText([...(issue?.path ?? []), ...unknown]) || "the request";
  const reason = unknown.length > 0 ? "is not a field that the service takes" : issue?.message;
  throw new UsageError(`${kind}: ${place}: ${reason}. Nothing was sent: correct the request.`, { kind });
}
