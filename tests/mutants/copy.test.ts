import { readFileSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { Copy, type Edit } from "./copy";
import { runTests } from "./trial";

const FILE = "tests/lifecycle/unknown.test.ts";
const NAME = "the text for a value not known yet is the engine's";
const FILE_OF_BUG = "provider/lifecycle/fields/unknown.ts";
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const start = readFileSync(join(checkout, FILE_OF_BUG), "utf8").indexOf(UNKNOWN);
const EDIT: Edit = { file: FILE_OF_BUG, start, end: start + UNKNOWN.length, to: UNKNOWN.replace("ba9", "bb0") };

let copy: Copy;
beforeAll(async () => {
  copy = await Copy.make(`copy-test-${process.pid}`);
});
afterAll(() => copy.remove());

test("a copy of the checkout imports itself by the package's name, in tests, programs and examples", async () => {
  const folder = await realpath(copy.folder);
  for (const place of ["tests/engine", ".computecloud", "examples/fleet"]) {
    const resolved = createRequire(join(folder, place, "file.js")).resolve("pulumi-computecloud/provider");
    expect(resolved).toBe(join(folder, "dist/provider/index.js"));
  }
});

test("a test fails in a copy with a bug, and passes without it", async () => {
  await copy.apply([EDIT]);
  expect(await readFile(join(copy.folder, "dist/provider/lifecycle/fields/unknown.js"), "utf8")).toContain(EDIT.to);
  expect((await runTests(copy, [FILE])).statuses.get(NAME)).toBe("failed");
  await copy.restore([EDIT]);
  expect(await readFile(join(copy.folder, "dist/provider/lifecycle/fields/unknown.js"), "utf8")).not.toContain(EDIT.to);
  expect((await runTests(copy, [FILE])).statuses.get(NAME)).toBe("passed");
});
