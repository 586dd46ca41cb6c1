import { randomBytes } from "node:crypto";
import type { Command } from "@commander-js/extra-typings";
import { fromEnvironment, SettingsReader, systemClock } from "../../client";
import { textTable } from "../../common/table";
import { agree, mustBeAskable } from "../agree";
import { markdownTable } from "../markdown";
import { exitCodes, explain, jsonOption, Progress, print, printJson, report, tell } from "../output";
import { amount } from "../values";
import { interruptible } from "../withClient";
import { prefixOf } from "./bench";
import { Ledger } from "./ledger";
import { accountOf, clean, cleanRun, type Finding, type Swept, type TrialPlan, trialPlan, tryFacts } from "./verify";
import { Wire } from "./wire";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

const DEFAULT_USD = 0.25;
const WORD_BYTES = 4;

export function verify(command: Command): void {
  explain(command, {
    examples: ["verify", "verify --max-usd 0 --yes --markdown", "verify --clean"],
    fails: "a fact does not hold, or something could not be deleted",
    connects: true,
  });
  command
    .description(
      "Tests on your account what this package assumes about the service. Makes small resources with names of its own, deletes " +
        "them, and changes nothing else. First shows what it makes and the highest cost, and asks.",
    )
    .option(
      "--max-usd <usd>",
      "the most that all of it may cost; 0: only what costs nothing",
      amount("--max-usd"),
      DEFAULT_USD,
    )
    .option("--clean", "only delete what killed runs have left")
    .option("--yes", "don't ask")
    .option("--markdown", "print a table for an issue, without ids, keys or names of the account")
    .option(...jsonOption)
    .action(async ({ maxUsd, clean: onlyCleans, yes, markdown, json }) => {
      if (!onlyCleans && !yes) mustBeAskable("verify");
      await interruptible(async (signal) => {
        const progress = new Progress(json === true || markdown === true);
        const connection = new SettingsReader(fromEnvironment).connection();
        const wire = new Wire(connection, systemClock);
        const ledger = new Ledger();
        try {
          if (onlyCleans)
            return reportCleaned(await clean({ wire, ledger, onWait: waiting(progress) }, connection.baseUrl), json);
          const plan = trialPlan(maxUsd);
          const word = randomBytes(WORD_BYTES).toString("hex");
          report(announcement(plan, word));
          if (!yes && !(await agree("Go on? ", signal))) return;
          const account = await accountOf(wire.until(signal));
          const entry = ledger.begin(word, { service: connection.baseUrl, ...(account !== undefined && { account }) });
          const onTrial = (id: string, index: number) =>
            progress.show(`Trying ${id}`, `(${index + 1} of ${plan.tried.length})`);
          let findings: Finding[] = [];
          let swept: Swept;
          try {
            findings = await tryFacts(plan, { wire, entry, signal, onTrial });
          } finally {
            // However the trials end, what they made is deleted.
            progress.show("Deleting", "what is left");
            swept = await cleanRun({ wire, ledger, onWait: waiting(progress) }, word, entry.now);
          }
          progress.end();
          if (json) printJson({ version, findings, left: swept.left });
          else if (markdown) print(asMarkdown(findings, version, new Date().toISOString().slice(0, 10)));
          else print(asText(findings, swept));
          if (json || markdown) for (const line of leftoverLines(swept)) tell(line);
          const isWell = findings.every(({ result }) => result !== "differs") && swept.left.length === 0;
          if (!isWell) process.exitCode = exitCodes.failed;
          if (signal.aborted) process.exitCode = exitCodes.couldNotRun;
        } finally {
          progress.end();
          await wire.close();
        }
      });
    });
}

const waiting = (progress: Progress) => (seconds: number) =>
  progress.show("Waiting for resources that may still appear", `${seconds} s`);

function reportCleaned(swept: Swept, json: true | undefined): void {
  if (json) printJson(swept);
  else print([`Deleted ${swept.deleted}.`, ...leftoverLines(swept)].join("\n"));
  if (swept.left.length > 0) process.exitCode = exitCodes.failed;
}

const MINUTES = 5;
const ORDER: readonly Finding["result"][] = ["differs", "holds", "not tried"];

/** What a run is going to do. Printed before it begins. */
function announcement({ tried, usd }: TrialPlan, word: string): string {
  const cost = usd === 0 ? "costs nothing" : `costs $${usd.toFixed(2)} at most`;
  const volumes = usd === 0 ? "" : ", and network volumes of 10 GB";
  return [
    `Tries ${tried.length} facts, which takes up to ${MINUTES} minutes, more where few calls a minute are allowed, and ${cost}.`,
    `Makes, each for a moment: templates, registries with made-up credentials, secrets, tags, a cost center, endpoints without workers${volumes}.`,
    `Their names begin with ${prefixOf(word)}; nothing else in the account is changed.`,
    "After a kill, `verify --clean` on this machine deletes what is left.",
  ].join("\n");
}

/** For people. Facts that differ come first. */
function asText(findings: readonly Finding[], swept: Swept): string {
  const rows = sorted(findings).map((each) => [
    each.result,
    each.id,
    each.result === "holds" ? each.sentence : noteOf(each),
  ]);
  return [textTable(rows, [], ""), "", countsOf(findings), ...leftoverLines(swept)].join("\n");
}

/** For the issue form "The service differs". It contains no id, key or name of the account. */
function asMarkdown(findings: readonly Finding[], version: string, day: string): string {
  const rows = sorted(findings).map((each) => [
    each.id,
    each.sentence,
    each.known.join(", "),
    each.result === "differs" ? "**differs**" : each.result,
    noteOf(each),
  ]);
  const table = markdownTable([["fact", "statement", "known", "result", ""], ...rows]);
  return [`\`verify\` of version ${version}, ${day}: ${countsOf(findings)}`, "", ...table].join("\n");
}

function noteOf({ result, why = "", either }: Finding): string {
  return result === "differs" && either !== undefined ? `${why} (the provider can handle that: ${either})` : why;
}

function leftoverLines({ left }: Swept): string[] {
  if (left.length === 0) return [];
  return ["Not deleted; `verify --clean` tries again:", ...left.map((reason) => `  ${reason}`)];
}

function countsOf(findings: readonly Finding[]): string {
  const count = (result: Finding["result"]) => findings.filter((finding) => finding.result === result).length;
  return `${count("holds")} hold, ${count("differs")} differ, ${count("not tried")} were not tried.`;
}

const sorted = (findings: readonly Finding[]) =>
  findings.toSorted((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result));
