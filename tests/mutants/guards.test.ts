/* The list of guards is true: places, promises and tests are where it says. `npm run mutants` shows that the tests hold. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/checkout";
import { BUGS } from "../chaos/bugs";
import { GUARDS, type Guard } from "./guards";
import { TestNames, testNamesOf } from "./testNames";

const PROMISING = [
  "README.md",
  "docs/resources.md",
  "docs/security.md",
  "docs/protecting-data.md",
  "docs/fleets.md",
  "docs/rollouts.md",
];

const textOf = (file: string) => readFileSync(join(checkout, file), "utf8");
const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ");

test.each(PROMISING)("promises of %s are guarded", (page) => {
  expect(GUARDS.filter(({ promise }) => promise[0] === page).length).toBeGreaterThan(2);
});

test("each guard has a name of its own", () => {
  expect(new Set(GUARDS.map(({ name }) => name)).size).toBe(GUARDS.length);
});

/** The names of the guards of which that is not true. */
const without = (isTrue: (guard: Guard) => boolean) => GUARDS.filter((guard) => !isTrue(guard)).map(({ name }) => name);

test("each mutant breaks a place that its file holds once", () => {
  expect(without(({ file, from, to }) => to !== from && textOf(file).split(from).length === 2)).toEqual([]);
});

test("each breaks what a page promises in these words", () => {
  expect(without(({ promise: [page, words] }) => inOneLine(textOf(page)).includes(words))).toEqual([]);
});

test("each is found by a test that there is", () => {
  expect(without(({ test: [file, name] }) => testNamesOf(file).has(name))).toEqual([]);
});

test.each(BUGS)("chaos can put in its bug $name", ({ edits }) => {
  for (const { file, from } of edits) expect([file, textOf(file).split(from).length]).toEqual([file, 2]);
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
