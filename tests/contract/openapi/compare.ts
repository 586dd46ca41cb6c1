import { follow, type JsonSchema, type OpenApi } from "./document";

/**
 * The properties that a schema names, by their paths, and whether each is required, however the schema is put together. A
 * union requires what all of its members require.
 */
export function propertiesOf(document: OpenApi, schema: JsonSchema, at: string): Map<string, boolean> {
  const { properties = {}, required = [], items, allOf = [], anyOf = [], oneOf = [] } = follow(document, schema);
  const all = new Map<string, boolean>();
  const add = (parts: readonly Map<string, boolean>[]) => {
    for (const path of new Set(parts.flatMap((part) => [...part.keys()])))
      all.set(path, all.get(path) === true || parts.every((part) => part.get(path) === true));
  };
  const addUnion = (members: readonly JsonSchema[]) => add(members.map((member) => propertiesOf(document, member, at)));
  add([new Map(Object.keys(properties).map((name) => [`${at}.${name}`, false]))]);
  add([new Map(required.map((name) => [`${at}.${name}`, true]))]);
  for (const [name, inner] of Object.entries(properties)) add([propertiesOf(document, inner, `${at}.${name}`)]);
  if (items !== undefined) add([propertiesOf(document, items, `${at}[]`)]);
  for (const part of allOf) addUnion([part]);
  for (const union of [anyOf, oneOf]) addUnion(union);
  return all;
}

/** Where two such schemas differ. */
export const differences = (ours: ReadonlyMap<string, boolean>, theirs: ReadonlyMap<string, boolean>): string[] =>
  [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((path) => {
    const [our, their] = [ours.get(path), theirs.get(path)];
    if (our === undefined) return [`${path} is only in the contract`];
    if (their === undefined) return [`${path} is only in the emulator`];
    return our === their ? [] : [`${path} is required only in the ${our ? "emulator" : "contract"}`];
  });
