import type { Command } from "@commander-js/extra-typings";
import { createEstimator } from "../../provider/cost/monthlyCost";
import type { MonthlyCost } from "../../provider/cost/types";
import { placesOf } from "../drift/refreshingPreview";
import { readJson, readNamed } from "../input";
import type { Escape } from "../markdown";
import { explain, jsonOption, print, tell } from "../output";
import { amount, several } from "../values";
import { withClient } from "../withClient";
import { costReport, reportOfCost, unpricedIn } from "./cost";
import { dollars, printReport } from "./report";
import { costOfStacks, reportOfStacks } from "./stacks";
import { PreviewError } from "./steps";
import { sectionOfErrors, sectionsOf, violationLine, violationsIn } from "./violations";

function price(text: string, before: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const [, name, usd = ""] = /^(.+)=([^=]*)$/.exec(text) ?? [];
  if (name === undefined)
    throw new Error(`--price takes a name and a price such as HIGH_PERFORMANCE=0.14, not "${text}"`);
  return { ...before, [name]: amount("--price")(usd) };
}

export function cost(command: Command): void {
  explain(command, {
    examples: [
      "cost < preview.json",
      "cost --max 500 preview.json",
      "cost --markdown --max-possible 2000 < preview.json > comment.md",
      "cost --markdown --events events.json preview.json > comment.md",
      "cost --all-stacks --max-possible 20000",
    ],
    fails: "the sum is above a limit, a limit is given and a price is not known, or a stack could not be read",
    connects: true,
  });
  command
    .description(
      "Prints what the resources of a preview cost a month, before and after. Give the output of `pulumi preview --json`. With " +
        "--stack or --all-stacks, what the resources in their states cost.",
    )
    .argument("[file]", "the preview; standard input unless named", "-")
    .option("--stack <name>", "in place of a preview, what this stack holds; several times for several", several)
    .option("--all-stacks", "in place of a preview, what all stacks of the project hold")
    .option("--cwd <folder>", "with --stack or --all-stacks, the folder of the Pulumi project", ".")
    .option(
      "--max <USD>",
      "the most that all resources may cost a month, with their always-on workers only",
      amount("--max"),
    )
    .option(
      "--max-possible <USD>",
      "the most that all resources may cost a month with all workers busy",
      amount("--max-possible"),
    )
    .option(
      "--price <name=USD>",
      "your own price instead of the catalog's, several times for several: for a GPU type, pool or CPU flavor an hour, for a tier of network volumes (HIGH_PERFORMANCE) a GB and month",
      price,
    )
    .option("--allow-unknown", "ignore resources with an unknown price when checking a limit")
    .option(
      "--events <file>",
      "the event log of the same preview, whose violations of policies are shown: PULUMI_DEBUG_COMMANDS=true pulumi preview --json --event-log <file>",
    )
    .option("--markdown", "print a comment for a pull request")
    .option(...jsonOption)
    .action(async (file, options) => {
      const { stack, allStacks, cwd, price: prices, events, markdown, json } = options;
      if (stack !== undefined || allStacks) {
        const report = await withClient(async (client, signal) =>
          costOfStacks(await placesOf(stack, allStacks, cwd, signal), createEstimator(client, prices, signal)),
        );
        const unpriced = report.stacks.flatMap(({ unknown }) => unknown);
        const exceeded = limitsExceeded(report.sum, unpriced, options);
        const document = { currency: "USD", ...report, exceeded: exceeded(String) };
        const failed = document.exceeded.length > 0 || report.failures.length > 0;
        return printReport(reportOfStacks(report, exceeded), document, options, failed);
      }
      const previewed = await readJson(file, "`pulumi preview --json`");
      const violations = events === undefined ? [] : await violationsIn(events);
      // The comment shows them, and so does the log.
      if (markdown) for (const each of violations) tell(violationLine(each));
      const report = await withClient((client, signal) =>
        costReport(previewed, createEstimator(client, prices, signal)),
      ).catch((error: unknown) => {
        if (!(error instanceof PreviewError) || error.errors.length === 0) throw error;
        if (markdown) print([sectionOfErrors(error.errors), ...sectionsOf(violations)].join("\n\n"));
        else if (!json) for (const each of violations) tell(violationLine(each));
        throw error;
      });
      // A preview that succeeded has written its log.
      if (events !== undefined) await readNamed(events);
      const unpriced = unpricedIn(report.resources).map(({ name }) => name);
      const exceeded = limitsExceeded(report.sum.after, unpriced, options);
      const document = { currency: "USD", ...report, exceeded: exceeded(String), violations };
      printReport(reportOfCost(report, exceeded), document, options, document.exceeded.length > 0);
      if (markdown) for (const each of sectionsOf(violations)) print(`\n${each}`);
      else if (!json) for (const each of violations) print(violationLine(each));
    });
}

interface Limits {
  readonly max?: number | undefined;
  readonly maxPossible?: number | undefined;
  readonly allowUnknown?: true | undefined;
}

/** @returns what the sum exceeds, for names that are shown in one way */
function limitsExceeded(sum: MonthlyCost, unpriced: readonly string[], { max, maxPossible, allowUnknown }: Limits) {
  return (escapeText: Escape): string[] => [
    ...above("--max", sum.min, max),
    ...above("--max-possible", sum.max, maxPossible),
    ...(unpriced.length > 0 && !allowUnknown && (max ?? maxPossible) !== undefined
      ? [
          `the price of ${unpriced.map(escapeText).join(", ")} is not known, so the limit can't be checked: give it with --price, or ` +
            "ignore it with --allow-unknown",
        ]
      : []),
  ];
}

function above(option: string, sum: number, limit: number | undefined): string[] {
  return limit === undefined || sum <= limit ? [] : [`${dollars(sum)} a month is above ${option} ${dollars(limit)}`];
}
