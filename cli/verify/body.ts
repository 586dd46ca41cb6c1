import { valueAt } from "../../provider/lifecycle/fields/values";

/** The value at a path in an unchecked answer; undefined if there is none. */
export const field = (value: unknown, ...path: readonly string[]): unknown => valueAt(value, path);

/** The list at a path in an unchecked answer; empty if there is none. */
export function listIn(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = field(value, ...path);
  return Array.isArray(list) ? list : [];
}
