/* The comments that name guards and their tests belong together. `npm run tool tests/mutants/main.ts` shows that the tests hold. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { checkout } from "../../tools/run/environment";
import { guards, mutantsIn } from "./guards";
import { TestNames, testsIn } from "./testNames";

const all = guards();

test("each guard has a mutant in the sources and a test that finds it, and there are 60 to 130", () => {
  expect(all.filter(({ edits, tests }) => edits.length === 0 || tests.length === 0)).toEqual([]);
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(all.length).toBeLessThanOrEqual(130);
});

/** Words of the replacements that belong to the language. */
const LANGUAGE = /^(true|false|undefined|return|throw|new|Error|Map|lost)$/;

test("each mutant makes another program of its source, with names that the source has", () => {
  const wrong = all.flatMap(({ name, edits }) =>
    edits.flatMap(({ file, start, end, to }) => {
      const text = readFileSync(join(checkout, file), "utf8");
      const mutant = text.slice(0, start) + to + text.slice(end);
      const { diagnostics } = ts.transpileModule(mutant, { reportDiagnostics: true });
      // With a name that a rename has changed, any test would fail.
      const code = text.replaceAll(/\/\/ mutant .*/g, "");
      const names = (to.match(/[a-z]\w*/gi) ?? []).filter((word) => !LANGUAGE.test(word));
      const areThere = names.every((word) => new RegExp(`\\b${word}\\b`).test(code));
      return mutant !== text && diagnostics?.length === 0 && areThere ? [] : [name];
    }),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ["a condition", "true", "if (a) f();", "if (true) f();"],
  ["the condition of a value", "false", "const b = a ? 1 : 2;", "const b = false ? 1 : 2;"],
  ["a value", "c", "return a ? 1 : 2;", "return c;"],
  ["a statement", "return c;", "if (a) return 1;", "return c;"],
  ["a statement that is gone", "gone", "f();", ""],
])("a mutant changes %s", (_, to, from, changed) => {
  const text = `function g() {\n  // mutant some: ${to}\n  ${from}\n  h();\n}`;
  const mutants = mutantsIn("g.ts", text).map(
    ({ edit: { start, end, to } }) => text.slice(0, start) + to + text.slice(end),
  );
  expect(mutants).toEqual([text.replace(from, changed)]);
});

test("a test names its mutants in the comment above it", () => {
  const tests = testsIn(`
    describe("a pod", () => {
      // finds mutants no-note
      test.each([1, 2])("is made of %s", () => {});
    });`);
  expect(tests).toEqual([{ pattern: "^a pod is made of ([^]*)$", comments: "// finds mutants no-note" }]);
});

describe("a test's name is found", () => {
  const names = new TestNames(`
    describe("a pod", () => {
      test("is made", () => {});
      test.each([["cloud", 1], ["disk of 2 GB", 2]])("is replaced for %s", () => {});
      describe.each(["a", "b"])("at $place.of", () => { it(\`runs \${jobs} jobs\`, () => {}); });
    });
    test("(alone) + by itself?", () => {});`);
  test.each([
    ["a pod is made", true],
    ["a pod is made again", false],
    ["is made", false],
    ["a pod is replaced for disk of 2 GB", true],
    ["a pod is replaced for memory", false],
    ["a pod at b runs jobs jobs", true],
    ["(alone) + by itself?", true],
  ])("%s: %s", (name, expected) => expect(names.has(name)).toBe(expected));
});
