/* What the guides list is what there is. */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { commands } from "../../cli/commands";
import * as client from "../../client";
import { variables } from "../../client/settings";
import { Catalog } from "../../emulator/catalog/catalog";
import manifest from "../../package.json";
import { checkout } from "../../tools/run/environment";
import { textOf } from "./pages";

/** What stands in code at the beginning of a table's lines. */
function firstCells(page: string): string[] {
  return Array.from(textOf(page).matchAll(/^\| `([^`]+)`/gm), ([, cell = ""]) => cell);
}

test("errors.md has a line for every class of error that the client exports, and for no other", () => {
  const classes = Object.entries(client).flatMap(([name, value]) =>
    name !== "ComputeCloudError" && typeof value === "function" && value.prototype instanceof client.ComputeCloudError
      ? [name]
      : [],
  );
  expect(classes.length).toBeGreaterThan(20);
  const inHeadings = Array.from(textOf("docs/errors.md").matchAll(/^## (\w+Error)$/gm), ([, name = ""]) => name);
  expect([...firstCells("docs/errors.md"), ...inHeadings].sort()).toEqual(classes.sort());
});

test("command-line.md lists every command, as the help does", () => {
  // A table of their JSON follows.
  expect(firstCells("docs/command-line.md").slice(0, commands.length)).toEqual(commands.map(({ usage }) => usage));
});

test("installation-configuration.md lists every setting, with its variable", () => {
  const lines = textOf("docs/installation-configuration.md").matchAll(/^\| `computecloud:(\w+)`.*?\| `(\w+)` \|/gm);
  const listed = Array.from(lines, ([, name, variable]) => [name, variable]);
  expect(listed.sort()).toEqual(Object.entries(variables).sort());
});

describe("each guide", () => {
  const [listed = ""] = textOf("docs/README.md").split("## Inside");
  const pages = Array.from(listed.matchAll(/^\| \[.+?\]\(([a-z-]+\.md)\)/gm), ([, page = ""]) => page);

  test.each(pages)("%s is short, and says what comes next", (page) => {
    const text = textOf(`docs/${page}`);
    const lines = text.trimEnd().split("\n");
    // A reference is searched, not read.
    if (page !== "errors.md") expect(text.split(/\s+/).length).toBeLessThanOrEqual(2500);
    expect(lines.slice(-7).join("\n")).toMatch(/^(Next: |## Next$)/m);
  });
});

test("gpus.md lists the pools that the catalog has, with as much memory", () => {
  const lines = Array.from(textOf("docs/gpus.md").matchAll(/^\| `(\w+)` \|.*?\| (\d+)(?: to (\d+))? \|$/gm));
  const listed = lines.map(([, pool, least, most = least]) => [pool, Number(least), Number(most)]);
  const expected = Array.from(new Catalog({ gpus: [], dataCenters: [] }).gpuPools, ([pool, types]) => {
    const memory = types.map((type) => type.memory);
    return [pool, Math.min(...memory), Math.max(...memory)];
  });
  expect(listed).toEqual(expected);
});

test.each(["CONTRIBUTING.md", "README.md", ...globSync(".github/**/*.{md,yml}", { cwd: checkout })])(
  "%s names scripts and files of the repository that there are",
  (page) => {
    const text = textOf(page);
    const scripts = Array.from(text.matchAll(/npm run (?:--silent )?([\w:]+)/g), ([, name]) => name);
    expect(scripts.filter((name = "") => !(name in manifest.scripts))).toEqual([]);
    const files = text.match(/(?<=[\s`(])(?:tests|tools|cli|docs)\/[\w/.]+\.\w+/g) ?? [];
    expect(files.filter((file) => !existsSync(join(checkout, file)))).toEqual([]);
  },
);

test("README.md is two screens at most", () => {
  expect(textOf("README.md").split("\n").length).toBeLessThan(95);
});

describe("CHANGELOG.md", () => {
  const text = textOf("CHANGELOG.md");

  test("goes from version to version, after what is unreleased", () => {
    const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading = ""]) => heading);
    const released = headings[0] === "Unreleased" ? headings.slice(1) : headings;
    expect(released.filter((heading) => !/^\d+\.\d+\.\d+( - \d{4}-\d{2}-\d{2})?$/.test(heading))).toEqual([]);
    expect(released.length).toBeGreaterThan(0);
  });

  test("has entries of one to three lines, and no more than 60 lines a version", () => {
    for (const version of text.split(/^## /m)) expect(version.split("\n").length).toBeLessThanOrEqual(60);
    const entries = text.split(/^(?=- |#)/m).filter((part) => part.startsWith("- "));
    expect(entries.filter((entry) => entry.trim().split("\n").length > 3)).toEqual([]);
  });
});
