/* The one reader of a preview's steps: what a run does to each thing that the account has or gets. */
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../common/json";
import { nameOfUrn } from "../../common/urn";
import { z } from "../../common/zod";
import { endpointsOf } from "../../provider/cost/endpoints";
import { kindOf } from "../../provider/cost/monthlyCost";
import type { Resource } from "../../provider/cost/types";

const properties = z.record(z.string(), z.unknown()).default({});
const state = z.object({
  type: z.string(),
  id: z.string().optional(),
  parent: z.string().optional(),
  importID: z.string().optional(),
  /** As it is recorded: an option that comes with the same edit counts from the next run on. */
  retainOnDelete: z.boolean().default(false),
  inputs: properties,
  outputs: properties,
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
type PreviewStep = z.output<typeof preview>["steps"][number];

/** `adopt`: it exists, and becomes the stack's. `keep`: it leaves the stack, and exists on. */
export const SIGNS = { create: "+", adopt: "=", update: "~", replace: "+-", delete: "-", keep: "", same: "" } as const;
export type Change = keyof typeof SIGNS;
/** In the order of reports. */
const CHANGES = Object.keys(SIGNS) as readonly Change[];

/** What a run does to a thing that is billed by itself: a resource, or a member of a fleet. */
export interface Part {
  /** Of a member: with the fleet's. */
  readonly name: string;
  readonly change: Change;
  /** Undefined for what does not exist yet. */
  readonly id: string | undefined;
  /** As it is in the account before the run, and after it; undefined where it is not. */
  readonly before?: Resource | undefined;
  readonly after?: Resource | undefined;
}

/** What a run does to a resource of this package. */
export interface Step {
  readonly urn: string;
  readonly name: string;
  readonly kind: string;
  readonly change: Change;
  /** None for one that another resource takes over: it is among that one's. */
  readonly parts: readonly Part[];
}

export interface Preview {
  /** Those that change most come first. */
  readonly steps: readonly Step[];
  /** By the URN of a resource, of other packages too: that of its parent. */
  readonly parents: ReadonlyMap<string, string | undefined>;
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

/**
 * Reads what `pulumi preview --json` prints.
 *
 * @throws PreviewError when it is not a preview, or the preview failed
 */
export function readPreview(document: unknown): Preview {
  const { data } = preview.safeParse(document);
  if (data === undefined || !isRecord(document) || !("steps" in document || "changeSummary" in document))
    throw new PreviewError("this is not a preview: give what `pulumi preview --json` prints.");
  const errors = data.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message.trim());
  if (errors.length > 0) throw new PreviewError(`the preview failed:\n${errors.join("\n")}`, errors);
  const steps = stepsOf(withImports(data.steps)).toSorted(
    (a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) || (a.urn < b.urn ? -1 : 1),
  );
  return {
    steps,
    parents: new Map(data.steps.map(({ urn, oldState, newState }) => [urn, (newState ?? oldState)?.parent])),
    unlisted: Math.max(0, (data.changeSummary.same ?? 0) - data.steps.filter(({ op }) => op === "same").length),
  };
}

/** An import that changes what it imports is one step here: the engine has a second one, with what it has read. */
function withImports(all: readonly PreviewStep[]): readonly PreviewStep[] {
  const imported = new Set(all.flatMap(({ op, urn }) => (op === "import" ? [urn] : [])));
  const read = new Map(all.flatMap((step) => (imported.has(step.urn) && step.oldState ? [[step.urn, step]] : [])));
  return all.flatMap((step) => {
    const changed = read.get(step.urn);
    return changed === undefined ? [step] : step.op === "import" ? [{ ...changed, op: "import" }] : [];
  });
}

/** One thing of a state. */
interface Piece {
  readonly name: string;
  readonly id: string | undefined;
  readonly resource: Resource;
}

/** A step, with the things that it is about by their names. */
interface Split {
  readonly urn: string;
  readonly kind: string;
  readonly change: Change;
  readonly oldState: State | undefined;
  readonly newState: State | undefined;
  readonly before: ReadonlyMap<string, Piece>;
  readonly after: ReadonlyMap<string, Piece>;
}

function stepsOf(all: readonly PreviewStep[]): Step[] {
  const olds = new Map(all.flatMap(({ urn, oldState }) => (oldState ? [[urn, oldState]] : [])));
  const news = new Map(
    all.flatMap(({ urn, op, oldState, newState }) => (newState ? [[urn, chosenIn(newState, op, oldState)]] : [])),
  );
  const split = all.flatMap(({ urn, op, oldState, newState }): Split[] => {
    const kind = kindOf((newState ?? oldState)?.type ?? "");
    const change = op === "import" ? "adopt" : CHANGES.find((each) => each === op);
    if (kind === undefined || change === undefined) return [];
    const before = piecesOf(urn, change === "create" ? undefined : oldState, olds);
    const after = piecesOf(urn, change === "delete" ? undefined : news.get(urn), news);
    return [{ urn, kind, change, before, after, oldState, newState }];
  });
  const recorded = new Map(split.flatMap(({ before }) => Array.from(before.values(), (piece) => [piece.id, piece])));
  const adopted = new Set(
    split.flatMap(({ before, after, newState }) =>
      [...after.values()].flatMap((piece) => (before.has(piece.name) ? [] : (adoptedId(piece, newState) ?? []))),
    ),
  );
  return split.map((step): Step => {
    const { urn, kind, change, before, after, newState } = step;
    const parts = [...new Set([...before.keys(), ...after.keys()])].flatMap((name): readonly Part[] => {
      const [old, next] = [before.get(name), after.get(name)];
      if (old !== undefined) return next === undefined && adopted.has(old.id ?? "") ? [] : partsOf(step, old, next);
      const id = next && adoptedId(next, newState);
      if (id === undefined) return [{ name, id, change: "create", after: next?.resource }];
      // As another resource has recorded it, else as it is declared.
      return [{ name, id, change: "adopt", before: (recorded.get(id) ?? next)?.resource, after: next?.resource }];
    });
    const whole = (["adopt", "keep"] as const).find(
      (each) => parts.length > 0 && parts.every((part) => part.change === each),
    );
    return { urn, name: nameOfUrn(urn), kind, change: whole ?? change, parts };
  });
}

/** What a step does to a thing that the stack has. */
function partsOf({ urn, change, oldState, newState }: Split, { name, id, resource }: Piece, next?: Piece): Part[] {
  const released = newState?.inputs.released;
  const member = name.slice(nameOfUrn(urn).length + 1);
  const stays = change === "update" ? Array.isArray(released) && released.includes(member) : oldState?.retainOnDelete;
  const old = { name, id, before: resource };
  const remains: Part = { ...old, change: "keep", after: resource };
  if (next === undefined) return [stays ? remains : { ...old, change: "delete" }];
  const after = next.resource;
  if (change === "replace" && stays) return [remains, { name, id: undefined, change, after }];
  const isUnchanged = change === "update" && resource.type === MEMBER && isDeepStrictEqual(resource, after);
  return [{ ...old, change: isUnchanged ? "same" : change, after }];
}

/** The id of the existing resource that a new one takes over. */
function adoptedId({ resource }: Piece, newState: State | undefined): string | undefined {
  const { adoptId } = resource.props;
  return typeof adoptId === "string" ? adoptId : newState?.importID || undefined;
}

/** With what the service has chosen, which stays unless the resource is replaced. */
function chosenIn(newState: State, op: string, oldState: State | undefined): State {
  if (op === "replace" || oldState === undefined) return { ...newState, outputs: {} };
  const chosen = Object.entries(oldState.outputs).filter(([key]) => !(key in oldState.inputs));
  return { ...newState, outputs: Object.fromEntries(chosen) };
}

/** A resource in the form of policies, or each member of a fleet. */
function piecesOf(urn: string, of: State | undefined, all: ReadonlyMap<string, State>): ReadonlyMap<string, Piece> {
  if (of === undefined) return new Map();
  const { type, id, inputs, outputs, propertyDependencies } = of;
  const name = nameOfUrn(urn);
  const isFleet = kindOf(type) === "ServerlessFleet";
  const members = isFleet ? endpointsOf("ServerlessFleet", name, { ...outputs, ...inputs }, id) : [];
  if (members.length > 0)
    return new Map(members.map(({ name, id, props }) => [name, { name, id, resource: { type: MEMBER, name, props } }]));
  const templates = (propertyDependencies.templateId ?? []).flatMap((urn): Resource[] => {
    const template = all.get(urn);
    return template === undefined ? [] : [{ type: template.type, props: { ...template.outputs, ...template.inputs } }];
  });
  // The template's present disk is more accurate than the copy in the outputs.
  const { disk, ...others } = outputs;
  const copied = templates.length === 0 && disk !== undefined ? { disk } : {};
  const props = { ...copied, ...others, ...inputs };
  return new Map([
    [name, { name, id, resource: { type, name, props, propertyDependencies: { templateId: templates } } }],
  ]);
}

const MEMBER = "computecloud:index:ServerlessEndpoint";
