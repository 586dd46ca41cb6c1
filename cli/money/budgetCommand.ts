import type { Command } from "@commander-js/extra-typings";
import { explain, jsonOption } from "../output";
import { amount } from "../values";
import { withClient } from "../withClient";
import { budgetOf, reportOfBudget } from "./budget";
import { printReport } from "./report";

export function budget(command: Command): void {
  explain(command, {
    examples: ["budget --month 2000", "budget --month 2000 --markdown > report.md"],
    fails: "the month is above the budget, or expected to be",
    connects: true,
  });
  command
    .description(
      "Shows what the account was billed this month, what it is expected to be by the month's end, by endpoint, and which " +
        "maxima of workers to lower to stay within the budget. Changes nothing.",
    )
    .requiredOption("--month <USD>", "what a calendar month, in UTC, may cost", amount("--month"))
    .option("--markdown", "print an issue's text")
    .option(...jsonOption)
    .action(async (options) => {
      const report = await withClient((client, signal) => budgetOf(client, options.month, { signal }));
      printReport(reportOfBudget(report), { currency: "USD", ...report }, options, report.state !== "within");
    });
}
