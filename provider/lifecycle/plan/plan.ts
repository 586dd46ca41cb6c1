import { checkInputs } from "../check/check";
import type { AnyDefinition, Context } from "../definition";
import { factsOf, isDamaged } from "../fields/fields";
import { containsUnknown, UNKNOWN } from "../fields/unknown";
import { unreadIn, withoutNote } from "../fields/unread";
import { type Properties, withoutNullMembers } from "../fields/values";
import { isUnfinished } from "../state/partlyMade";
import { argumentsOf, revisionOf } from "../state/states";
import { differenceText, shrinks } from "./adoption";
import { acceptsDrift, compare, isReplacing, revises } from "./comparison";
import type { Difference } from "./diff";

export interface Planned {
  readonly changes: boolean;
  /** Properties that force a replacement. */
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
  /** What differs, property by property. */
  readonly differences: readonly Difference[];
}

/** A change of a resource, as the rules below judge it. */
interface Judged {
  readonly definition: AnyDefinition;
  readonly context: Context;
  /** Kind and id, as messages name it. */
  readonly subject: string;
  readonly old: Properties;
  readonly next: Properties;
  readonly found: readonly Difference[];
  /** Changes from outside of the program that only a replacement could undo. */
  readonly drift: readonly Difference[];
  /** Paths of the differences that replace the resource. */
  readonly replaces: readonly string[];
}

/** The message about a change; undefined if the rule does not apply. */
type Rule = (change: Judged) => string | undefined;

const REFUSALS: readonly Rule[] = [
  function isComparedWithDamage({ definition, subject, old, replaces }) {
    const damaged = replaces.filter((path) => isDamaged(definition.inputs.shape[path], old[path]));
    if (damaged.length === 0) return undefined;
    return (
      `${subject}: the state is damaged: ${damaged.join(", ")} would replace it, and what is recorded there is no such value. ` +
      "Run `pulumi refresh`, which reads it again, then `pulumi up`."
    );
  },
  function replacesWhatIsGuarded({ definition, subject, old, next, replaces }) {
    if (replaces.length === 0) return undefined;
    const adopted = typeof next.adoptId === "string";
    const guard = adopted ? "it was adopted: remove adoptId to allow that" : definition.guarded?.(old, next);
    // mutant locked-pod-replaced: undefined
    return (
      guard &&
      `${subject}: ${replaces.join(", ")} can only change by a replacement, which would delete it, and ${guard}.`
    );
  },
  function shrinksWhatOnlyGrows({ definition, subject, next, found, replaces }) {
    const shrinking = found.filter(shrinks);
    if (replaces.length > 0 || shrinking.length === 0) return undefined;
    return (
      `${subject}: ${differenceText(shrinking, next)}: it can't shrink. The service only grows it, and a replacement would ` +
      `lose its data. Keep the size, or declare a new ${definition.kind} and copy the data over.`
    );
  },
  function isRefusedByTheKind({ definition, subject, old, next, replaces }) {
    const reason = replaces.length > 0 ? undefined : definition.refused?.(old, next);
    return reason && `${subject}: ${reason}`;
  },
];

const WARNINGS: readonly Rule[] = [
  function hasDrifted({ subject, next, drift }) {
    if (drift.length === 0) return undefined;
    return (
      `${subject} was changed outside of this program, and only a replacement could undo that: ` +
      `${differenceText(drift, next)}. It is left as it is. Declare the present values to accept them, or replace the ` +
      "resource with `pulumi up --replace <urn>`."
    );
  },
  function hasNoDefault({ subject, found, replaces }) {
    const kept = replaces.length > 0 ? [] : found.filter(isWithoutDefault);
    if (kept.length === 0) return undefined;
    const values = kept.map(({ path, old }) => `${path} ${JSON.stringify(old)}`).join(", ");
    return (
      `${subject} keeps ${values}: the program no longer declares it, and the service documents no default to go back to. ` +
      "Declare the value that it should have."
    );
  },
  function isKeptByUsers({ definition, subject, next, replaces }) {
    if (replaces.length === 0 || !definition.keptByUsers || next.__deleteBeforeReplace !== true) return undefined;
    return (
      `${subject}: the option deleteBeforeReplace deletes it first, and the service refuses that while an endpoint uses it. ` +
      "Remove the option: then the endpoints move to the new one before this one is deleted."
    );
  },
  function losesData({ definition, context, subject, old, replaces }) {
    // mutant data-lost-without-a-word: true
    const lost = replaces.length === 0 ? undefined : definition.dataLost?.(old, context);
    return (
      lost &&
      `${subject}: ${replaces.join(", ")} can only change by a replacement, which deletes ${lost}. ` +
        "The option `protect: true` prevents that."
    );
  },
];

/**
 * Decides what happens to a resource, without a call to the service.
 *
 * @throws Error if the change is refused
 */
export function planChange(
  definition: AnyDefinition,
  context: Context,
  id: string,
  state: Properties,
  given: Properties,
): Planned {
  // After an import, a refresh compares the arguments as they are in the state: unchecked and without defaults.
  const next = unreadIn(given).length === 0 ? given : checkInputs(definition, withoutNote(given)).inputs;
  if (next.schedule !== undefined) context.woken.schedules(id);
  const old = afterInterruptedRun(definition, context, id, withoutNullMembers(state), next);
  const subject = `${definition.kind} "${id}"`;
  refuseOtherAdoption(definition.kind, subject, id, old, next);

  const { found, drift } = compare(definition, old, next);
  const replaces = found.filter((each) => isReplacing(definition, each, next)).map(({ path }) => path);
  const change = { definition, context, subject, old, next, found, drift, replaces };
  for (const rule of REFUSALS) {
    const refusal = rule(change);
    if (refusal !== undefined) throw new Error(refusal);
  }
  for (const rule of WARNINGS) {
    const warning = rule(change);
    if (warning !== undefined) context.log.warn(warning);
  }

  const sameName = definition.uniqueName === true && old.name === next.name && next.__logicalName === undefined;
  return {
    changes: found.length > 0 || isUnfinished(old) || acceptsDrift(definition, old, next),
    replaces,
    deleteBeforeReplace: replaces.length > 0 && (sameName || (definition.deleteBeforeReplace?.(old, next) ?? false)),
    differences: found.map((each) => ({ ...each, replaces: replaces.includes(each.path) })),
  };
}

/**
 * The recorded state, or what an earlier run has made of it: an endpoint that was started for a job and not scaled back, or
 * that was scaled to 0 and not deleted.
 */
export function afterInterruptedRun(
  definition: AnyDefinition,
  { woken, log }: Context,
  id: string,
  recorded: Properties,
  next: Properties,
): Properties {
  const workersMax = woken.leftoverMaximum(id);
  const awake = workersMax === undefined ? undefined : definition.awake?.(recorded, workersMax);
  if (awake === undefined) return recorded;
  const subject = `${definition.kind} "${id}"`;
  const scaledToNone = `${subject} was scaled to 0 workers by a run that was to delete it and failed`;
  if (compare(definition, awake, next).found.length === 0) {
    if (workersMax === 0) log.warn(`${scaledToNone}. Declare its maximum of workers to give it workers again.`);
    return recorded;
  }
  woken.markSeen(id);
  log.info(
    workersMax === 0
      ? `${scaledToNone}: an update gives it its workers again.`
      : `${subject} may start up to ${workersMax} workers, because a run was killed during its job: this update scales it to 0.`,
  );
  return awake;
}

/**
 * The state as far as it can be known before a create or an update has run.
 *
 * @param state undefined before a create
 */
export function previewOf(definition: AnyDefinition, state: Properties | undefined, given: Properties): Properties {
  const inputs = argumentsOf(definition, given);
  const old = state && withoutNullMembers(state);
  const revised = old !== undefined && revises(definition, compare(definition, old, inputs).found, inputs);
  const revision = revisionOf(definition, old, revised);
  const outputs = Object.entries(definition.outputs.shape).map(([key, field]): [string, unknown] => [
    key,
    revision[key] ?? inputs[key] ?? (factsOf(field).stable ? old?.[key] : undefined) ?? UNKNOWN,
  ]);
  return { ...inputs, ...Object.fromEntries(outputs) };
}

function refuseOtherAdoption(kind: string, subject: string, id: string, old: Properties, { adoptId }: Properties) {
  if (typeof adoptId !== "string" || adoptId === old.adoptId || adoptId === id || containsUnknown(adoptId)) return;
  throw new Error(
    `${subject}: adoptId names another ${kind} (${adoptId}), and adopting it would delete this one. ` +
      "Declare a resource of another name for it, or forget this one first with `pulumi state delete`.",
  );
}

/** Whether an argument was removed and has no default to go back to. */
function isWithoutDefault({ next, facts }: Difference): boolean {
  return next === undefined && facts.computed === true && facts.initially === undefined && facts.trigger !== true;
}
