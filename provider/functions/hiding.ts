import { isRecord } from "../../common/json";
import { MASK } from "../../common/redact";
import type { Properties } from "../lifecycle/fields/values";

/**
 * Hides the values of these properties, at any depth. Their names and their number stay. Not hidden: a secret in any other
 * property, such as in a command line.
 */
export function withoutSecrets(answer: Properties, secrets: readonly string[]): Properties {
  const change = isChangeOf(answer, secrets) ? ["old", "new"] : [];
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return isRecord(value) ? withoutSecrets(value, secrets) : value;
  };
  return Object.fromEntries(
    Object.entries(answer).map(([key, member]) => [
      key,
      secrets.includes(key) || change.includes(key) ? hidden(member) : inside(member),
    ]),
  );
}

/** An entry of a list of changes, such as `{ field: "env.TOKEN", old, new }`. */
function isChangeOf({ field }: Properties, secrets: readonly string[]): boolean {
  return typeof field === "string" && secrets.some((secret) => field.toLowerCase().includes(secret));
}

/** In a list a variable is written as `{ key, value }`. In a map these are names of variables like others. */
function hidden(value: unknown, isInList = false): unknown {
  // mutant functions-show-secrets: true
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => hidden(each, true));
  if (!isRecord(value)) return MASK;
  const names = isInList && "value" in value ? ["key", "name"] : [];
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, names.includes(key) ? member : hidden(member)]),
  );
}
