import { checkInputs } from "../check/check";
import {
  type AnyDefinition,
  type Context,
  hasUniqueName,
  IMPORTED,
  type Judged,
  type Run,
  type Verdict,
} from "../definition";
import type { Difference } from "../fields/difference";
import { factsOf, isDamaged } from "../fields/fields";
import { containsUnknown, UNKNOWN } from "../fields/unknown";
import { unreadIn, withoutNote } from "../fields/unread";
import { type Properties, withoutNullMembers } from "../fields/values";
import { isUnfinished } from "../state/partlyMade";
import { argumentsOf, revisionOf } from "../state/states";
import { differenceText, fixedText, shrinks } from "./adoption";
import { acceptsDrift, compare, isReplacing, revises } from "./comparison";

export interface Planned {
  readonly changes: boolean;
  /** Properties that force a replacement. */
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
  /** What differs, property by property. */
  readonly differences: readonly Difference[];
}

/**
 * Decides what happens to a resource. It makes no call to the service, but for what the kind's judgement reads.
 *
 * @throws Error if the change is refused
 */
export async function planChange(
  definition: AnyDefinition,
  context: Context,
  id: string,
  state: Properties,
  args: Properties,
): Promise<Planned> {
  // After an import, a refresh compares the arguments as they are in the state: unchecked and without defaults.
  const next = unreadIn(args).length === 0 ? args : checkInputs(definition, withoutNote(args)).inputs;
  const old = withoutNullMembers(state);
  const subject = `${definition.kind} "${id}"`;
  const { changes, drift } = compare(definition, old, next, context);
  const replaces = changes.filter((each) => isReplacing(definition, each, next)).map(({ path }) => path);
  const change: Judged = { id, subject, old, next, changes: changes.map(({ path }) => path), replaces };
  const isImported = next[IMPORTED] === true && context.ledger.ids.isAdopting(id);
  const refusal = refusalOf(definition, change, changes, isImported);
  if (refusal !== undefined) throw new Error(`${subject}: ${refusal}`);

  const {
    guard,
    refused,
    loses,
    deletesFirst = false,
    warning,
    left = [],
  } = (await definition.judge?.(context, change)) ?? {};
  const isReplaced = replaces.length > 0;
  const replacement = `${replaces.join(", ")} can only change by a replacement, which`;
  if (isReplaced) weighReplacement(context, `${subject}: ${replacement}`, { guard, loses });
  if (refused !== undefined) throw new Error(`${subject}: ${refused}`);
  const warn = (text: string | undefined) => text !== undefined && context.log.warn(text);
  warn(driftWarning(change, drift));
  if (!isReplaced) warn(defaultWarning(change, changes));
  if (warning !== undefined) warn(`${subject}: ${warning}`);

  const sameName = hasUniqueName(definition) && old.name === next.name && next.__logicalName === undefined;
  const differences = changes.map((each) => ({ ...each, replaces: replaces.includes(each.path) }));
  return {
    changes: changes.length + left.length > 0 || isUnfinished(old) || acceptsDrift(definition, old, next, context),
    replaces,
    deleteBeforeReplace: isReplaced && (sameName || deletesFirst || definition.deletesFirst === "always"),
    differences: [...differences, ...left],
  };
}

/**
 * Judges a replacement that the engine has decided on without a diff, by `replacementTrigger`, `replaceWith` or a `provider` of
 * another account.
 *
 * @param old the recorded arguments
 * @throws Error if it is refused
 */
export async function judgeReplacement(
  definition: AnyDefinition,
  context: Context,
  old: Properties,
  next: Properties,
): Promise<void> {
  const subject = `${definition.kind} "${String(old.name ?? "")}"`;
  const change = { id: "", subject, old, next, changes: [], replaces: ["replacementTrigger"] };
  const { guard, loses } = (await definition.judge?.(context, change)) ?? {};
  // A unique name is free in another account. In the same one the service refuses the create.
  const verdict = { loses, ...(!hasUniqueName(definition) && { guard }) };
  weighReplacement(context, `${subject}: an option of the program asks for its replacement, which`, verdict);
}

/** @throws Error if the resource must not be replaced yet */
function weighReplacement({ log }: Context, text: string, { guard, loses }: Verdict): void {
  // mutant locked-pod-replaced: false
  if (guard !== undefined) throw new Error(`${text} would delete it, and ${guard}.`);
  // mutant data-lost-without-a-word: true
  if (loses === undefined) return;
  // The engine takes both options from the state.
  log.warn(
    `${text} deletes ${loses}. To keep that, set \`protect: true\` or \`retainOnDelete: true\` and run \`pulumi up\` before this ` +
      "change: an option that is set along with it counts from the next run on.",
  );
}

/** Why no kind makes this change, and the way out; undefined if it may. */
function refusalOf(
  { kind, inputs }: AnyDefinition,
  { id, old, next, replaces }: Judged,
  changes: readonly Difference[],
  isImported: boolean,
): string | undefined {
  const { adoptId } = next;
  const isAdoption = typeof adoptId === "string";
  if (isAdoption && adoptId !== old.adoptId && adoptId !== id && !containsUnknown(adoptId)) {
    return (
      `adoptId names another ${kind} (${adoptId}), and adopting it would delete this one. ` +
      "Declare a resource of another name for it, or forget this one first with `pulumi state delete`."
    );
  }
  const damaged = replaces.filter((path) => isDamaged(inputs.shape[path], old[path]));
  if (damaged.length > 0) {
    return (
      `the state is damaged: ${damaged.join(", ")} would replace it, and what is recorded there is no such value. ` +
      "Run `pulumi refresh`, which reads it again, then `pulumi up`."
    );
  }
  if (replaces.length > 0) {
    if (isImported) {
      const fixed = changes.filter(({ path }) => replaces.includes(path));
      return fixedText(fixed, next);
    }
    if (!isAdoption) return undefined;
    return (
      `${replaces.join(", ")} can only change by a replacement, which would delete it, and it was adopted: remove adoptId to ` +
      "allow that."
    );
  }
  const shrinking = changes.filter(shrinks);
  if (shrinking.length === 0) return undefined;
  return (
    `${differenceText(shrinking, next)}: it can't shrink. The service only grows it, and a replacement would ` +
    `lose its data. Keep the size, or declare a new ${kind} and copy the data over.`
  );
}

/** @param drift changes from outside of the program that only a replacement could undo */
function driftWarning({ subject, next }: Judged, drift: readonly Difference[]): string | undefined {
  if (drift.length === 0) return undefined;
  return (
    `${subject} was changed outside of this program, and only a replacement could undo that: ` +
    `${differenceText(drift, next)}. It is left as it is. Declare the present values to accept them, or replace the ` +
    "resource with `pulumi up --replace <urn>`."
  );
}

function defaultWarning({ subject }: Judged, changes: readonly Difference[]): string | undefined {
  const withoutDefault = changes.filter(
    ({ next, facts }) => next === undefined && facts.computed && facts.initially === undefined && !facts.trigger,
  );
  if (withoutDefault.length === 0) return undefined;
  const values = withoutDefault.map(({ path, old }) => `${path} ${JSON.stringify(old)}`).join(", ");
  return (
    `${subject} keeps ${values}: the program no longer declares it, and the service documents no default to go back to. ` +
    "Declare the value that it should have."
  );
}

/**
 * The state as far as it can be known before a create or an update has run.
 *
 * @param state undefined before a create
 */
export function previewOf(
  definition: AnyDefinition,
  run: Run,
  state: Properties | undefined,
  args: Properties,
): Properties {
  const inputs = argumentsOf(definition, args);
  const old = state && withoutNullMembers(state);
  const revised = old !== undefined && revises(compare(definition, old, inputs, run).changes);
  const revision = revisionOf(definition, old, revised);
  const outputs = Object.entries(definition.outputs.shape).map(([key, field]): [string, unknown] => [
    key,
    revision[key] ?? inputs[key] ?? (factsOf(field).stable ? old?.[key] : undefined) ?? UNKNOWN,
  ]);
  return { ...inputs, ...Object.fromEntries(outputs) };
}
