import { isDeepStrictEqual } from "node:util";
import { isObject, type Properties, valueAt } from "../../provider/lifecycle/fields/values";
import { type Adoptable, SecretValue } from "./found";

/** A table of fewer is longer than they are. */
const FEWEST = 3;

/** The groups of resources that a loop can declare: of one kind, and at most a third of their values differ from the first's. */
export function lookAlikes<Resource extends Adoptable>(resources: readonly Resource[]): readonly Resource[][] {
  const groups: [Resource, ...Resource[]][] = [];
  for (const each of resources) {
    const group = groups.find(([first]) => areAlike(first, each));
    if (group === undefined) groups.push([each]);
    else group.push(each);
  }
  return groups.filter(({ length }) => length >= FEWEST);
}

function areAlike(one: Adoptable, other: Adoptable): boolean {
  if (one.kind !== other.kind || one.protect !== other.protect || one.id === "") return false;
  const paths = leafPaths([one.args, other.args]).filter(([key]) => key !== "name");
  const differing = paths.filter((path) => {
    const [mine, theirs] = [one, other].map(({ args }) => valueAt(args, path));
    // Secrets count as equal: each is read from the configuration.
    return !(isSecret(mine) && isSecret(theirs)) && !isDeepStrictEqual(mine, theirs);
  });
  return differing.length * 3 <= paths.length && differing.every((path) => canBeColumn(path, one.args, other.args));
}

/** The names of the members of those that are objects. */
export function memberNames(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.flatMap((each) => (isObject(each) && !isSecret(each) ? Object.keys(each) : [])))];
}

/** The paths of all values that aren't objects. */
function leafPaths(values: readonly unknown[], path: readonly string[] = []): readonly (readonly string[])[] {
  const names = memberNames(values);
  if (names.length === 0) return [path];
  return names.flatMap((name) => leafPaths(membersOf(values, name), [...path, name]));
}

export const membersOf = (values: readonly unknown[], name: string) => values.map((each) => valueAt(each, [name]));

const isSecret = (value: unknown): boolean => value instanceof SecretValue;

/** In a row without a value the column is `undefined`, and the compiler takes a mode in capitals for any text. */
function canBeColumn(path: readonly string[], one: Properties, other: Properties): boolean {
  const [key = ""] = path;
  const values = [one, other].map((args) => valueAt(args, path));
  if (key === "env") return values.every((value) => value !== undefined);
  if (path.length > 1 && [one, other].some((args) => !isObject(args[key]))) return false;
  return values.every((value) =>
    Array.isArray(value) ? !value.some(isObject) : !isObject(value) && !/^[A-Z][A-Z0-9_]+$/.test(String(value)),
  );
}
