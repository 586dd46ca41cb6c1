import { printableLine } from "../../common/printable";
import { textTable } from "../../common/table";
import type { Cost } from "../../provider/cost/monthlyCost";
import type { MonthlyCost } from "../../provider/cost/types";
import { code, type Escape, markdownTable } from "../markdown";
import { type CostChange, type CostReport, SIGNS } from "./changes";
import type { Violation } from "./policies";

const HEADINGS = ["", "resource", "before", "after", "change"] as const;
const AMOUNTS = [2, 3, 4];

export function asText(report: CostReport): string {
  const table = textTable([HEADINGS, ...cells(report, printableLine)], AMOUNTS, "");
  return [table, "", ...notes(report, printableLine)].join("\n").trimEnd();
}

export function asMarkdown(report: CostReport): string {
  const { before, after } = report.sum;
  const rows = cells(report, code);
  return [
    `### Cost a month: ${span(before)} → ${span(after)} (${difference(before, after)})`,
    "",
    ...(rows.length === 1 ? ["No resource of this change has a price."] : markdownTable([HEADINGS, ...rows], AMOUNTS)),
    "",
    ...notes(report, code).map((note) => `- ${note}`),
  ]
    .join("\n")
    .trimEnd();
}

export function errorsAsMarkdown(errors: readonly string[]): string {
  const lines = errors.flatMap((error) => error.split("\n")).filter((line) => line.trim() !== "");
  return ["### The preview failed", "", ...lines.map((line) => `- ${code(line)}`)].join("\n");
}

export function violationsAsMarkdown(violations: readonly Violation[]): string {
  return ["### Policies", "", ...violations.map((each) => `- ${violationLine(each, code)}`)].join("\n");
}

/** Which rule, which resource, which value. */
export function violationLine(
  { policy, level, resource, message }: Violation,
  escapeText: Escape = printableLine,
): string {
  const of = resource === undefined ? "" : ` ${escapeText(resource)}`;
  return `${level === "mandatory" ? "refused" : "advice"} by ${escapeText(policy)}:${of} ${escapeText(message)}`;
}

function cells({ resources, sum }: CostReport, escapeText: Escape): (readonly string[])[] {
  const rows = resources.map((each) => [
    SIGNS[each.change],
    `${escapeText(each.name)} (${each.kind})`,
    cell(each.before),
    cell(each.after),
    changeOf(each),
  ]);
  return [...rows, ["", "sum", span(sum.before), span(sum.after), difference(sum.before, sum.after)]];
}

function cell(cost: Cost | undefined): string {
  if (cost === undefined) return "";
  return "unknown" in cost ? "unknown" : span(cost);
}

function changeOf({ before, after }: CostChange): string {
  const none = { min: 0, max: 0 };
  const [old, next] = [before ?? none, after ?? none];
  return "unknown" in old || "unknown" in next ? "unknown" : difference(old, next);
}

function notes({ resources, unknown, unlisted }: CostReport, escapeText: Escape): string[] {
  const ranges = resources.some(
    ({ kind, before, after }) => kind.startsWith("Serverless") && [before, after].some(isRange),
  );
  const reasons = resources.flatMap(({ name, after }) =>
    after !== undefined && "unknown" in after
      ? [`${escapeText(name)}: price unknown, not in the sum: ${escapeText(after.unknown)}`]
      : [],
  );
  return [
    ...(ranges ? ["Serverless: minimum: always-on workers; maximum: all workers busy all month."] : []),
    ...resources.flatMap(({ name, after, busiest = [], next = [] }) => [
      ...(after !== undefined && "min" in after && after.dearest !== undefined
        ? [`${escapeText(name)}: at most with ${after.dearest.map(escapeText).join(", ")}`]
        : []),
      ...[...busiest, ...next].map((each) => `${escapeText(name)}: ${each}`),
    ]),
    ...(unknown > 0 ? reasons : []),
    ...(unlisted > 0
      ? [`Without ${unlisted} unchanged resources: pulumi preview --json --show-sames lists them.`]
      : []),
    "Estimated with the catalog's prices of today and 730 hours a month.",
  ];
}

function isRange(cost: Cost | undefined): boolean {
  return cost !== undefined && "min" in cost && dollars(cost.min) !== dollars(cost.max);
}

export function span({ min, max }: MonthlyCost): string {
  return dollars(min) === dollars(max) ? dollars(min) : `${dollars(min)} to ${dollars(max)}`;
}

function difference(before: MonthlyCost, after: MonthlyCost): string {
  const [least, most] = [signed(after.min - before.min), signed(after.max - before.max)];
  return least === most ? least : `${least} to ${most}`;
}

function signed(amount: number): string {
  const text = dollars(Math.abs(amount));
  if (text === dollars(0)) return text;
  return amount < 0 ? `-${text}` : `+${text}`;
}

const format = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

export const dollars = (amount: number): string => format.format(amount);
