import type { z } from "zod";
import { isRecord } from "../../../common/json";
import { factsOf, fieldsByRole } from "./fields";
import type { Properties } from "./values";

/**
 * A state holds the arguments as the service has them. That leaves two questions open. Did the program declare a value
 * that the service would also choose? And what did it declare before drift that only a replacement could repair? For
 * these arguments only, the state holds a second copy: the value that was declared last.
 */
const KEY = "__declared";

/** The arguments that a program declared last, as far as the state shows. */
export function declaredLast(schema: z.ZodObject, state: Properties): Properties {
  const noted = notes(state);
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([field, type]) => {
      const value = field in noted || isChosen(type) ? noted[field] : state[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** Arguments in a state without notes that the program may have declared or the service chosen. */
export function ambiguous(schema: z.ZodObject, state: Properties): Properties {
  const noted = notes(state);
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([field, type]) =>
      isChosen(type) && !(field in noted) && state[field] !== undefined ? [[field, state[field]]] : [],
    ),
  );
}

/** The note that a state has to hold beside the arguments; empty for most. */
export function noteOf(schema: z.ZodObject, declared: Properties, drifted: ReadonlySet<string>): Properties {
  const noted: Record<string, unknown> = {};
  for (const field of [...fieldsByRole(schema).computed, ...drifted])
    if (declared[field] !== undefined && field in schema.shape) noted[field] = declared[field];
  return Object.keys(noted).length === 0 ? {} : { [KEY]: noted };
}

/** The last declared values that a state notes, by argument. */
export function notes(state: Properties): Properties {
  const value = state[KEY];
  return isRecord(value) ? value : {};
}

/** Whether the service chooses a value if the program gives none. */
export const isChosen = (type: z.core.$ZodType): boolean => factsOf(type).computed === true;
