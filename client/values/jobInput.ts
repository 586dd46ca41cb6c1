import { types } from "node:util";
import { pathText } from "../../common/json";
import { UsageError } from "../errors";

const { isAnyArrayBuffer, isMap, isPromise, isRegExp, isSet } = types;

const has = (value: object, member: PropertyKey): boolean => typeof Reflect.get(value, member) === "function";

const prototypes: readonly unknown[] = [Object.prototype, Array.prototype, null];

/** What JSON would silently send as `{}`, as a list of numbers or not at all, and what to pass instead. */
const lossy: readonly (readonly [is: (value: object) => boolean, what: string, wayOut: string])[] = [
  [(value) => isPromise(value) || has(value, "then"), "a promise", "await it"],
  [isMap, "a Map", "pass Object.fromEntries(map)"],
  [isSet, "a Set", "pass [...set]"],
  [(value) => isAnyArrayBuffer(value) || ArrayBuffer.isView(value), "a buffer", "pass it as base64, or its address"],
  [(value) => value instanceof Blob, "a file", "pass it as base64, or its address"],
  [
    (value) => has(value, "pipe") || has(value, "getReader") || has(value, Symbol.asyncIterator),
    "a stream",
    "read it, or pass its address",
  ],
  [isRegExp, "a regular expression", "pass its source"],
  [(value) => value instanceof Error, "an error", "pass its message"],
];

/**
 * Refuses a job's input that JSON can't hold: the job would run without it, and be paid.
 *
 * @param input without cycles
 * @throws UsageError with the path of the value
 */
export function checkInput(operation: string, input: unknown, path: PropertyKey[] = ["input"]): void {
  if (typeof input === "number" && !Number.isFinite(input))
    throw refusal(operation, path, String(input), "pass a number or null");
  if (typeof input === "function" || typeof input === "symbol")
    throw refusal(operation, path, `a ${typeof input}`, "leave it out");
  if (typeof input !== "object" || input === null) return;
  // A plain object that is a promise or a stream has functions, which are refused as such.
  // mutant lossy-input: undefined
  const loss = prototypes.includes(Object.getPrototypeOf(input)) ? undefined : lossy.find(([is]) => is(input));
  if (loss !== undefined) throw refusal(operation, path, loss[1], loss[2]);
  // It says itself what JSON has of it, as a Date does.
  if (has(input, "toJSON")) return;
  for (const [key, member] of Object.entries(input)) {
    path.push(Array.isArray(input) ? Number(key) : key);
    checkInput(operation, member, path);
    path.pop();
  }
}

function refusal(operation: string, path: PropertyKey[], what: string, wayOut: string): UsageError {
  return new UsageError(
    `${operation}: ${pathText(path)} is ${what}, which JSON can't hold: ${wayOut}. Nothing was sent.`,
  );
}

/** Whether a job has nothing in it. The service's workers take no such job: it is given back until its time is over. */
export function isEmptyInput(input: unknown): boolean {
  return (
    input === null ||
    (typeof input === "object" && Object.keys(input).length === 0 && typeof Reflect.get(input, "toJSON") !== "function")
  );
}
