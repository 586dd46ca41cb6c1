import type { z } from "zod";
import { isRecord } from "../../../common/json";
import { NEW_NAMES } from "../../../common/retiredNames";
import { didYouMean, suggestion } from "../../../common/suggestion";
import type { CheckFailure } from "../definition";
import { factsOf, jsonMembers, namesAt } from "../fields/fields";
import { valueAt } from "../fields/values";
import { allowedBy, inWords } from "../fields/zodMessages";

/** Turns a mistake that zod found into failures: each names the property and the way out. */
export function failuresOf(issue: z.core.$ZodIssue, inputs: unknown, schema: z.ZodObject): CheckFailure[] {
  const property = issue.path.map(String).join(".");
  const original = issue.code === "custom" && isIssue(issue.params?.issue) ? issue.params.issue : issue;
  if (original.code === "unrecognized_keys") {
    const names = namesAt(schema, issue.path);
    return original.keys.map((key) => {
      const newName = newNameOf(schema, key);
      return {
        property: [...issue.path.map(String), key].join("."),
        reason:
          newName === undefined
            ? `is not an argument here${commandOf(key, names) ?? within(schema, issue.path, key) ?? suggestion(key, names)}`
            : `is a name of the service's retired v1; use ${newName}`,
      };
    });
  }
  const declared = valueAt(inputs, issue.path);
  if (original.code === "invalid_type" && declared === undefined) {
    return [{ property, reason: `is required (${original.expected})` }];
  }
  const [field] = issue.path.map((part) => schema.shape[String(part)]);
  if (original.code === "invalid_type" && issue.path.length === 1 && field !== undefined && factsOf(field).json) {
    const members = jsonMembers(field).join(", ");
    const reason = "must be a JSON text: json.dumps({…}) in Python, fn::toJSON in YAML";
    return [{ property, reason: members === "" ? reason : `${reason}; its members are ${members}` }];
  }
  if (original.code === "invalid_key") {
    return [{ property: issue.path.slice(0, -1).map(String).join("."), reason: inWords(original) ?? original.message }];
  }
  if (declared !== undefined && (original.code === "invalid_value" || original.code === "invalid_union")) {
    const hint = didYouMean(String(declared), allowedBy(original).map(String));
    return [{ property, reason: `${inWords(original) ?? original.message}${hint}` }];
  }
  return [{ property, reason: issue.message }];
}

/** Compose and Kubernetes mean two things by `command`, and both have it. */
const commandOf = (key: string, names: readonly string[]): string | undefined =>
  key === "command" && names.includes("cmd") && names.includes("args")
    ? "; give its words as cmd, or as entrypoint and cmd, or one shell line as args"
    : undefined;

/** `; it is within …` for a name that arguments one level deeper have, or begin with. */
function within(schema: z.ZodObject, path: readonly PropertyKey[], key: string): string | undefined {
  const inside = namesAt(schema, path).flatMap((field) =>
    namesAt(schema, [...path, field]).flatMap((name) => (name.startsWith(key) ? [`${field}.${name}`] : [])),
  );
  return inside.length === 0 ? undefined : `; it is within ${inside.join(" and ")}`;
}

/** The current name for a retired one in this kind; undefined if the name is not a retired one. */
export function newNameOf(schema: z.ZodObject, retired: string): string | undefined {
  return NEW_NAMES.get(retired)?.find((path) => {
    const parts = path.split(".");
    const last = parts.pop() ?? "";
    return namesAt(schema, parts).includes(last);
  });
}

const isIssue = (value: unknown): value is z.core.$ZodIssue => isRecord(value) && typeof value.code === "string";
