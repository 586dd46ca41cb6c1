import { z } from "../../../common/zod";
import { type AnyDefinition, adopted, COMMON_INPUTS, type Context, isAdopted, REVISION } from "../definition";
import { noteOf } from "../fields/declared";
import { factsOf, without } from "../fields/fields";
import { membersWhere, type Properties, pick, withoutNullMembers } from "../fields/values";
import { ageNote } from "./age";

/*
 * Makes the states of resources, from arguments, outputs and notes about them.
 */

/** The arguments among the properties of a state, without outputs and the engine's own properties. */
export function argumentsOf({ inputs }: AnyDefinition, properties: Properties): Properties {
  const isArgument = ([key]: [string, unknown]) =>
    Object.hasOwn(inputs.shape, key) || Object.hasOwn(COMMON_INPUTS, key);
  return withoutNullMembers(membersWhere(properties, isArgument));
}

/** The arguments that describe the resource. Never fails for arguments that `check` has completed. */
export function desiredOf({ inputs: schema }: AnyDefinition, inputs: Properties): Properties {
  const ofKind = membersWhere(inputs, ([key]) => !(key in COMMON_INPUTS));
  return without(schema, schema.parse(ofKind), ["control", "trigger"]);
}

/** Those of them that a create takes. */
export function creatableOf(definition: AnyDefinition, inputs: Properties): Properties {
  return without(definition.inputs, desiredOf(definition, inputs), ["afterCreate"]);
}

/**
 * The state after a create or an update.
 *
 * @param old the state before; undefined after a create
 * @param revised whether an update of ours changed what the resource does
 */
export function stateOf(
  definition: AnyDefinition,
  live: { id: string },
  context: Context,
  inputs: Properties,
  old: Properties | undefined,
  revised: boolean,
): Properties {
  const outputs = outputsOf(definition, live, context, old);
  const state = {
    ...inputs,
    ...outputs,
    ...revisionOf(definition, old, revised),
    ...noteOf(definition.inputs, inputs, new Set()),
    ...ageNote(definition, context, old, outputs),
  };
  return old !== undefined && isAdopted(old) && !isAdopted(inputs) ? adopted(state) : state;
}

/** @param old the state before; undefined for one that begins now */
export function outputsOf(
  definition: AnyDefinition,
  live: { id: string },
  context: Context,
  old?: Properties,
): Properties {
  const { outputs } = definition;
  const recordedOutputs = old === undefined ? {} : recorded(outputs, old);
  const before = old === undefined ? {} : { ...argumentsOf(definition, old), ...recordedOutputs };
  const computed: Properties = definition.computed(live, context, before);
  // The engine's protocol has no undefined. An output that is absent must be recorded as null, or every preview would call
  // it not known yet.
  const absent = Object.keys(computed).flatMap((key) => {
    const schema = outputs.shape[key];
    return schema !== undefined && factsOf(schema).internal ? [] : [[key, null]];
  });
  return {
    ...Object.fromEntries(absent),
    // Required ones stay if an answer can't be read, so no program loses them.
    ...membersWhere(recordedOutputs, ([key]) => outputs.shape[key]?.safeParse(undefined).success === false),
    ...withoutNullMembers(computed),
    ...(old && unchanged(outputs, old, computed)),
  };
}

/** Stable outputs that the answer lacks. They stay as recorded. */
function unchanged(outputs: z.ZodObject, old: Properties, computed: Properties): Properties {
  const lacking = Object.entries(outputs.shape).filter(
    ([key, schema]) => factsOf(schema).stable === true && (computed[key] ?? undefined) === undefined,
  );
  return pick(old, new Set(lacking.map(([key]) => key)));
}

/** The output `revision`, in kinds that declare it. */
export function revisionOf({ outputs }: AnyDefinition, old: Properties | undefined, revised: boolean): Properties {
  if (!(REVISION in outputs.shape)) return {};
  const before = typeof old?.revision === "number" ? old.revision : 0;
  return { [REVISION]: before === 0 || revised ? before + 1 : before };
}

/** The outputs among the properties of a state. One that another version wrote in another form is left out. */
function recorded(schema: z.ZodObject, old: Properties): Properties {
  const valid = Object.entries(schema.shape).flatMap(([key, field]) => {
    const result = z.safeParse(field, old[key]);
    return result.success && result.data !== undefined ? [[key, result.data]] : [];
  });
  return Object.fromEntries(valid);
}
