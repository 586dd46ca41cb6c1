import type { z } from "zod";
import { invalid } from "../problem";

type Issue = z.core.$ZodIssue;

/** Checks a value against a schema; a 422 lists every broken rule in the service's wording. */
export function validate<S extends z.ZodType>(schema: S, value: unknown, root = "$"): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => describe(issue, root));
  const incomplete = errors.some((error) => error.startsWith(`${root}: missing property`));
  if (incomplete && schema.meta()?.unevaluatedProperties === false) errors.push(...noise(value, root));
  throw invalid([...new Set(errors)]);
}

/**
 * Clamps the numbers of a body to the range of safe integers. Otherwise zod's integers would refuse values that the service's
 * schema accepts, and that its rules refuse later.
 */
export function exactNumbers(value: unknown): unknown {
  if (typeof value === "number") return Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
  if (Array.isArray(value)) return value.map(exactNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, exactNumbers(inner)]));
}

/** Messages to ignore: when a part of a composed schema fails, zod reports all properties as unknown. */
function noise(value: unknown, root: string): string[] {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return keys.length === 0 ? [] : [`${root}: ${notAllowed(keys)}`];
}

const notAllowed = (keys: readonly string[]): string =>
  `additional properties ${keys.map((key) => `'${key}'`).join(", ")} not allowed`;

function describe(issue: Issue, root: string): string[] {
  const where = [root, ...issue.path.map(String)].join(".");
  if (issue.code === "invalid_union") {
    const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0];
    if (closest === undefined) return [`${where}: no alternative matches`];
    return closest.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, root));
  }
  const missing = issue.code !== "custom" && issue.input === undefined && issue.path.length > 0;
  if (missing) {
    const parent = [root, ...issue.path.slice(0, -1).map(String)].join(".");
    return [`${parent}: missing property '${String(issue.path.at(-1))}'`];
  }
  return [`${where}: ${wording(issue)}`];
}

/** The message of the service's JSON Schema validator. */
function wording(issue: Issue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return notAllowed(issue.keys);
    case "invalid_value":
      return `value must be one of ${issue.values.map((value) => `'${String(value)}'`).join(", ")}`;
    case "invalid_type":
      return `got ${jsonType(issue.input)}, want ${WANTED[issue.expected] ?? issue.expected}`;
    case "too_small":
      return `${LIMITS[issue.origin]?.[0] ?? "minimum"}: got ${measure(issue.input)}, want ${String(issue.minimum)}`;
    case "too_big":
      return `${LIMITS[issue.origin]?.[1] ?? "maximum"}: got ${measure(issue.input)}, want ${String(issue.maximum)}`;
    case "invalid_format":
      return issue.format === "regex"
        ? `'${String(issue.input)}' does not match pattern '${String(issue.pattern).replace(/^\/|\/[a-z]*$/g, "")}'`
        : `'${String(issue.input)}' is not valid ${issue.format}`;
    default:
      return issue.message;
  }
}

const WANTED: Readonly<Record<string, string>> = { int: "integer", record: "object", safeint: "integer" };

const LIMITS: Readonly<Record<string, readonly [string, string]>> = {
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties"],
};

const measure = (input: unknown): string =>
  String(typeof input === "string" || Array.isArray(input) ? input.length : input);

function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
