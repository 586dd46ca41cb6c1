import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../common/json";
import { z } from "../../../common/zod";
import { bare, defaultOf, factsOf } from "./fields";
import { type Properties, valueAt, withoutNulls } from "./values";

/*
 * An import knows a resource by its id only. Some arguments it can't read, because the service doesn't show them. Others
 * it must not read: the engine would print secrets in the code that it generates. The state holds the paths of both. The
 * arguments hold them too, until a program declares the resource for the first time.
 *
 * That first declaration is assumed to match the resource; nothing can verify it. From then on the arguments of the last
 * run supply what the state lacks.
 */

const KEY = "__unread";

/** Placeholder for a text that a program has to declare, in imported arguments and in the code that is printed for them. */
export const PLACEHOLDER = "(not readable: fill in)";

/** The paths of arguments that an import does not read. */
export function unreadPaths(schema: z.ZodObject, prefix = ""): string[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const { control, writeOnly, secret, declaredKeys } = factsOf(field);
    const path = prefix + key;
    if (control) return [];
    if (writeOnly || secret || declaredKeys) return [path];
    const inner = bare(field);
    return inner instanceof z.ZodObject ? unreadPaths(inner, `${path}.`) : [];
  });
}

/**
 * The arguments that a program would have to declare, as the service shows them. Those that it could leave out are left
 * out.
 */
export function declarable(schema: z.ZodObject, observed: Properties): Properties {
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([key, field]): [string, unknown][] => {
      const { control, trigger, writeOnly, secret, declaredKeys, initially } = factsOf(field);
      if (control || trigger || writeOnly || secret || declaredKeys) {
        return (writeOnly || secret) && !field.safeParse(undefined).success ? [[key, PLACEHOLDER]] : [];
      }
      const value = declarableValue(field, withoutNulls(observed[key]));
      const isDefault = isDeepStrictEqual(value, initially ?? defaultOf(field));
      return value === undefined || value === null || isDefault ? [] : [[key, value]];
    }),
  );
}

function declarableValue(field: z.core.$ZodType, value: unknown): unknown {
  const inner = bare(field);
  if (inner instanceof z.ZodObject && isRecord(value)) return declarable(inner, value);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => declarableValue(inner.element, each));
  return value;
}

export const noteUnread = (paths: readonly string[]): Properties => (paths.length === 0 ? {} : { [KEY]: paths });

export function unreadIn(properties: Properties): readonly string[] {
  const paths = properties[KEY];
  return Array.isArray(paths) ? paths.map(String) : [];
}

export const withoutNote = ({ [KEY]: _, ...others }: Properties): Properties => others;

/** The state with the values that only the arguments of the last run hold. */
export function withDeclared(state: Properties, declared: Properties): Properties {
  const paths = unreadIn(state);
  // No program has declared the resource yet.
  if (paths.length === 0 || unreadIn(declared).length > 0) return state;
  return paths.reduce(
    (to, path) => placed(to, path.split("."), valueAt(declared, path.split("."))),
    withoutNote(state),
  );
}

function placed(properties: Properties, [key = "", ...rest]: readonly string[], value: unknown): Properties {
  const { [key]: here, ...others } = properties;
  const next = rest.length === 0 ? value : isRecord(here) ? placed(here, rest, value) : here;
  return next === undefined ? others : { ...others, [key]: next };
}
