import type { z } from "zod";

/** Words for zod's own mistakes. Undefined for those whose words the schema has. */
export function inWords(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case "too_small":
      return isCounted(issue.origin)
        ? Number(issue.minimum) === 1 && !issue.exact
          ? "must not be empty"
          : `must have ${issue.exact ? "" : "at least "}${issue.minimum} ${unitOf(issue.origin)}`
        : `must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return isCounted(issue.origin)
        ? `must have ${issue.exact ? "" : "at most "}${issue.maximum} ${unitOf(issue.origin)}`
        : `must be ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_value":
    case "invalid_union": {
      const allowed = allowedBy(issue);
      return allowed.length === 0
        ? undefined
        : `must be one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}`;
    }
    case "invalid_key":
      return `has the key ${JSON.stringify(issue.path?.at(-1))}, which ${issue.issues.map(({ message }) => message).join(" and ")}`;
    case "unrecognized_keys":
      return `does not take ${issue.keys.join(", ")}`;
    case "invalid_type":
      if (issue.input === undefined)
        return issue.expected === "nonoptional" ? "is required" : `is required (${issue.expected})`;
      return `must be ${TYPES[issue.expected] ?? issue.expected}${received(issue)}`;
    default:
      return undefined;
  }
}

/** The values of a choice, or of the member that chooses between forms. */
export function allowedBy(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): readonly unknown[] {
  if (issue.code === "invalid_value") return issue.values;
  return issue.code === "invalid_union" && "options" in issue && Array.isArray(issue.options) ? issue.options : [];
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "a map",
};

function received({ expected, input }: { expected: string; input?: unknown }): string {
  if (expected === "int" || input === undefined) return "";
  if (typeof input === "number" && !Number.isFinite(input))
    return `, not ${input}, which comes of computing with a text or with nothing`;
  const type = input === null ? "null" : Array.isArray(input) ? "array" : typeof input;
  return `, not ${type === "boolean" ? "a boolean" : (TYPES[type] ?? type)}`;
}

const isCounted = (origin: string) => origin === "string" || origin === "array" || origin === "set";
const unitOf = (origin: string) => (origin === "string" ? "characters" : "entries");
