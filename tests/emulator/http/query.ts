import { z } from "zod";

/*
 * Query values arrive as text. These turn what reads as the wanted type into it and leave everything else for the
 * schema to refuse.
 */

/** A comma-separated list; a repeated parameter counts as one list. */
export const csv = <Item extends z.ZodType>(items: z.ZodArray<Item>) =>
  z.preprocess((given) => (given === undefined ? undefined : [given].flat().join(",").split(",")), items);

export const wholeNumber = (schema: z.ZodInt) =>
  z.preprocess((given) => (typeof given === "string" && /^-?\d+$/.test(given) ? Number(given) : given), schema);

export const flag = z.preprocess((given) => {
  if (given === "true") return true;
  return given === "false" ? false : given;
}, z.boolean());
