import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../common/json";
import { z } from "../../../common/zod";
import type { Difference } from "../fields/difference";
import { bare, defaultOf, type FieldFacts, factsOf } from "../fields/fields";
import { containsUnknown, isUnknown } from "../fields/unknown";
import { PLACEHOLDER } from "../fields/unread";
import { membersWhere, type Properties, withoutNulls } from "../fields/values";

/** All differences between recorded and desired values of one schema; empty when there is nothing to do. */
export function differences(
  schema: z.ZodObject,
  old: Properties,
  next: Properties,
  root = "",
  prefix = "",
): Difference[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    if ((old[key] ?? next[key]) === undefined) return [];
    const facts = factsOf(field);
    if (facts.control) return [];
    const path = prefix === "" ? key : `${prefix}.${key}`;
    // A state written before the argument existed counts as having its default, so an upgrade alone changes nothing.
    const before = withoutNulls(old[key] ?? defaultOf(field));
    const after = withoutNulls(next[key] ?? defaultOf(field));
    // The service's own choices are recorded at the top level only. What is recorded inside an argument was declared.
    const chosen = facts.computed === true && prefix === "" && after === undefined;
    if (same(facts, before, after) || chosen) return [];

    const inner = inside(bare(field), before, after, path);
    if (inner !== undefined) {
      const nested = inner.flatMap((each) => differences(each.schema, each.before, each.after, root || key, each.path));
      return facts.replaces === "any" ? nested.map((difference) => ({ ...difference, replaces: true })) : nested;
    }
    const shrinks = typeof before === "number" && typeof after === "number" && after < before;
    const switched = before === undefined || after === undefined;
    const replaces =
      facts.replaces === "any" ||
      (facts.replaces === "presence" && switched) ||
      (facts.replaces === "removal" && after === undefined) ||
      (facts.shrinkReplaces === true && shrinks) ||
      (isUnknown(after) && mayReplace(bare(field)));
    return [{ path, field: root || key, old: before, next: after, replaces, facts }];
  });
}

/** Whether a change inside a value of this form may replace. */
function mayReplace(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodArray) return mayReplace(bare(schema.element));
  if (!(schema instanceof z.ZodObject)) return false;
  return Object.values(schema.shape).some((field) => factsOf(field).replaces === "any" || mayReplace(bare(field)));
}

interface Inside {
  readonly schema: z.ZodObject;
  readonly before: Properties;
  readonly after: Properties;
  readonly path: string;
}

/** The objects to compare one by one, if both sides hold the same number of them. */
function inside(schema: z.core.$ZodType, before: unknown, after: unknown, path: string): Inside[] | undefined {
  if (schema instanceof z.ZodObject && isRecord(before) && isRecord(after)) return [{ schema, before, after, path }];
  if (!(schema instanceof z.ZodArray) || !Array.isArray(before) || !Array.isArray(after)) return undefined;
  const element = bare(schema.element);
  if (!(element instanceof z.ZodObject) || before.length !== after.length) return undefined;
  const pairs = before.map((each, index): Inside | undefined => {
    const other: unknown = after[index];
    return isRecord(each) && isRecord(other)
      ? { schema: element, before: each, after: other, path: `${path}.${index}` }
      : undefined;
  });
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
}

function same(facts: FieldFacts, before: unknown, after: unknown): boolean {
  if (containsUnknown(after)) return false;
  if (facts.unordered && Array.isArray(before) && Array.isArray(after))
    return isDeepStrictEqual(sorted(before), sorted(after));
  return isDeepStrictEqual(before, after);
}

function sorted(values: readonly unknown[]): unknown[] {
  return [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/**
 * The declared arguments, updated to what the service shows. An argument stays as declared if the service never returns
 * it: it is write-only, or not a member of `observed`. So does an empty value that the service may fill in. An argument
 * observed as undefined or null was removed on the service's side, unless the declared value is its default.
 */
export function refreshed(schema: z.ZodObject, declared: Properties, observed: Properties): Properties {
  const result: Record<string, unknown> = { ...declared };
  for (const [key, field] of Object.entries(schema.shape)) {
    const facts = factsOf(field);
    const mine = declared[key];
    if (facts.control || facts.writeOnly || mine === undefined || mine === PLACEHOLDER || !(key in observed)) continue;
    if (facts.openWhenEmpty && isEmpty(mine)) continue;
    const value = follow(field, facts, withoutNulls(mine), withoutNulls(observed[key]));
    if (value === null || value === undefined) delete result[key];
    else result[key] = value;
  }
  return result;
}

const isEmpty = (value: unknown) => value === "" || (Array.isArray(value) && value.length === 0);

function follow(field: z.core.$ZodType, facts: FieldFacts, mine: unknown, now: unknown): unknown {
  if (isRecord(mine) && isRecord(now)) {
    if (facts.declaredKeys) return membersWhere(now, ([name]) => Object.hasOwn(mine, name));
    const inner = bare(field);
    // An observed object is complete, so a member missing from it was removed.
    if (inner instanceof z.ZodObject) return refreshed(inner, mine, { ...blank(inner), ...now });
  }
  return same(facts, mine, now ?? defaultOf(field)) ? mine : now;
}

function blank(schema: z.ZodObject): Properties {
  return Object.fromEntries(Object.keys(schema.shape).map((key) => [key, undefined]));
}
