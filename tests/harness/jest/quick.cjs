/*
 * Which files `npm run test:quick` runs, by what they import, directly or not: none that starts another process, and so no
 * engine, and none that says of itself that it is slow or long, in a comment `@slow` or `@long` with the reason.
 */
"use strict";
const { readFileSync, statSync } = require("node:fs");
const { dirname, isAbsolute, join, resolve, sep } = require("node:path");

const SLOW = /^\s*(\/\/|\*|\/\*) *@(slow|long)\b/m;
const IMPORT = /(?:from|import\(|require\()\s*"([^"]+)"/g;
const PROCESSES = new Set(["node:child_process", "node:cluster"]);
const checkout = resolve(__dirname, "../../..");
/** Whose imports are followed; the emulator starts nothing by itself. */
const FOLLOWED = ["tests", "tools"].map((folder) => join(checkout, folder) + sep);

/** Jest's `--filter`. */
module.exports = async (paths) => ({ filtered: paths.filter(isQuick) });
module.exports.isQuick = isQuick;

function isQuick(file) {
  return !SLOW.test(readFileSync(file, "utf8")) && ![...reached(file)].some((specifier) => PROCESSES.has(specifier));
}

/** What a file imports, directly or not: files of the tests and tools by their paths, and all else by its name. */
function reached(file, seen = new Set()) {
  for (const specifier of importsOf(file)) {
    if (seen.has(specifier)) continue;
    seen.add(specifier);
    if (isAbsolute(specifier)) reached(specifier, seen);
  }
  return seen;
}

const importsByFile = new Map();

function importsOf(file) {
  if (!importsByFile.has(file)) {
    const specifiers = [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, specifier]) => specifier);
    importsByFile.set(
      file,
      specifiers.map((specifier) => sourceOf(specifier, dirname(file)) ?? specifier),
    );
  }
  return importsByFile.get(file);
}

function sourceOf(specifier, folder) {
  const path = join(folder, specifier);
  if (!specifier.startsWith(".") || !FOLLOWED.some((folder) => path.startsWith(folder))) return undefined;
  return [path, `${path}.ts`, join(path, "index.ts")].find((each) =>
    statSync(each, { throwIfNoEntry: false })?.isFile(),
  );
}
