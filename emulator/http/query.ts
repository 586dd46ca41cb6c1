import { z } from "zod";

/*
 * Query values arrive as text. These functions convert texts of the wanted type, and leave everything else unchanged, so that
 * the schema refuses it.
 */

/** A comma-separated list; a repeated parameter counts as one list, and an empty one has no items. */
export const csv = <Item extends z.ZodType>(items: z.ZodArray<Item>) =>
  z.preprocess((value) => {
    if (value === undefined) return undefined;
    const text = [value].flat().join(",");
    return text === "" ? [] : text.split(",");
  }, items);

/** Clamps integers to the safe range. No schema distinguishes values beyond it. */
export const wholeNumber = (schema: z.ZodInt) =>
  z.preprocess((value) => {
    if (typeof value !== "string" || !/^-?\d+$/.test(value)) return value;
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(value), Number.MAX_SAFE_INTEGER));
  }, schema);

export const flag = z.preprocess((value) => {
  if (value === "true") return true;
  return value === "false" ? false : value;
}, z.boolean());
