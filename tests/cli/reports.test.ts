/* What names and texts of a hostile service make of the reports of `cost` and `drift`: text, on the line where it stands. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import * as drift from "../../cli/drift/render";
import { cell, code } from "../../cli/markdown";
import { reportOfBudget } from "../../cli/money/budget";
import { reportOfCost } from "../../cli/money/cost";
import { asMarkdown, asText, type ReportOf } from "../../cli/money/report";
import { printable, printableJson, printableLine } from "../../common/printable";
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

const costReport = (name: string, reason: string): ReportOf =>
  reportOfCost(
    {
      resources: [
        { urn: "", name, kind: "Pod", change: "create", before: undefined, after: { unknown: reason } },
        {
          ...{ urn: "", name, kind: "Pod", change: "create", before: undefined, after: { min: 5, max: 5 } },
          adopted: [name],
          retained: [reason],
        },
      ],
      sum: { before: { min: 0, max: 0 }, after: { min: 5, max: 5 } },
      unknown: 1,
      unlisted: 0,
    },
    (escapeText) => [escapeText(name)],
  );

const driftReport = (name: string, text: string): drift.DriftReport => ({
  stacks: [
    {
      stack: name,
      drifted: [
        {
          urn: "",
          name,
          kind: "Pod",
          id: text,
          gone: false,
          differences: [
            { path: text, recorded: name, found: { [name]: text } },
            { path: text, secret: true },
            { path: name, note: text },
          ],
        },
        { urn: "", name, kind: "Pod", id: text, gone: true, differences: [] },
      ],
    },
  ],
  failures: [{ of: name, message: text }],
  orphans: [{ kind: "Pod", id: name, name: text }],
});

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
    const shape = (of: (one: string, other: string) => string) => outsideCode(of("a", "b"));
    const reports = [
      (one: string, other: string) => asMarkdown(costReport(one, other)),
      (one: string, other: string) => drift.asMarkdown(driftReport(one, other)),
      (one: string, other: string) => asMarkdown(budgetReport(one, other)),
    ];
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        for (const report of reports) {
          expect(outsideCode(report(one, other))).toBe(shape(report));
          expect(report(one, other)).not.toMatch(OBEYED);
        }
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
