/** A JSON object as the engine sends it: inputs or outputs of a resource. */
export type Properties = Members<unknown>;

type Members<Value> = Readonly<Record<string, Value>>;

/**
 * Looks up an own member by a name that a user chose. Inherited members such as `constructor` and `toString` don't count.
 */
export function ownMember<Value>(of: Members<Value>, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/**
 * Levels of a value that states hold. What a server nests deeper is a text there. A level takes up to three of protobuf's
 * messages, and the SDKs of several languages read no more than 100 in one another.
 */
export const MOST_LEVELS = 30;

/** The value without null and undefined members, as deep as states go: null, omitted and default mean the same. */
export function withoutNulls(value: unknown, levels = MOST_LEVELS): unknown {
  if (levels === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, levels - 1));
  return withoutNullMembers(value as Properties, levels);
}

/** `withoutNulls` of an object. */
export function withoutNullMembers(properties: Properties, levels = MOST_LEVELS + 1): Properties {
  const members: [string, unknown][] = [];
  for (const [key, member] of Object.entries(properties))
    if (member !== null && member !== undefined) members.push([key, withoutNulls(member, levels - 1)]);
  return Object.fromEntries(members);
}

export function membersWhere<Value>(
  properties: Members<Value>,
  holds: (member: [name: string, value: Value]) => boolean,
): Members<Value> {
  return Object.fromEntries(Object.entries(properties).filter(holds));
}

export const pick = <Value>(properties: Members<Value>, names: ReadonlySet<string>): Members<Value> =>
  membersWhere(properties, ([name]) => names.has(name));

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
