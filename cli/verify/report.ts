import { textTable } from "../../common/table";
import { markdownTable } from "../markdown";
import { prefixOf } from "./bench";
import type { Finding, Swept, TrialPlan } from "./verify";

const MINUTES = 5;
const ORDER: readonly Finding["result"][] = ["differs", "holds", "not tried"];

/** What a run is going to do. Printed before it begins. */
export function announcement({ tried, usd }: TrialPlan, word: string): string {
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
export function asText(findings: readonly Finding[], swept: Swept): string {
  const rows = sorted(findings).map((each) => [
    each.result,
    each.id,
    each.result === "holds" ? each.sentence : noteOf(each),
  ]);
  return [textTable(rows, [], ""), "", countsOf(findings), ...leftoverLines(swept)].join("\n");
}

/** For the issue form "The service differs". It contains no id, key or name of the account. */
export function asMarkdown(findings: readonly Finding[], version: string, day: string): string {
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

export function leftoverLines({ left }: Swept): string[] {
  if (left.length === 0) return [];
  return ["Not deleted; `verify --clean` tries again:", ...left.map((reason) => `  ${reason}`)];
}

function countsOf(findings: readonly Finding[]): string {
  const count = (result: Finding["result"]) => findings.filter((finding) => finding.result === result).length;
  return `${count("holds")} hold, ${count("differs")} differ, ${count("not tried")} were not tried.`;
}

const sorted = (findings: readonly Finding[]) =>
  findings.toSorted((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result));
