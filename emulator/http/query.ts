import { z } from "zod";

/*
 * Query values arrive as text. These functions convert texts of the wanted type, and leave everything else unchanged, so that
 * the schema refuses it.
 */

/** A comma-separated list; a repeated parameter counts as one list, and an empty one has no items. */
export const csv = <Item extends z.ZodType>(items: z.ZodArray<Item>) =>
  z.preprocess((given) => {
    if (given === undefined) return undefined;
    const text = [given].flat().join(",");
    return text === "" ? [] : text.split(",");
  }, items);

/** Clamps integers to the safe range. No schema distinguishes values beyond it. */
export const wholeNumber = (schema: z.ZodInt) =>
  z.preprocess((given) => {
    if (typeof given !== "string" || !/^-?\d+$/.test(given)) return given;
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(given), Number.MAX_SAFE_INTEGER));
  }, schema);

export const flag = z.preprocess((given) => {
  if (given === "true") return true;
  return given === "false" ? false : given;
}, z.boolean());
