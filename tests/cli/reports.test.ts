/* What names and texts of a hostile service make of the reports of `cost` and `drift`: text, on the line where it stands. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import * as drift from "../../cli/drift/render";
import { cell, code } from "../../cli/markdown";
import { reportOfBudget } from "../../cli/money/budget";
import { reportOfCost } from "../../cli/money/cost";
import { asMarkdown, asText, type ReportOf } from "../../cli/money/report";
import { printable, printableJson, printableLine } from "../../common/printable";
import type { MonthlyCost } from "../../provider/cost/types";
import { RAW } from "./hostileService";

const HOSTILE = [
  "@acme/team",
  "#1 !1 acme/gpu#7",
  "\n/close\n",
  "\n\n# Cost a month: $0.00",
  "<!--",
  "--> <b>",
  "![a](https://evil.example/a.png)",
  "](https://evil.example) https://evil.example",
  "a|b\\|c\\\\|d",
  "`",
  "``` ` ``",
  "**_~~",
  "&#64;team",
  "\u2028- x",
  "\x1b]0;title\x07\x1b[2J\u009b",
  "::add-mask::x",
  "\t::error file=a::x",
  "##[error]x",
  "###vso[task.setvariable variable=a]x",
  " ",
  "",
];
const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string()), { maxLength: 6 }).map((parts) => parts.join("")),
);

function costReport(name: string, reason: string): ReportOf {
  const pod = { urn: "", name, kind: "Pod", change: "create", before: undefined } as const;
  const [nothing, after] = [0, 5].map((usd) => ({ min: usd, max: usd })) as [MonthlyCost, MonthlyCost];
  const resources = [
    { ...pod, after: { unknown: reason } },
    { ...pod, after, adopted: [name], retained: [reason] },
  ];
  const report = { resources, sum: { before: nothing, after }, unknown: 1, unlisted: 0 };
  return reportOfCost(report, (escapeText) => [escapeText(name)]);
}

function driftReport(name: string, text: string): drift.DriftReport {
  const pod = { urn: "", name, kind: "Pod", id: text };
  const differences = [
    { path: text, recorded: name, found: { [name]: text } },
    { path: text, secret: true as const },
    { path: name, note: text },
  ];
  const drifted = [
    { ...pod, gone: false, differences },
    { ...pod, gone: true, differences: [] },
  ];
  const orphans = [{ kind: "Pod", id: name, name: text }];
  return { stacks: [{ stack: name, drifted }], failures: [{ of: name, message: text }], orphans };
}

const budgetReport = (name: string, id: string): ReportOf =>
  reportOfBudget({
    month: "2026-11",
    budget: 1,
    state: "expected",
    billed: 2,
    expected: 3,
    endpoints: [
      { id, name, workersMax: 2, billed: 2, expected: 3, lower: { workersMax: 1, saves: 1 } },
      { id: name, name: id, workersMax: undefined, billed: 0, expected: 0 },
    ],
    others: { billed: 0, expected: 0 },
    short: 0,
    costliest: [{ kind: "pod", id: name, name: id, billed: 1, expected: 2 }],
  });

/** What GitHub, Azure or TeamCity obeys in a line of output. */
const OBEYED = /^\s*::[a-z]|##\w*\[/im;

/** The document without its code spans, as CommonMark reads them: a run of backticks up to the next one as long. */
const outsideCode = (markdown: string) =>
  markdown
    .split("\n")
    .map((line) => line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "CODE"))
    .join("\n");

describe("of texts that are not ours", () => {
  test("Markdown has code spans, and nothing else", () => {
    const reports = (one: string, other: string) => [
      asMarkdown(costReport(one, other)),
      drift.asMarkdown(driftReport(one, other)),
      asMarkdown(budgetReport(one, other)),
    ];
    const shapes = reports("a", "b").map(outsideCode);
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(reports(one, other).map(outsideCode)).toEqual(shapes);
        expect(reports(one, other).join("\n")).not.toMatch(OBEYED);
      }),
      { numRuns: 300, examples: HOSTILE.map((text): [string, string] => [text, text]) },
    );
  });

  test("a code span shows the text, and a table's row is split at no part of it", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const span = code(text);
        const [, fence = ""] = /^(`+)/.exec(span) ?? [];
        expect(span.slice(fence.length, -fence.length).trim()).toBe(printableLine(text).trim());
        // A pipe is one of the text's where an odd number of backslashes stands before it.
        expect(cell(span).match(/(?<!\\)(\\\\)*\|/g)).toBeNull();
      }),
      { examples: HOSTILE.map((text): [string] => [text]) },
    );
  });

  test("plain text has one thing on a line, and steers no terminal and no runner", () => {
    const lines = (one: string, other: string) => [
      ...asText(costReport(one, other)).split("\n"),
      ...drift.asText(driftReport(one, other)).split("\n"),
      ...asText(budgetReport(one, other)).split("\n"),
    ];
    const { length } = lines("a", "b");
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const outputLines = lines(one, other);
        expect(outputLines).toHaveLength(length);
        for (const line of outputLines) {
          expect(line).not.toMatch(RAW);
          expect(line).not.toMatch(OBEYED);
        }
      }),
      { numRuns: 300, examples: HOSTILE.map((text): [string, string] => [text, text]) },
    );
  });

  test("JSON and a program's literal have every character of it, and steer no terminal and no runner", () =>
    fc.assert(
      fc.property(texts, (text) => {
        const json = printableJson({ [`a${text}`]: [text] }, 2);
        expect(JSON.parse(json)).toEqual({ [`a${text}`]: [text] });
        expect(json).not.toMatch(RAW);
        expect(json).not.toMatch(OBEYED);
        expect(printable(text)).not.toMatch(OBEYED);
      }),
      { numRuns: 300, examples: HOSTILE.map((text): [string] => [text]) },
    ));
});
