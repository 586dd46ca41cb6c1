/* Stryker's configuration for one group: `npm run tool tests/mutants/stryker/main.ts redact`. */
"use strict";
const groups = require("./groups.cjs");

const group = process.env.STRYKER_GROUP;
const { atLeast } = groups[group];

module.exports = {
  mutate: groups[group].mutate,
  testRunner: "jest",
  jest: { configFile: "tests/mutants/stryker/jest.cjs" },
  coverageAnalysis: "perTest",
  disableTypeChecks: false,
  // None: there is nothing to rewrite in it, and Stryker would need a TypeScript of its own to do so.
  tsconfigFile: "none",
  // Its answers are judged by people: a mutant of a message's words says nothing of behaviour.
  mutator: { excludedMutations: ["StringLiteral"] },
  concurrency: 1,
  timeoutMS: 10_000,
  tempDirName: ".computecloud/stryker",
  ignorePatterns: ["dist", "docs", "examples", "templates", ".computecloud"],
  reporters: ["progress-append-only", "clear-text", "json"],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: `.computecloud/stryker-${group}.json` },
  thresholds: { high: atLeast, low: atLeast, break: atLeast },
};
