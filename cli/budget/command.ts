import type { Command } from "@commander-js/extra-typings";
import { explain, jsonOption } from "../help";
import { exitCodes, print, printJson } from "../output";
import { amount } from "../values";
import { withClient } from "../withClient";
import { asMarkdown, asText, budgetOf } from "./budget";

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
    .action(async ({ month, markdown, json }) => {
      const report = await withClient((client, signal) => budgetOf(client, month, { signal }));
      if (json) printJson({ currency: "USD", ...report });
      else print(markdown ? asMarkdown(report) : asText(report));
      if (report.state !== "within") process.exitCode = exitCodes.failed;
    });
}
