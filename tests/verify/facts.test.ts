import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { factIds, factOf } from "../../cli/verify/facts";
import { settingsSchema } from "../../emulator/settings";
import { checkout } from "../../tools/run/environment";
import { settings } from "./otherwise";

const SOURCES = ["schema", "brief", "docs", "seen", "guess"] as const;
const UNCERTAIN = /\b(docs|seen|guess)\b/;

/** Every mark of docs/service.md, such as `[seen twice #save-is-no-patch]`; its legend and its links aside. */
const marks = [
  ...readFileSync(join(checkout, "docs", "service.md"), "utf8").matchAll(
    /(?<!\*)\[([^\]]*\b(?:schema|brief|docs|seen|guess)\b[^\]]*)\](?!\()/g,
  ),
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
