import { messageOf } from "../../common/messageOf";
import { z } from "../../common/zod";
import type { Estimator } from "../../provider/cost/monthlyCost";
import type { MonthlyCost } from "../../provider/cost/types";
import { exportOf, type Place } from "../drift/refreshingPreview";
import type { Failure } from "../drift/render";
import type { Escape } from "../markdown";
import { costReport, totalOf, unpricedIn } from "./cost";
import { type ReportOf, span } from "./report";

/** What the resources of a stack's state cost a month. */
interface StackCost {
  readonly stack: string;
  readonly sum: MonthlyCost;
  /** Names of resources with an unknown price. They are not in the sum. */
  readonly unknown: readonly string[];
}

export interface StacksReport {
  readonly stacks: readonly StackCost[];
  /** Stacks whose state could not be read. They are not in the sum. */
  readonly failures: readonly Failure[];
  readonly sum: MonthlyCost;
}

const Resource = z.looseObject({ urn: z.string(), type: z.string(), external: z.boolean().default(false) });
const Exported = z.object({ deployment: z.object({ resources: z.array(Resource).default([]) }).nullable() });

export async function costOfStacks(places: readonly Place[], estimator: Estimator): Promise<StacksReport> {
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

export function reportOfStacks(
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
    verdict: "Too much",
    problems: exceeded(escapeText),
    notes: [],
  });
}
