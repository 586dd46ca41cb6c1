import { readFile } from "node:fs/promises";
import type { Command } from "@commander-js/extra-typings";
import { parseJson } from "../../common/json";
import { messageOf } from "../../common/messageOf";
import { printableLine } from "../../common/printable";
import { nameOfUrn } from "../../common/urn";
import { z } from "../../common/zod";
import { createEstimator, type Estimator } from "../../provider/cost/monthlyCost";
import type { MonthlyCost } from "../../provider/cost/types";
import { exportOf, type Place, placesOf } from "../drift/refreshingPreview";
import type { Failure } from "../drift/render";
import { readJson, readNamed } from "../input";
import { code, type Escape, section } from "../markdown";
import { explain, jsonOption, print, tell } from "../output";
import { amount, several } from "../values";
import { withClient } from "../withClient";
import { costReport, reportOfCost, totalOf, unpricedIn } from "./cost";
import { dollars, printReport, type ReportOf, span } from "./report";
import { PreviewError } from "./steps";

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

/** What the resources of a stack's state cost a month. */
interface StackCost {
  readonly stack: string;
  readonly sum: MonthlyCost;
  /** Names of resources with an unknown price. They are not in the sum. */
  readonly unknown: readonly string[];
}

interface StacksReport {
  readonly stacks: readonly StackCost[];
  /** Stacks whose state could not be read. They are not in the sum. */
  readonly failures: readonly Failure[];
  readonly sum: MonthlyCost;
}

const Resource = z.looseObject({ urn: z.string(), type: z.string(), external: z.boolean().default(false) });
const Exported = z.object({ deployment: z.object({ resources: z.array(Resource).default([]) }).nullable() });

async function costOfStacks(places: readonly Place[], estimator: Estimator): Promise<StacksReport> {
  const stacks: StackCost[] = [];
  const failures: Failure[] = [];
  for (const place of places) {
    const stack = place.stack ?? "";
    try {
      const { deployment } = Exported.parse(await exportOf(place));
      // As a preview that changes nothing. What the stack only reads is another one's cost.
      const steps = (deployment?.resources ?? [])
        .filter(({ external }) => !external)
        .map((each) => ({ op: "same", ...each, oldState: each, newState: each }));
      const { resources, sum } = await costReport({ steps }, estimator);
      stacks.push({ stack, sum: sum.after, unknown: unpricedIn(resources).map(({ name }) => name) });
    } catch (error) {
      if (place.signal.aborted) throw error;
      failures.push({ of: `stack ${stack}`, message: messageOf(error) });
    }
  }
  if (stacks.length === 0) throw new Error(failures.map(({ of, message }) => `${of}: ${message}`).join("\n"));
  return { stacks, failures, sum: totalOf(stacks.map(({ sum }) => sum)) };
}

function reportOfStacks(
  { stacks, failures, sum }: StacksReport,
  exceeded: (escapeText: Escape) => readonly string[],
): ReportOf {
  return (escapeText) => ({
    title: `Cost a month of all stacks: ${span(sum)}`,
    rows: [
      ["stack", "a month", ""],
      ...stacks.map(({ stack, sum, unknown }) => [
        escapeText(stack),
        span(sum),
        unknown.length === 0 ? "" : `price unknown: ${unknown.map(escapeText).join(", ")}`,
      ]),
      ...failures.map(({ of, message }) => [escapeText(of), "not read", escapeText(message.replaceAll(/\s+/g, " "))]),
      ["sum", span(sum), failures.length === 0 ? "" : "without the stacks that could not be read"],
    ],
    figures: [1],
    problems: exceeded(escapeText),
  });
}

/** A rule of a policy pack that a preview breaks. */
interface Violation {
  readonly policy: string;
  /** `mandatory` fails the preview, `advisory` does not. */
  readonly level: string;
  /** The resource's logical name; undefined for a rule of the whole stack. */
  readonly resource: string | undefined;
  readonly message: string;
}

const event = z.object({
  policyEvent: z.object({
    resourceUrn: z.string().default(""),
    message: z.string().default(""),
    policyName: z.string().default(""),
    policyPackName: z.string().default(""),
    enforcementLevel: z.string().default(""),
  }),
});

/** The engine's marks of colours. */
const COLOURS = /<\{%[^%]*%\}>/g;

/**
 * The violations in a preview's event log, for the document of `pulumi preview --json` has none. A preview that did not begin
 * has written no log.
 */
async function violationsIn(file: string): Promise<readonly Violation[]> {
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n");
  return lines.flatMap((line): Violation[] => {
    const { data } = event.safeParse(parseJson(line));
    if (data === undefined) return [];
    const { resourceUrn: urn, message, policyName, policyPackName, enforcementLevel: level } = data.policyEvent;
    const isOfStack = urn === "" || urn.includes("::pulumi:pulumi:Stack::");
    const resource = isOfStack ? undefined : nameOfUrn(urn);
    // The rule's description, and below it what is wrong.
    const lines = message
      .replaceAll(COLOURS, "")
      .trim()
      .split(/\s*\n\s*/);
    return [{ policy: `${policyPackName}/${policyName}`, level, resource, message: lines.join(" ") }];
  });
}

/** Which rule, which resource, which value. */
function violationLine({ policy, level, resource, message }: Violation, escapeText: Escape = printableLine): string {
  const of = resource === undefined ? "" : ` ${escapeText(resource)}`;
  return `${level === "mandatory" ? "refused" : "advice"} by ${escapeText(policy)}:${of} ${escapeText(message)}`;
}

function sectionsOf(violations: readonly Violation[]): string[] {
  const lines = violations.map((each) => violationLine(each, code));
  return lines.length === 0 ? [] : [section("Policies", lines)];
}

function sectionOfErrors(errors: readonly string[]): string {
  const lines = errors.flatMap((error) => error.split("\n")).filter((line) => line.trim() !== "");
  return section("The preview failed", lines.map(code));
}
