import { isRecord } from "../../common/json";

/** What JSON values have in common: their types, and of objects and lists what is in them. */
interface Shape {
  readonly types: Set<string>;
  readonly fields: Map<string, Shape>;
  readonly items: Shape | undefined;
}

/** Null where an account has no more than it shows. */
const BY_AMOUNT = new Set(["nextCursor"]);

/**
 * Says where two bodies differ in structure or type. Values don't count; nor does what is in a list where one of the two
 * is empty.
 */
export function differencesOf(service: unknown, emulator: unknown): string[] {
  return differences(shapeOf([service]), shapeOf([emulator]), "the body");
}

/** One shape that all of the values have. */
function shapeOf(values: readonly unknown[]): Shape {
  const records = values.filter(isRecord);
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  const lists = values.filter((value) => Array.isArray(value)).flat() as unknown[];
  return {
    types: new Set(values.map(typeOf)),
    fields: new Map(
      [...names].map((name) => [name, shapeOf(records.flatMap((record) => (name in record ? [record[name]] : [])))]),
    ),
    items: lists.length === 0 ? undefined : shapeOf(lists),
  };
}

function typeOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

function differences(service: Shape, emulator: Shape, at: string): string[] {
  const [there, here] = [service, emulator].map(({ types }) => [...types].toSorted().join(" or "));
  if (there !== here) return [`${at} is ${there} at the service, ${here} at the emulator`];
  const names = new Set([...service.fields.keys(), ...emulator.fields.keys()]);
  const ofFields = [...names].flatMap((name) => {
    const [left, right] = [service.fields.get(name), emulator.fields.get(name)];
    const field = `${at}.${name}`;
    if (left === undefined) return [`the emulator alone shows ${field}`];
    if (right === undefined) return [`the service alone shows ${field}`];
    return BY_AMOUNT.has(name) ? [] : differences(left, right, field);
  });
  const { items } = service;
  const ofItems =
    items === undefined || emulator.items === undefined ? [] : differences(items, emulator.items, `${at}[]`);
  return [...ofFields, ...ofItems];
}
