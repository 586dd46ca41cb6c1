import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import type { CheckFailure } from "../lifecycle/definition";
import { namesAt } from "../lifecycle/fields";
import { isObject, valueAt } from "../lifecycle/values";

/** A mistake that zod found, by property and in words that say the way out. */
export function explain(issue: z.core.$ZodIssue, inputs: unknown, schema: z.ZodObject): CheckFailure[] {
  const property = issue.path.map(String).join(".");
  const original = issue.code === "custom" && isIssue(issue.params?.issue) ? issue.params.issue : issue;
  if (original.code === "unrecognized_keys") {
    const known = namesAt(schema, issue.path);
    return original.keys.map((key) => ({
      property: [...issue.path.map(String), key].join("."),
      reason: `is no argument here${suggestion(key, known)}`,
    }));
  }
  if (original.code === "invalid_type" && valueAt(inputs, issue.path) === undefined) {
    return [{ property, reason: `is required (${original.expected})` }];
  }
  if (original.code === "invalid_value") {
    const given = valueAt(inputs, issue.path);
    const allowed = original.values.map((value) => JSON.stringify(value)).join(", ");
    return [
      {
        property,
        reason: `must be one of ${allowed}${given === undefined ? "" : suggestion(String(given), original.values.map(String))}`,
      },
    ];
  }
  return [{ property, reason: issue.message }];
}

function isIssue(value: unknown): value is z.core.$ZodIssue {
  return isObject(value) && typeof value.code === "string";
}

/** `; did you mean "x"?` for the nearest candidate that is near enough to be meant, otherwise the candidates. */
export function suggestion(given: string, candidates: readonly string[]): string {
  const nearest = candidates
    .map((candidate) => ({ candidate, far: distance(given.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)[0];
  if (nearest !== undefined && nearest.far <= Math.max(2, given.length / 3))
    return `; did you mean "${nearest.candidate}"?`;
  return candidates.length === 0 ? "" : `; known: ${candidates.join(", ")}`;
}
