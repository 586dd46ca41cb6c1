import { z } from "../../common/zod";
import { endpointsOf } from "../../provider/cost/endpoints";
import { busiestWindow, type Cost, type Estimator, kindOf } from "../../provider/cost/monthlyCost";
import { nextChange, schedule } from "../../provider/cost/schedule";
import type { MonthlyCost, Resource } from "../../provider/cost/types";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { nameOfUrn } from "../../provider/lifecycle/urn";

const state = z.object({
  type: z.string(),
  id: z.string().optional(),
  parent: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).default({}),
});
type State = z.output<typeof state>;

/** The part of `pulumi preview --json` that is used. */
const preview = z.object({
  steps: z
    .array(z.object({ op: z.string(), urn: z.string(), oldState: state.optional(), newState: state.optional() }))
    .default([]),
  changeSummary: z.record(z.string(), z.number()).default({}),
  diagnostics: z.array(z.object({ severity: z.string(), message: z.string().default("") })).default([]),
});

const CHANGES = ["create", "update", "replace", "delete", "same"] as const;
export type ChangeKind = (typeof CHANGES)[number];
export const SIGNS: Readonly<Record<ChangeKind, string>> = {
  create: "+",
  update: "~",
  replace: "+-",
  delete: "-",
  same: "",
};

/** What one of the engine's operations does to a resource. An imported one is new to the stack, as a created one is. */
export function changeOf(operation: string): ChangeKind | undefined {
  return operation === "import" ? "create" : CHANGES.find((each) => each === operation);
}

/** A resource of this package, with its cost before and after. A cost is undefined where the resource does not exist. */
export interface CostChange {
  readonly urn: string;
  readonly name: string;
  readonly kind: string;
  readonly change: ChangeKind;
  readonly before: Cost | undefined;
  readonly after: Cost | undefined;
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

/** The document is not a preview, or the preview failed. */
export class PreviewError extends Error {
  override readonly name = "PreviewError";
  /** @param errors of a preview that failed */
  constructor(
    message: string,
    readonly errors: readonly string[] = [],
  ) {
    super(message);
  }
}

/** @throws PreviewError when it is not a preview, or the preview failed */
export function readPreview(document: unknown): z.output<typeof preview> {
  const parsed = preview.safeParse(document);
  if (!parsed.success || !hasSteps(document))
    throw new PreviewError("this is not a preview: give what `pulumi preview --json` prints.");
  const errors = parsed.data.diagnostics.filter(({ severity }) => severity === "error");
  const messages = errors.map(({ message }) => message.trim());
  if (messages.length > 0) throw new PreviewError(`the preview failed:\n${messages.join("\n")}`, messages);
  return parsed.data;
}

/** @throws PreviewError */
export async function costReport(document: unknown, estimator: Estimator): Promise<CostReport> {
  const { steps, changeSummary } = readPreview(document);
  const olds = new Map(steps.flatMap(({ urn, oldState }) => (oldState ? [[urn, oldState]] : [])));
  const news = new Map(
    steps.flatMap(({ urn, op, oldState, newState }) =>
      newState ? [[urn, { ...newState, outputs: op === "replace" ? {} : (oldState?.outputs ?? {}) }]] : [],
    ),
  );
  const resources = (
    await Promise.all(
      steps.map(async ({ op, urn, oldState, newState }): Promise<CostChange[]> => {
        const kind = kindOf((newState ?? oldState)?.type ?? "");
        const change = changeOf(op);
        if (kind === undefined || change === undefined) return [];
        const old = change === "create" ? undefined : oldState;
        const wanted = change === "delete" ? undefined : newState;
        // Values that the service has chosen stay, unless the resource is replaced.
        const stays = wanted && { ...wanted, outputs: change === "replace" ? {} : (old?.outputs ?? {}) };
        const scheduled = scheduledIn(kind, stays?.inputs);
        return [
          {
            urn,
            name: nameOfUrn(urn),
            kind,
            change,
            before: old && (await estimator.monthly(resourceOf(old, olds))),
            after: stays && (await estimator.monthly(resourceOf(stays, news))),
            ...(scheduled.busiest.length > 0 && scheduled),
          },
        ];
      }),
    )
  )
    .flat()
    .filter(({ before, after }) => before !== undefined || after !== undefined);
  const listed = steps.filter(({ op }) => op === "same").length;
  return {
    resources: resources.toSorted((a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) || compare(a, b)),
    sum: {
      before: totalOf(resources.map(({ before }) => before)),
      after: totalOf(resources.map(({ after }) => after)),
    },
    unknown: resources.filter(({ after }) => after !== undefined && "unknown" in after).length,
    unlisted: Math.max(0, (changeSummary.same ?? 0) - listed),
  };
}

/** A state in the form of policies, with its template from the same set of states. */
function resourceOf({ type, inputs, outputs, propertyDependencies }: State, all: ReadonlyMap<string, State>): Resource {
  const templates = (propertyDependencies.templateId ?? []).flatMap((urn): Resource[] => {
    const template = all.get(urn);
    return template === undefined ? [] : [{ type: template.type, props: { ...template.outputs, ...template.inputs } }];
  });
  // The template's present disk is more accurate than the copy in the outputs.
  const { disk, ...others } = outputs;
  const copied = templates.length === 0 && disk !== undefined ? { disk } : {};
  return { type, props: { ...copied, ...others, ...inputs }, propertyDependencies: { templateId: templates } };
}

/** Of an endpoint or a fleet, once for members that have the same. */
function scheduledIn(kind: string, inputs: Properties = {}): { busiest: string[]; next: string[] } {
  const all = endpointsOf(kind, "", inputs, undefined).map(({ props }) => props);
  const busiest = all.flatMap((each) => {
    const { workersMin, workersMax, from } = busiestWindow(each) ?? {};
    return from === undefined ? [] : [`counts as from ${from}: ${workersMin} to ${workersMax} workers`];
  });
  const next = all.flatMap((each) => {
    const { data } = schedule.safeParse(each.schedule);
    return (data && nextChange(data, Date.now())) ?? [];
  });
  return { busiest: [...new Set(busiest)], next: [...new Set(next)] };
}

function hasSteps(document: unknown): boolean {
  return typeof document === "object" && document !== null && ("steps" in document || "changeSummary" in document);
}

const compare = (one: CostChange, other: CostChange): number => (one.urn < other.urn ? -1 : 1);

export function totalOf(costs: readonly (Cost | undefined)[]): MonthlyCost {
  const priced = costs.filter((cost) => cost !== undefined && "min" in cost);
  return {
    min: cents(priced.reduce((all, { min }) => all + min, 0)),
    max: cents(priced.reduce((all, { max }) => all + max, 0)),
  };
}

export const cents = (amount: number): number => Math.round(amount * 100) / 100;
