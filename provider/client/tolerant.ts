import { z } from "zod";
import { ContractError, type ErrorFacts } from "./errors";
import { isRecord, pathText } from "./json";

/**
 * An answer as it may really come. Only ids are sure: any other field may be missing, because the service left it out
 * or because it could not be read, and a field that holds one of several words may hold one that nobody knew.
 */
export type Tolerant<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends readonly (infer Item)[]
    ? Tolerant<Item>[]
    : T extends object
      ? string extends keyof T
        ? { [Key in keyof T]: Tolerant<T[Key]> }
        : { [Key in keyof T as Key extends "id" ? Key : never]: T[Key] } & {
            [Key in keyof T as Key extends "id" ? never : Key]?: Tolerant<T[Key]> | undefined;
          }
      : T;

type Path = readonly (string | number)[];
type Reading = { readonly value: unknown } | { readonly unreadable: Path };

/**
 * Reads an answer by the schema that the contract promises, and takes from it what can be read: unknown fields are
 * dropped, and so is a field that holds something else than promised. One odd field must not hide the rest.
 *
 * @throws ContractError when it has no readable id, or is something else altogether
 */
export function readTolerantly<T>(schema: z.ZodType<T>, value: unknown, facts: ErrorFacts): Tolerant<T> {
  const reading = read(schema, value);
  if ("value" in reading) return reading.value as Tolerant<T>;
  throw unreadable(facts, reading.unreadable);
}

/** One page of a list, as far as it can be read. */
export interface Page<Item> {
  readonly items: readonly Tolerant<Item>[];
  /** Says where the first item stands that has no readable id. */
  readonly unreadable: ContractError | undefined;
  /** Cursor of the page that follows. */
  readonly next: string | undefined;
}

/**
 * Reads one page of a list item by item: one that cannot be read does not hide the others.
 *
 * @throws ContractError when there is no list under that key
 */
export function readPage<Item>(schema: z.ZodType, value: unknown, key: string, facts: ErrorFacts): Page<Item> {
  const item = itemSchema(schema, key);
  const page = isRecord(value) ? value : {};
  const listed = page[key];
  if (!Array.isArray(listed)) throw unreadable(facts, [key]);
  const readings = listed.map((each) => read(item, each));
  const first = readings.findIndex((reading) => "unreadable" in reading);
  const place = readings[first];
  return {
    items: readings.flatMap((reading) => ("value" in reading ? [reading.value as Tolerant<Item>] : [])),
    unreadable: place && "unreadable" in place ? unreadable(facts, [key, first, ...place.unreadable]) : undefined,
    next: nextCursor(page.pagination),
  };
}

function nextCursor(pagination: unknown): string | undefined {
  if (!isRecord(pagination) || pagination.hasNextPage !== true) return undefined;
  return typeof pagination.nextCursor === "string" ? pagination.nextCursor : undefined;
}

/** A field that the caller can't go on without. @throws ContractError that names the thing and the field */
export function needed<T extends object, Field extends keyof T & string>(
  kind: string,
  answer: T,
  field: Field,
): NonNullable<T[Field]> {
  const value = answer[field];
  if (value !== undefined && value !== null) return value;
  throw unreadable({ kind, id: "id" in answer && typeof answer.id === "string" ? answer.id : undefined }, [field]);
}

function unreadable(facts: ErrorFacts, path: Path): ContractError {
  const place = pathText(path);
  return new ContractError(
    `${[facts.kind, facts.id].filter(Boolean).join(" ")}: the answer is not what the contract promises: ` +
      `${place || "(whole answer)"} is missing or cannot be read. ` +
      "Run `npx computecloud contract-check` and update the package.",
    { ...facts, path: place },
  );
}

function itemSchema(schema: z.ZodType, key: string): z.core.$ZodType {
  const list = schema instanceof z.ZodObject ? schema.shape[key] : undefined;
  if (!(list instanceof z.ZodArray)) throw new TypeError(`the reply has no list ${key}`);
  return list.element;
}

const nothing: Reading = { unreadable: [] };

function read(schema: z.core.$ZodType, value: unknown): Reading {
  if (schema instanceof z.ZodOptional) return value === undefined ? { value } : read(schema.unwrap(), value);
  if (schema instanceof z.ZodNullable) return value === null ? { value } : read(schema.unwrap(), value);
  if (schema instanceof z.ZodDefault) {
    return value === undefined ? { value: schema.def.defaultValue } : read(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodObject) return readObject(schema, value);
  if (schema instanceof z.ZodArray) return readArray(schema.element, value);
  if (schema instanceof z.ZodRecord) return readRecord(schema.valueType, value);
  if (schema instanceof z.ZodEnum) return typeof value === "string" ? { value } : nothing;
  if (schema instanceof z.ZodNumber) return Number.isFinite(value) ? { value } : nothing;
  // Strings, booleans, unions, anything: as promised, or not at all.
  const parsed = z.safeParse(schema, value);
  return parsed.success ? { value: parsed.data } : nothing;
}

function readObject(schema: z.ZodObject, value: unknown): Reading {
  if (!isRecord(value)) return nothing;
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const reading = read(field, value[name]);
    if ("unreadable" in reading) {
      if (name === "id") return { unreadable: [name, ...reading.unreadable] };
    } else if (reading.value !== undefined) {
      fields[name] = reading.value;
    }
  }
  return { value: fields };
}

/** Half of a list would say that the other half is gone: it is read to the last item, or not at all. */
function readArray(element: z.core.$ZodType, value: unknown): Reading {
  if (!Array.isArray(value)) return nothing;
  const items: unknown[] = [];
  for (const [index, each] of value.entries()) {
    const reading = read(element, each);
    if ("unreadable" in reading) return { unreadable: [index, ...reading.unreadable] };
    items.push(reading.value);
  }
  return { value: items };
}

function readRecord(valueType: z.core.$ZodType, value: unknown): Reading {
  if (!isRecord(value)) return nothing;
  const entries: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value)) {
    const reading = read(valueType, each);
    if ("unreadable" in reading) return { unreadable: [name, ...reading.unreadable] };
    entries.push([name, reading.value]);
  }
  return { value: Object.fromEntries(entries) };
}
