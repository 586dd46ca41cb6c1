/*
 * docs/errors.md has every message of the provider and the command line, with its way out. One that changes what exists is
 * followed by a test.
 */
import { expect, test } from "@jest/globals";
import { testNamesOf } from "../mutants/testNames";
import { FOLLOWED } from "./followed";
import { textOf } from "./pages";
import { messages, sourceText } from "./sources";

const plain = (text: string) =>
  text
    .replaceAll(/[*`\\]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Lines of tables that begin with a message in italics, which may be a part of it. */
const rowsIn = (page: string) =>
  Array.from(page.matchAll(/^\| (\*.*?\*)(?: \((.*?)\))? \|(.*)\|$/gm), ([, cell = "", note = "", wayOut = ""]) => ({
    texts: Array.from(cell.matchAll(/\*(.+?)\*(?:, |$)/g), ([, text = ""]) => plain(text)),
    note,
    wayOut: wayOut.trim(),
  }));
const rows = rowsIn(textOf("docs/errors.md"));
const listed = rows.flatMap(({ texts }) => texts);

test("every message of an error is listed", () => {
  const errorMessages = messages();
  expect(errorMessages.length).toBeGreaterThan(80);
  const missing = errorMessages.filter(({ text }) => !listed.some((each) => plain(text).includes(each)));
  expect(missing).toEqual([]);
});

test("every line has a way out", () => {
  expect(rows.filter(({ wayOut }) => wayOut === "")).toEqual([]);
});

test("every listed message is one that the sources have", () => {
  const source = plain(sourceText());
  const ours = rows.filter(({ note }) => note !== "Pulumi's own").flatMap(({ texts }) => texts);
  const gone = ours.filter((text) => !text.split(/ ?… ?/).every((part) => source.includes(part)));
  expect(gone).toEqual([]);
});

/** A way out that, taken wrongly, changes what exists in the account. */
const CHANGES =
  /adopt|\bdeleted?\b|retainOnDelete|locked: false|--re(place|fresh)|pulumi (refresh|destroy)|another name|existing|protectMembers/;

test("a way out that changes what exists is followed by a test", () => {
  const [, run = ""] = textOf("docs/errors.md").split(/^## In a run of Pulumi$|^## From the command line$/m);
  const risky = rowsIn(run).filter(({ note, wayOut }) => note !== "Pulumi's own" && CHANGES.test(wayOut));
  const followed = new Set(Object.values(FOLLOWED).flatMap((tests) => Object.keys(tests)));
  expect(risky.filter(({ texts }) => !texts.some((text) => followed.has(text)))).toEqual([]);
  expect([...followed].filter((text) => !listed.includes(text))).toEqual([]);
  for (const [file, tests] of Object.entries(FOLLOWED))
    expect(Object.values(tests).filter((name) => !testNamesOf(file).has(name))).toEqual([]);
});
