import type { Command } from "@commander-js/extra-typings";
import { readJson } from "../input";
import { explain, jsonOption } from "../output";
import { withClient } from "../withClient";
import { planOf, reportOfPlan } from "./plan";
import { printReport } from "./report";

export function plan(command: Command): void {
  explain(command, {
    examples: ["plan < preview.json", "plan --markdown preview.json >> comment.md"],
    fails: "the endpoints ask for more workers than the account may have",
    connects: true,
  });
  command
    .description(
      "Compares the most workers of a preview's endpoints, and of the account's other endpoints, with the account's quota. Shows " +
        "the free stock of their pools. Give the output of `pulumi preview --json`.",
    )
    .argument("[file]", "the preview; standard input unless named", "-")
    .option("--markdown", "print a comment for a pull request")
    .option(...jsonOption)
    .action(async (file, options) => {
      const document = await readJson(file, "`pulumi preview --json`");
      const report = await withClient((client, signal) => planOf(document, client, { signal }));
      printReport(reportOfPlan(report), report, options, report.problems.length > 0);
    });
}
