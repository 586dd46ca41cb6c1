import type { z } from "zod";
import { isRecord, pathText } from "../../common/json";
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

/**
 * Characters that could change the route, and control characters. They are refused rather than encoded: some servers and
 * proxies decode a path before they choose the route.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const ROUTE_CHANGING = /[/\\?#%\u0000-\u001f\u007f]/;

/** Fills the parameters of a path. @throws UsageError for a value that could change the route, before anything is sent */
export function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(name, params[name] ?? ""));
}

/** A value as one segment of a path. @throws UsageError for a value that could change the route */
export function pathPart(name: string, value: string): string {
  if (value === "" || value === "." || value === ".." || ROUTE_CHANGING.test(value)) {
    throw new UsageError(
      `${name} ${JSON.stringify(value)} cannot be part of an address. Pass the ${name} as the service shows it.`,
      { id: value },
    );
  }
  return encodeURIComponent(value);
}

/** The query with its `?`. Absent values and empty lists are left out; lists are comma separated. */
export function queryText(query: unknown): string {
  if (!isRecord(query)) return "";
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const isAbsent = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    if (!isAbsent) params.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}
