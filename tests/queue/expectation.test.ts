import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { expectation, mismatches, schemaProblem } from "../../provider/smoke/expectation";

test.each([
  { output: { a: 1 }, found: { a: 1, b: 2 } },
  { output: { a: { b: null } }, found: { a: { b: null, c: 1 } } },
  { output: [{ a: 1 }, 2], found: [{ a: 1, b: 1 }, 2] },
  { output: null, found: null },
  { output: {}, found: { anything: true } },
])("a partial value matches what has more members: %j", ({ output, found }) => {
  expect(mismatches({ output }, found)).toEqual([]);
});

test.each([
  { output: { a: 1 }, found: { a: "1" }, path: "/a", problem: "should be 1" },
  { output: { a: { b: 1 } }, found: { a: {} }, path: "/a/b", problem: "is missing" },
  { output: { "a/b": 1 }, found: {}, path: "/a~1b", problem: "is missing" },
  { output: [1], found: [1, 2], path: "", problem: "should be [1]" },
  { output: null, found: undefined, path: "", problem: "should be null" },
  { output: {}, found: [], path: "", problem: "should be {}" },
])("a partial value does not match %j", ({ output, found, path, problem }) => {
  expect(mismatches({ output }, found)).toEqual([expect.objectContaining({ path, problem })]);
});

test("a value that is nested thousands of levels deep is shown as any other", () => {
  const output = JSON.parse(`${"[".repeat(9_000)}${"]".repeat(9_000)}`);
  expect(mismatches({ output: 1 }, output)).toMatchObject([{ found: `${"[".repeat(200)}…` }]);
});

describe("a JSON Schema", () => {
  const schema = z.toJSONSchema(z.object({ text: z.string(), at: z.iso.datetime() }));

  test("is what the output must satisfy, with all that is wrong and where", () => {
    expect(mismatches({ schema }, { text: "x", at: "2026-01-01T00:00:00Z" })).toEqual([]);
    expect(mismatches({ schema }, { at: "yesterday" }).map(({ path }) => path)).toEqual(
      expect.arrayContaining(["", "/at"]),
    );
    expect(mismatches({ schema: { enum: ["a", "b"] } }, "c")).toMatchObject([
      { problem: expect.stringContaining('["a","b"]') },
    ]);
  });

  test("may be of an older draft, and must hold beside a partial value", () => {
    const older = { $schema: "http://json-schema.org/draft-07/schema#", type: "object", required: ["n"] };
    expect(mismatches({ schema: older }, { n: 1 })).toEqual([]);
    expect(mismatches({ schema: older, output: { n: 2 } }, { n: 1 })).toMatchObject([{ path: "/n" }]);
  });

  test("that is none is told", () => {
    expect(schemaProblem({ type: "wrong" })).toMatch(/type/);
    expect(schemaProblem({ type: "string" })).toBeUndefined();
  });
});

test("an expectation names output, schema or both, and nothing else", () => {
  expect(expectation.safeParse({ output: null }).success).toBe(true);
  expect(expectation.safeParse({ schema: true }).success).toBe(true);
  for (const wrong of [{}, { text: "hello" }, { schema: "string" }, null]) {
    expect(expectation.safeParse(wrong).success).toBe(false);
  }
});
