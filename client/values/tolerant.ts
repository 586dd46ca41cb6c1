import { cached } from "../../common/cached";
import { isRecord } from "../../common/json";
import { printableLine } from "../../common/printable";
import { z } from "../../common/zod";
import { ContractError, type ErrorFacts } from "../errors";
import { unreadable } from "./conform";

/**
 * An answer as the service may really send it. Only ids are certain. Any other field may be missing, because the service left
 * it out or because it was unreadable. An enumeration may have a value that the contract does not list.
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

/**
 * Reads an answer by the contract's schema, as far as possible. Unknown fields and fields of a wrong type are dropped, because
 * one odd field must not hide the rest.
 *
 * @throws ContractError when the id is unreadable, or the answer as a whole
 */
export function readTolerantly<T>(schema: z.ZodType<T>, value: unknown, facts: ErrorFacts): Tolerant<T> {
  const read = readerOf(schema)(value);
  if (read instanceof Unreadable) throw unreadable(facts, read.path);
  // Without an id, the resource could neither be read again nor be recorded in the state.
  if (isRecord(read) && read.id === "") throw unreadable(facts, ["id"]);
  return read as Tolerant<T>;
}

/** The readable items of one page of a list. */
export interface Page<Item> {
  readonly items: readonly Tolerant<Item>[];
  /** Names the place of the first item without a readable id. */
  readonly unreadable: ContractError | undefined;
  /** Cursor of the next page. */
  readonly next: string | undefined;
}

/**
 * Reads one page of a list item by item. An unreadable item does not hide the others.
 *
 * @throws ContractError when there is no list under that key, or no cursor of the page that follows
 */
export function readPage<Item>(
  schema: z.ZodType | undefined,
  value: unknown,
  key: string,
  facts: ErrorFacts,
): Page<Item> {
  const reader = readerOf(itemSchema(schema, key));
  const page = isRecord(value) ? value : {};
  const listed = page[key];
  if (!Array.isArray(listed)) throw unreadable(facts, [key]);
  const items: Tolerant<Item>[] = [];
  let first: Path | undefined;
  for (const each of listed) {
    const read = reader(each);
    // One comparison for a readable item: a list may have thousands.
    if (read === each || !(read instanceof Unreadable)) items.push(read as Tolerant<Item>);
    else first ??= [key, listed.indexOf(each), ...read.path];
  }
  return { items, unreadable: first && unreadable(facts, first), next: nextCursor(page.pagination, facts) };
}

/** @throws ContractError when a page follows and nothing says which: what it shows would look deleted */
function nextCursor(pagination: unknown, facts: ErrorFacts): string | undefined {
  if (!isRecord(pagination) || pagination.hasNextPage === false) return undefined;
  const { hasNextPage, nextCursor } = pagination;
  if (typeof nextCursor === "string" && nextCursor !== "") return nextCursor;
  if (hasNextPage !== true) return undefined;
  throw unreadable(facts, ["pagination", "nextCursor"]);
}

/** A field that the caller needs. @throws ContractError that names the resource and the field, if it is missing */
export function needed<T extends object, Field extends keyof T & string>(
  kind: string,
  answer: T,
  field: Field,
): NonNullable<T[Field]> {
  const value = answer[field];
  if (value !== undefined && value !== null) return value;
  throw unreadable({ kind, id: "id" in answer && typeof answer.id === "string" ? answer.id : undefined }, [field]);
}

/** The answer to a call about one resource. @throws ContractError when it shows another one, as a mock's or a cache's may */
export function about<T extends { id: string }>(kind: string, id: string, answer: T): T {
  // mutant another-resource-answers: true
  if (answer.id === id) return answer;
  const message =
    `${kind} ${id}: the answer shows ${printableLine(answer.id)} instead. Nothing is known to be done: a gateway, a mock or ` +
    "a cache probably answers at this address. Check the configured address and any proxy.";
  throw new ContractError(message, { kind, id, path: "id" });
}

function itemSchema(schema: z.ZodType | undefined, key: string): z.core.$ZodType {
  const list = schema instanceof z.ZodObject ? schema.shape[key] : undefined;
  if (!(list instanceof z.ZodArray)) throw new TypeError(`the reply has no list ${key}`);
  return list.element;
}

/** An unreadable value, and the path of the unreadable part. */
class Unreadable {
  constructor(readonly path: Path) {}
}

const nothing = new Unreadable([]);

/** The readable part of a value. A fully readable value is returned itself, because copying costs more than checking. */
type Reader = (value: unknown) => unknown;

/** Cached, because inspecting a schema takes longer than reading a value. */
const readerOf = cached(newReader);

function newReader(schema: z.core.$ZodType): Reader {
  if (schema instanceof z.ZodOptional) return unless(undefined, undefined, schema.unwrap());
  if (schema instanceof z.ZodNullable) return unless(null, null, schema.unwrap());
  if (schema instanceof z.ZodDefault) return unless(undefined, schema.def.defaultValue, schema.unwrap());
  if (schema instanceof z.ZodObject) return objectReader(schema);
  if (schema instanceof z.ZodArray) return arrayReader(schema.element);
  if (schema instanceof z.ZodRecord) return recordReader(schema.valueType);
  if (schema instanceof z.ZodEnum) return (value) => (typeof value === "string" ? value : nothing);
  if (schema instanceof z.ZodNumber) return (value) => (Number.isFinite(value) ? value : nothing);
  if (schema instanceof z.ZodBoolean) return (value) => (typeof value === "boolean" ? value : nothing);
  if (schema instanceof z.ZodString && isPlain(schema)) {
    return (value) => (typeof value === "string" ? value : nothing);
  }
  // Unions and anything else are read whole or not at all.
  return (value) => {
    const parsed = z.safeParse(schema, value);
    return parsed.success ? parsed.data : nothing;
  };
}

/** The type of which every value is readable, so that `typeof` is enough. */
function plainTypeOf(schema: z.core.$ZodType | undefined): "string" | "boolean" | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return plainTypeOf(schema.unwrap());
  }
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodEnum) return "string";
  return schema instanceof z.ZodString && isPlain(schema) ? "string" : undefined;
}

const isPlain = ({ format, def }: z.ZodString): boolean => format === null && (def.checks ?? []).length === 0;

function unless(absent: null | undefined, meaning: unknown, schema: z.core.$ZodType): Reader {
  const reader = readerOf(schema);
  return (value) => (value === absent ? meaning : reader(value));
}

function objectReader(schema: z.ZodObject): Reader {
  const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, readerOf(field)]));
  // Few fields have a default. Only these, and the id, matter when they are missing.
  const missing = Object.keys(schema.shape).filter((name) => {
    const meaning = fields.get(name)?.(undefined);
    return meaning instanceof Unreadable ? name === "id" : meaning !== undefined;
  });

  const typed = new Map([...fields].map(([name, reader]) => [name, { reader, type: plainTypeOf(schema.shape[name]) }]));
  const isWhole = (value: Record<string, unknown>) => {
    for (const name in value) {
      const field = value[name];
      const expected = typed.get(name);
      if (expected === undefined) return false;
      if (typeof field !== expected.type && expected.reader(field) !== field) return false;
    }
    for (const name of missing) if (value[name] === undefined) return false;
    return true;
  };

  return (value) => {
    if (!isRecord(value)) return nothing;
    if (isWhole(value)) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, reader] of fields) {
      const read = reader(value[name]);
      if (read instanceof Unreadable) {
        if (name === "id") return new Unreadable([name, ...read.path]);
      } else if (read !== undefined) {
        copy[name] = read;
      }
    }
    return copy;
  };
}

/** Reads a list whole or not at all: with a partial list, the missing items would look deleted. */
function arrayReader(element: z.core.$ZodType): Reader {
  const reader = readerOf(element);
  return (value) => {
    if (!Array.isArray(value)) return nothing;
    if (value.every((each) => reader(each) === each)) return value;
    const items: unknown[] = [];
    for (const each of value) {
      const read = reader(each);
      if (read instanceof Unreadable) return new Unreadable([items.length, ...read.path]);
      items.push(read);
    }
    return items;
  };
}

function recordReader(valueType: z.core.$ZodType): Reader {
  const reader = readerOf(valueType);
  const isWhole = (value: Record<string, unknown>) => {
    for (const name in value) if (reader(value[name]) !== value[name]) return false;
    return true;
  };
  return (value) => {
    if (!isRecord(value)) return nothing;
    if (isWhole(value)) return value;
    const entries: [string, unknown][] = [];
    for (const [name, each] of Object.entries(value)) {
      const read = reader(each);
      if (read instanceof Unreadable) return new Unreadable([name, ...read.path]);
      entries.push([name, read]);
    }
    return Object.fromEntries(entries);
  };
}
