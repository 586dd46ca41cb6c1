/** A JSON object as the engine sends it: inputs or outputs of a resource. */
export type Properties = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Properties {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * Looks up an own member by a name that a user chose. Inherited members such as `constructor` and `toString` don't count.
 */
export function ownMember<Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/** The value without null and undefined members, at any depth: null, omitted and default mean the same. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isObject(value) ? withoutNullMembers(value) : value;
}

/** `withoutNulls` of an object. */
export function withoutNullMembers(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, member]) =>
      member === null || member === undefined ? [] : [[key, withoutNulls(member)]],
    ),
  );
}

export function pick<Value>(
  properties: Readonly<Record<string, Value>>,
  names: ReadonlySet<string>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => names.has(name)));
}

/** The member at a path, or undefined. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at !== null && typeof at === "object" && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
}

/** All texts in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
