/* What `cost`, `plan` and `budget` print: a table, and what is to be said of it, for people, for a comment, for programs. */
import { printableLine } from "../../common/printable";
import { textTable } from "../../common/table";
import type { MonthlyCost } from "../../provider/cost/types";
import { code, type Escape, markdownTable } from "../markdown";
import { exitCodes, print, printJson } from "../output";

interface Report {
  readonly title: string;
  /** The first row is the head. */
  readonly rows: readonly (readonly string[])[];
  /** The columns that are figures. */
  readonly figures: readonly number[];
  /** What exceeds a limit, and how that is called. */
  readonly problems?: readonly string[];
  readonly verdict?: "Not possible";
  readonly notes?: readonly string[];
}

const TOO_MUCH = "Too much";

/** A report whose names, which are others' texts, are shown in one way. */
export type ReportOf = (escapeText: Escape) => Report;

export function asText(of: ReportOf): string {
  const { title, rows, figures, problems = [], verdict = TOO_MUCH, notes = [] } = of(printableLine);
  return joined(title, [textTable(rows, figures)], [...problems.map((each) => `${verdict}: ${each}`), ...notes]);
}

export function asMarkdown(of: ReportOf): string {
  const { title, rows, figures, problems = [], verdict = TOO_MUCH, notes = [] } = of(code);
  const lines = [...problems.map((each) => `**${verdict}:** ${each}`), ...notes].map((each) => `- ${each}`);
  return joined(`### ${title}`, markdownTable(rows, figures), lines);
}

const joined = (title: string, table: readonly string[], lines: readonly string[]) =>
  [title, "", ...table, ...(lines.length === 0 ? [] : ["", ...lines])].join("\n");

/**
 * Prints a report in the form that the options ask for.
 *
 * @param document its figures, for `--json`
 * @param failed whether what the command checks is not as it should be
 */
export function printReport(
  of: ReportOf,
  document: object,
  { markdown, json }: { readonly markdown?: true | undefined; readonly json?: true | undefined },
  failed: boolean,
): void {
  if (json) printJson(document);
  else print(markdown ? asMarkdown(of) : asText(of));
  if (failed) process.exitCode = exitCodes.failed;
}

export const cents = (amount: number): number => Math.round(amount * 100) / 100;

const format = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

export const dollars = (amount: number): string => format.format(amount);

export function span({ min, max }: MonthlyCost): string {
  return dollars(min) === dollars(max) ? dollars(min) : `${dollars(min)} to ${dollars(max)}`;
}

export function difference(before: MonthlyCost, after: MonthlyCost): string {
  const [least, most] = [signed(after.min - before.min), signed(after.max - before.max)];
  return least === most ? least : `${least} to ${most}`;
}

function signed(amount: number): string {
  const text = dollars(Math.abs(amount));
  if (text === dollars(0)) return text;
  return amount < 0 ? `-${text}` : `+${text}`;
}
