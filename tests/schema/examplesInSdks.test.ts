// @long: other languages' generators.
/* Each language's SDK shows examples in that language, which Pulumi's generators choose from the package's schema. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { languages, writeSdk } from "../../tools/languages/sdks";
import { components } from "../../tools/schema/components";
import { definitions } from "../../tools/schema/definitions";
import { folderForAll } from "../harness/folder";

/** What follows three backticks in comments. */
const SHOWN = { python: ["python"], nodejs: ["typescript"], go: ["go"], dotnet: [] } as const;
const kinds = Object.values({ ...definitions, ...components });
const examples = kinds.flatMap(({ examples }) => examples).length;

const folder = folderForAll();

test.each(languages)("the SDK for %s shows every example in its own language alone", async (language) => {
  const target = folder.at(language);
  await writeSdk(language, target);
  const names = await readdir(target, { recursive: true });
  const sources = names.filter((name) => /\.(py|ts|go|cs)$/.test(name));
  const texts = await Promise.all(sources.map((name) => readFile(join(target, name), "utf8")));
  const fences = texts.flatMap((text) => Array.from(text.matchAll(/```(\w+)$/gm), ([, name]) => name));
  expect([...new Set(fences)]).toEqual(SHOWN[language]);
  expect(texts.some((text) => text.includes("Example Usage"))).toBe(fences.length > 0);
  // Python has each in two overloads of the constructor.
  expect(fences.length % examples).toBe(0);
  // A mark that is left over would be read by people.
  expect(texts.filter((text) => /\{\{% |PulumiCodeChooser/.test(text))).toEqual([]);
});
