import { busiestWindow, type Cost, type Estimator, sum } from "../../provider/cost/monthlyCost";
import { Timetable } from "../../provider/cost/schedule";
import type { MonthlyCost, Resource } from "../../provider/cost/types";
import type { Escape } from "../markdown";
import { cents, difference, dollars, type ReportOf, span } from "./report";
import { type Change, readPreview, SIGNS, type Step } from "./steps";

/** A resource of this package, with its cost before and after. A cost is undefined where the resource does not exist. */
export interface CostChange {
  readonly urn: string;
  readonly name: string;
  readonly kind: string;
  readonly change: Change;
  readonly before: Cost | undefined;
  readonly after: Cost | undefined;
  /** What of it exists already, or exists on outside the stack. Both are billed before and after. */
  readonly adopted?: readonly string[];
  readonly retained?: readonly string[];
  /** The workers that its schedule allows at most, and from when on: `after` counts these. Of a fleet, those of its members. */
  readonly busiest?: readonly string[];
  /** The next changes by its schedule, or by those of a fleet's members. */
  readonly next?: readonly string[];
}

export interface CostReport {
  readonly resources: readonly CostChange[];
  readonly sum: { readonly before: MonthlyCost; readonly after: MonthlyCost };
  /** The number of resources with an unknown price after the update. They are not in the sum. */
  readonly unknown: number;
  /** The number of unchanged resources that the preview does not list. */
  readonly unlisted: number;
}

/** @throws PreviewError */
export async function costReport(document: unknown, estimator: Estimator): Promise<CostReport> {
  const { steps, unlisted } = readPreview(document);
  const all = await Promise.all(steps.map((step) => costOf(step, estimator)));
  const resources = all.filter(({ before, after }) => before !== undefined || after !== undefined);
  return {
    resources,
    sum: {
      before: totalOf(resources.map(({ before }) => before)),
      after: totalOf(resources.map(({ after }) => after)),
    },
    unknown: unpricedIn(resources).length,
    unlisted,
  };
}

async function costOf({ urn, name, kind, change, parts }: Step, estimator: Estimator): Promise<CostChange> {
  const total = async (side: "before" | "after") => {
    const all = parts.flatMap((part) => part[side] ?? []);
    const costs = (await Promise.all(all.map(estimator))).flatMap((cost) => cost ?? []);
    return costs.length === 0 ? undefined : sum(costs);
  };
  const named = (is: Change) => parts.flatMap((part) => (part.change === is ? [part.name] : []));
  const [adopted, retained] = [named("adopt"), named("keep")];
  const scheduled = scheduledIn(parts.flatMap(({ after }) => after ?? []));
  const [before, after] = await Promise.all([total("before"), total("after")]);
  return {
    ...{ urn, name, kind, change, before, after },
    ...(adopted.length > 0 && { adopted }),
    ...(retained.length > 0 && { retained }),
    ...(scheduled.busiest.length > 0 && scheduled),
  };
}

/** Once for members of a fleet that have the same. */
function scheduledIn(resources: readonly Resource[]): { busiest: string[]; next: string[] } {
  const busiest = resources.flatMap(({ props }) => {
    const { workersMin, workersMax, from } = busiestWindow(props) ?? {};
    return from === undefined ? [] : [`counts as from ${from}: ${workersMin} to ${workersMax} workers`];
  });
  const next = resources.flatMap(({ props }) => Timetable.of(props)?.nextChange(Date.now()) ?? []);
  return { busiest: [...new Set(busiest)], next: [...new Set(next)] };
}

export function totalOf(costs: readonly (Cost | undefined)[]): MonthlyCost {
  const priced = costs.filter((cost) => cost !== undefined && "min" in cost);
  return {
    min: cents(priced.reduce((all, { min }) => all + min, 0)),
    max: cents(priced.reduce((all, { max }) => all + max, 0)),
  };
}

/** Resources whose price after the update is not known, with the reason. */
export function unpricedIn(resources: readonly CostChange[]): { readonly name: string; readonly reason: string }[] {
  return resources.flatMap(({ name, after }) =>
    after !== undefined && "unknown" in after ? [{ name, reason: after.unknown }] : [],
  );
}

/** @param exceeded the limits that the cost is above, for names that are shown in one way */
export function reportOfCost(report: CostReport, exceeded: (escapeText: Escape) => readonly string[]): ReportOf {
  const { resources, sum } = report;
  return (escapeText) => ({
    title: `Cost a month: ${span(sum.before)} → ${span(sum.after)} (${difference(sum.before, sum.after)})`,
    rows: [
      ["", "resource", "before", "after", "change"],
      ...resources.map(({ change, name, kind, before, after }) => [
        SIGNS[change],
        `${escapeText(name)} (${kind})`,
        ...[before, after].map((cost) => (cost === undefined ? "" : "unknown" in cost ? "unknown" : span(cost))),
        changeBetween(before, after),
      ]),
      ["", "sum", span(sum.before), span(sum.after), difference(sum.before, sum.after)],
    ],
    figures: [2, 3, 4],
    problems: exceeded(escapeText),
    notes: notesOn(report, escapeText),
  });
}

function changeBetween(before: Cost | undefined, after: Cost | undefined): string {
  const none = { min: 0, max: 0 };
  const [old, next] = [before ?? none, after ?? none];
  return "unknown" in old || "unknown" in next ? "unknown" : difference(old, next);
}

function notesOn({ resources, unlisted }: CostReport, escapeText: Escape): string[] {
  const isRange = (cost: Cost | undefined) =>
    cost !== undefined && "min" in cost && dollars(cost.min) !== dollars(cost.max);
  const ranges = resources.some(
    ({ kind, before, after }) => kind.startsWith("Serverless") && (isRange(before) || isRange(after)),
  );
  return [
    ...(ranges ? ["Serverless: minimum: always-on workers; maximum: all workers busy all month."] : []),
    ...resources.flatMap(({ name, after, adopted = [], retained = [], busiest = [], next = [] }) => [
      ...adopted.map((each) => `${escapeText(each)} exists already, and is billed.`),
      ...retained.map((each) => `What the stack has as ${escapeText(each)} goes on outside it, and is billed.`),
      ...(after !== undefined && "min" in after && after.dearest !== undefined
        ? [`${escapeText(name)}: at most with ${after.dearest.map(escapeText).join(", ")}`]
        : []),
      ...[...busiest, ...next].map((each) => `${escapeText(name)}: ${each}`),
    ]),
    ...unpricedIn(resources).map(
      ({ name, reason }) => `${escapeText(name)}: price unknown, not in the sum: ${escapeText(reason)}`,
    ),
    ...(unlisted > 0
      ? [`Without ${unlisted} unchanged resources: pulumi preview --json --show-sames lists them.`]
      : []),
    "Estimated with the catalog's prices of today and 730 hours a month.",
  ];
}
