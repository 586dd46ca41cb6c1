/** What a map keeps under a key; made on first use. */
export function getOrCreate<Key, Value extends object>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: (key: Key) => Value,
): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = make(key);
  map.set(key, created);
  return created;
}
