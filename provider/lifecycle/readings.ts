import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { checkInputs } from "./check/check";
import { type AnyDefinition, adopted, COMMON_INPUTS, type Context, IMPORTED, isAdopted } from "./definition";
import { ambiguous, declaredLast, noteOf } from "./fields/declared";
import { factsOf, isDamaged } from "./fields/fields";
import { declarable, noteUnread, PLACEHOLDER, unreadIn, unreadPaths } from "./fields/unread";
import { membersWhere, type Properties, pick, withoutNullMembers } from "./fields/values";
import { allDifferences, isDrastic } from "./plan/comparison";
import { refreshed } from "./plan/diff";
import { keptAge } from "./state/age";
import { isUnfinished, unfinished } from "./state/partlyMade";
import { outputsOf, revisionOf } from "./state/states";

/** Arguments and state, as the engine records them after a read. */
export interface Reading {
  readonly inputs: Properties;
  readonly state: Properties;
}

const COMMON: ReadonlySet<string> = new Set(Object.keys(COMMON_INPUTS));

/** The result of a refresh that finds nothing new: what is recorded. */
export function recordedReading(definition: AnyDefinition, old: Properties): Reading {
  return { inputs: declaredIn(definition, withoutNullMembers(old)), state: old };
}

function declaredIn({ inputs }: AnyDefinition, old: Properties): Properties {
  return { ...withoutNullMembers(pick(old, COMMON)), ...declaredLast(inputs, old) };
}

/** The result of a refresh. */
export function refreshedReading(
  definition: AnyDefinition,
  context: Context,
  live: { id: string },
  old: Properties,
): Reading {
  const { inputs: schema } = definition;
  const liveArgs: Properties = definition.observe(live, old);
  const recorded = declaredIn(definition, old);
  const declared = { ...recorded, ...repaired(schema, recorded, liveArgs) };
  // mutant refresh-sees-nothing: declared
  const observed = refreshed(schema, declared, liveArgs);
  const outputs = outputsOf(definition, live, context, old);
  const drifted = new Set(
    allDifferences(definition, { ...observed, ...outputs }, declared, context)
      .filter((each) => isDrastic(definition, each))
      .map(({ field }) => field),
  );
  const read = {
    ...ambiguous(schema, old),
    ...observed,
    ...outputs,
    ...noteOf(schema, declared, drifted),
    ...noteUnread(unreadIn(old)),
    ...keptAge(old),
  };
  const state = isAdopted(old) && !isAdopted(read) ? adopted(read) : read;
  return {
    // Drift that only a replacement could repair is not repaired, so these arguments stay as declared.
    inputs: { ...observed, ...pick(declared, drifted) },
    state: isUnfinished(old) ? unfinished(state) : state,
  };
}

/** What the service shows of arguments whose recorded values are damaged. */
function repaired(schema: z.ZodObject, recorded: Properties, liveArgs: Properties): Properties {
  return membersWhere(liveArgs, ([key, live]) => {
    const isShown = (live ?? undefined) !== undefined;
    return isShown && recorded[key] !== PLACEHOLDER && isDamaged(schema.shape[key], recorded[key]);
  });
}

/** The result of an import: the arguments that a program would have to declare, and the state. */
export function importedReading(definition: AnyDefinition, context: Context, live: { id: string }): Reading {
  const args = withPlaceholders(definition, declarable(definition.inputs, definition.observe(live, {})));
  const { inputs: complete, failures } = checkInputs(definition, args);
  if (failures.length > 0) {
    context.log.warn(
      `${definition.kind} "${live.id}" is imported with values that this version would not set: ` +
        `${failures.map(({ property, reason }) => `${property} ${reason}`).join("; ")}. Declare others, or upgrade the provider, before the next update.`,
    );
  }
  // Arguments are left out if the same value results without them.
  const needed = Object.entries(args).filter(([key]) => {
    const { [key]: value, ...others } = args;
    return !isDeepStrictEqual(checkInputs(definition, others).inputs[key], value);
  });
  const inputs = Object.fromEntries(needed);
  const unread = noteUnread(unreadPaths(definition.inputs));
  return {
    inputs: { ...inputs, ...unread, [IMPORTED]: true },
    state: adopted({
      ...complete,
      [IMPORTED]: true,
      ...outputsOf(definition, live, context),
      ...revisionOf(definition, undefined, false),
      ...noteOf(definition.inputs, inputs, new Set()),
      ...unread,
    }),
  };
}

/** Adds a placeholder for each argument that a rule requires and an import can't read, such as a cluster's image. */
function withPlaceholders(definition: AnyDefinition, args: Properties): Properties {
  const required = checkInputs(definition, args).failures.filter(
    // A failure may be inside an argument.
    ({ property }) =>
      Object.hasOwn(definition.inputs.shape, property) &&
      args[property] === undefined &&
      factsOf(definition.inputs.shape[property]).writeOnly,
  );
  return { ...args, ...Object.fromEntries(required.map(({ property }) => [property, PLACEHOLDER])) };
}
