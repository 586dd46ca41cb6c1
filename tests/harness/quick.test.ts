import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";

const { isQuick } = require("./jest/quick.cjs") as { isQuick: (file: string) => boolean };

test.each([
  ["an engine, through a scenario", "engine/refusals", false],
  ["an engine, through a file of its folder that is no test", "chaos/chaos", false],
  ["the command line", "cli/help", false],
  ["the plugin", "functions/plugin", false],
  ["a compiler by its own import", "docs/emulator", false],
  ["nothing, and is slow", "client/memory", false],
  ["nothing but an emulator in its own process", "client/calls", true],
  ["nothing at all", "lifecycle/diff", true],
])("whether npm run test:quick runs a file that starts %s", (_, name, expected) => {
  expect(isQuick(join(checkout, "tests", `${name}.test.ts`))).toBe(expected);
});

test("npm run test:quick runs what is quick, and nothing else", async () => {
  const { stdout } = await run("npm", ["run", "--silent", "test:quick", "--", "--listTests"], { cwd: checkout });
  const files = stdout.split("\n").filter((line) => line.endsWith(".test.ts"));
  expect(files).toContain(join(checkout, "tests", "lifecycle", "diff.test.ts"));
  expect(files.filter((file) => !isQuick(file))).toEqual([]);
});

test("npm test and npm run test:long run every file between them, and none twice", async () => {
  const tests = join(checkout, "tests");
  const all = readdirSync(tests, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(tests, name));
  const [everyday, long] = await Promise.all(
    ["everyday", "long"].map(async (name) => {
      const filter = require(`./jest/${name}.cjs`) as (paths: string[]) => Promise<{ filtered: string[] }>;
      return (await filter(all)).filtered;
    }),
  );
  expect([...(everyday ?? []), ...(long ?? [])].toSorted()).toEqual(all.toSorted());
  expect(long).toContain(join(tests, "chaos", "chaos.test.ts"));
});
