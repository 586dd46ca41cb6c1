import { isDeepStrictEqual } from "node:util";
import { isRecord, jsonOf } from "../../common/json";
import { messageOf } from "../../common/messageOf";
import { z } from "../../common/zod";
import { valueAt } from "../lifecycle/fields/values";

export const expectation = z
  .strictObject({
    output: z
      .unknown()
      .optional()
      .describe(
        "Compared deeply. Objects may have more members than named here; lists and plain values must be the same: " +
          '`{ output: { status: "ok" } }`. An integer beyond 2^53 is written as a string of its digits.',
      ),
    schema: z
      .union([z.boolean(), z.record(z.string(), z.unknown())])
      .optional()
      .describe(
        "JSON Schema, draft 2020-12 unless its `$schema` names draft 7 or older: `{ schema: z.toJSONSchema(Reply) }`.",
      ),
  })
  .refine((expect) => "output" in expect || "schema" in expect, "names neither output nor schema")
  .describe("What a job's output must be; where both are given, both must hold.");
export type Expectation = z.output<typeof expectation>;

/** A place where an output is not as expected. */
export interface Mismatch {
  /** JSON pointer; empty for the output itself. */
  readonly path: string;
  readonly problem: string;
  /** The value at that place, as JSON. */
  readonly found: string;
}

/**
 * Differences between the output and what was expected; empty when it matches.
 *
 * @param exact the output with exact integers
 */
export function mismatches(expect: Expectation, output: unknown, exact = output): Mismatch[] {
  return [
    ...("output" in expect ? partial(expect.output, exact, "") : []),
    ...(expect.schema === undefined ? [] : schemaMismatches(expect.schema, output)),
  ];
}

/** Why a value can't be a JSON Schema; undefined if it can. */
export function schemaProblem(schema: NonNullable<Expectation["schema"]>): string | undefined {
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Where a value lacks what is expected of it: objects may have more members, all else must be the same. */
export function partial(expected: unknown, actual: unknown, path: string): Mismatch[] {
  if (isRecord(expected) && isRecord(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      Object.hasOwn(actual, key)
        ? partial(value, actual[key], `${path}/${pointerPart(key)}`)
        : [{ path: `${path}/${pointerPart(key)}`, problem: "is missing", found: show(actual) }],
    );
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((value, index) => partial(value, actual[index], `${path}/${index}`));
  }
  if (isDeepStrictEqual(expected, actual) || (isLong(actual) && expected === String(actual))) return [];
  const wayOut = isLong(expected) ? "; an integer beyond 2^53 is written as a string of its digits" : "";
  return [{ path, problem: `should be ${show(expected)}${wayOut}`, found: show(actual) }];
}

const isLong = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

function schemaMismatches(schema: NonNullable<Expectation["schema"]>, output: unknown): Mismatch[] {
  const validate = compile(schema);
  if (validate(output)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = "does not match the schema", params }) => ({
    path: instancePath,
    problem: "allowedValues" in params ? `${message}: ${show(params.allowedValues)}` : message,
    found: show(at(output, instancePath)),
  }));
}

/** Loads the validator on first use: most smoke jobs don't need it. */
function compile(schema: NonNullable<Expectation["schema"]>) {
  const older = isRecord(schema) && /draft-0[67]/.test(String(schema.$schema));
  const { default: Ajv } = older
    ? (require("ajv") as typeof import("ajv"))
    : (require("ajv/dist/2020") as typeof import("ajv/dist/2020"));
  const { default: addFormats } = require("ajv-formats") as typeof import("ajv-formats");
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormats(ajv);
  return ajv.compile(schema);
}

function at(value: unknown, pointer: string): unknown {
  const keys = pointer.split("/").slice(1);
  return valueAt(
    value,
    keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~")),
  );
}

const pointerPart = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

const LONGEST_SHOWN = 200;

/** A value as JSON, shortened. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : jsonOf(value);
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
}
