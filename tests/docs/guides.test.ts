/* What the guides list is what there is. */
import { existsSync, globSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { commands } from "../../cli/commands";
import { factIds, factOf } from "../../cli/verify/facts";
import * as client from "../../client";
import { variables } from "../../client/settings";
import { Catalog } from "../../emulator/catalog/catalog";
import { settingsSchema } from "../../emulator/settings";
import manifest from "../../package.json";
import { checkout } from "../../tools/run/environment";
import { settings } from "../verify/otherwise";
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

const [listed = ""] = textOf("docs/README.md").split("## Inside");
const guides = Array.from(listed.matchAll(/^\| \[.+?\]\(([a-z-]+\.md)\)/gm), ([, page = ""]) => page);

test.each(guides)("each guide, such as %s, is short, and says what comes next", (page) => {
  const text = textOf(`docs/${page}`);
  const lines = text.trimEnd().split("\n");
  // A reference is searched, not read.
  if (page !== "errors.md") expect(text.split(/\s+/).length).toBeLessThanOrEqual(2500);
  expect(lines.slice(-7).join("\n")).toMatch(/^(Next: |## Next$)/m);
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

/* No link of a document leads nowhere. */
const elsewhere = new Set(["node_modules", "dist", "coverage"]);

/** Every Markdown file of the checkout. */
const markdownFiles = globSync(["**/*.md", ".github/**/*.md"], {
  cwd: checkout,
  exclude: (path) => elsewhere.has(basename(path)),
});

/** A page's prose: what stands in code is not a link. */
function proseOf(page: string): string {
  const text = textOf(page);
  return text.replaceAll(/^(`{3,}).*?^\1$/gms, "").replaceAll(/`[^`\n]*`/g, "code");
}

/** What a link may name behind `#`: the headings, as they are written in addresses. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const text = textOf(page).replaceAll(/^(`{3,}).*?^\1$/gms, "");
  const headings = Array.from(text.matchAll(/^#{1,6} +(.+?)\s*$/gm), ([, heading = ""]) => {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set(headings);
}

/** Pages that npm carries lead to others by their whole address. */
const repository = `${manifest.homepage.replace(/#.*/, "")}/blob/main/`;

const links = markdownFiles.flatMap((page) =>
  Array.from(proseOf(page).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g), ([, target = ""]) => ({ page, target })),
);
const [outgoing, relative] = [true, false].map((out) =>
  links.filter(({ target }) => (/^[a-z+]+:/i.test(target) && !target.startsWith(repository)) === out),
);

test("links of the documents lead to files and headings that exist", () => {
  expect(relative?.length).toBeGreaterThan(50);
  const dead = relative?.filter(({ page, target }) => {
    const [path = "", anchor] = target.replace(repository, "").split("#");
    const folder = target.startsWith(repository) ? "." : dirname(page);
    const file = path === "" ? page : normalize(join(folder, path));
    // A folder is not a page of the site.
    if (!statSync(join(checkout, file), { throwIfNoEntry: false })?.isFile()) return true;
    return anchor !== undefined && (!file.endsWith(".md") || !anchorsOf(file).has(anchor));
  });
  expect(dead).toEqual([]);
});

test.each(["README.md", "CHANGELOG.md"])("%s, which npm carries alone, names pages by their whole address", (page) => {
  const targets = Array.from(proseOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target);
  expect(targets.length).toBeGreaterThan(1);
  expect(targets.filter((target) => !URL.canParse(target) && !target.startsWith("#"))).toEqual([]);
});

test("links of the documents lead out of the repository by whole addresses", () => {
  const odd = outgoing?.filter(({ target }) => !URL.canParse(target) || new URL(target).protocol !== "https:");
  expect(odd).toEqual([]);
});

const SOURCES = ["schema", "brief", "docs", "seen", "guess"] as const;
const UNCERTAIN = /\b(docs|seen|guess)\b/;

/** Every mark of docs/service.md, such as `[seen twice #save-is-no-patch]`; its legend and its links aside. */
const marks = [
  ...textOf("docs/service.md").matchAll(/(?<!\*)\[([^\]]*\b(?:schema|brief|docs|seen|guess)\b[^\]]*)\](?!\()/g),
].map(([, text = ""]) => ({
  text,
  ids: [...text.matchAll(/#([a-z0-9-]+)/g)].map(([, id = ""]) => id),
  sources: SOURCES.filter((source) => new RegExp(`\\b${source}\\b`).test(text.replace(/#[a-z0-9-]+/g, ""))),
}));

test("every uncertain statement of docs/service.md has an id", () => {
  expect(marks.length).toBeGreaterThan(60);
  expect(marks.filter(({ text, ids }) => UNCERTAIN.test(text) && ids.length === 0)).toEqual([]);
});

test.each(factIds)("docs/service.md states #%s, known as the table says", (id) => {
  const documented = new Set(marks.filter(({ ids }) => ids.includes(id)).flatMap(({ sources }) => sources));
  expect([...documented].toSorted()).toEqual([...factOf(id).known].toSorted());
});

test.each(Object.entries(settings))("settings for the opposite of #%s are not the emulator's defaults", (_, setup) => {
  const usual: Readonly<Record<string, unknown>> = settingsSchema.parse({});
  expect(Object.entries(setup).filter(([name, value]) => usual[name] === value)).toEqual([]);
});
