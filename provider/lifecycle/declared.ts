import type { z } from "zod";
import { factsOf } from "./fields";
import type { Properties } from "./values";

/**
 * A resource's state holds its arguments as the service has them. Two things can't be told from that: whether the
 * program declared what the service would choose by itself, and what the program declared before a drift that only a
 * replacement could undo. For these arguments, and only these, the state holds beside them what was declared last.
 */
const KEY = "__declared";

/** The arguments that a program declared last, as far as the state tells. */
export function declaredLast(schema: z.ZodObject, state: Properties): Properties {
  const kept = notes(state);
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([field, type]) => {
      const value = field in kept || isChosen(type) ? kept[field] : state[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** What a state without notes holds that may have been declared or chosen. */
export function ambiguous(schema: z.ZodObject, state: Properties): Properties {
  const kept = notes(state);
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([field, type]) =>
      isChosen(type) && !(field in kept) && state[field] !== undefined ? [[field, state[field]]] : [],
    ),
  );
}

/** What a state has to hold beside the arguments; empty for most. */
export function noteOf(schema: z.ZodObject, declared: Properties, drifted: ReadonlySet<string>): Properties {
  const kept = Object.entries(schema.shape).filter(
    ([field, type]) => declared[field] !== undefined && (isChosen(type) || drifted.has(field)),
  );
  return kept.length === 0 ? {} : { [KEY]: Object.fromEntries(kept.map(([field]) => [field, declared[field]])) };
}

/** What a state holds of that, by argument. */
export function notes(state: Properties): Properties {
  const value = state[KEY];
  return value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value } : {};
}

/** Whether the service chooses where the program is silent. */
export function isChosen(type: z.core.$ZodType): boolean {
  return factsOf(type).computed === true;
}
