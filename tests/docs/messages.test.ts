/* docs/errors.md has every message of the provider and the command line, with its way out. */
import { expect, test } from "@jest/globals";
import { textOf } from "./pages";
import { messages, sourceText } from "./sources";

const plain = (text: string) =>
  text
    .replaceAll(/[*`\\]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Lines of tables that begin with a message in italics, which may be a part of it. */
const rows = Array.from(
  textOf("docs/errors.md").matchAll(/^\| (\*.*?\*)(?: \((.*?)\))? \|(.*)\|$/gm),
  ([, cell = "", note = "", wayOut = ""]) => ({
    texts: Array.from(cell.matchAll(/\*(.+?)\*(?:, |$)/g), ([, text = ""]) => plain(text)),
    note,
    wayOut: wayOut.trim(),
  }),
);
const listed = rows.flatMap(({ texts }) => texts);

test("every message of an error is listed", () => {
  const found = messages();
  expect(found.length).toBeGreaterThan(80);
  const missing = found.filter(({ text }) => !listed.some((each) => plain(text).includes(each)));
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
