import type { z } from "zod";
import { NEW_NAMES } from "../../../common/retiredNames";
import { didYouMean, suggestion } from "../../../common/suggestion";
import type { CheckFailure } from "../definition";
import { namesAt } from "../fields/fields";
import { isObject, valueAt } from "../fields/values";

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
            ? `is not an argument here${suggestion(key, names)}`
            : `is a name of the service's retired v1; use ${newName}`,
      };
    });
  }
  if (original.code === "invalid_type" && valueAt(inputs, issue.path) === undefined) {
    return [{ property, reason: `is required (${original.expected})` }];
  }
  if (original.code === "invalid_value") {
    const declared = valueAt(inputs, issue.path);
    const allowed = original.values.map((value) => JSON.stringify(value)).join(", ");
    const hint = declared === undefined ? "" : didYouMean(String(declared), original.values.map(String));
    return [{ property, reason: `must be one of ${allowed}${hint}` }];
  }
  return [{ property, reason: issue.message }];
}

/** The current name for a retired one in this kind; undefined if the name is not a retired one. */
export function newNameOf(schema: z.ZodObject, retired: string): string | undefined {
  return NEW_NAMES.get(retired)?.find((path) => {
    const parts = path.split(".");
    const last = parts.pop() ?? "";
    return namesAt(schema, parts).includes(last);
  });
}

const isIssue = (value: unknown): value is z.core.$ZodIssue => isObject(value) && typeof value.code === "string";
