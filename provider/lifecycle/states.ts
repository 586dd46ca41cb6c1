import { z } from "zod";
import { noteOf } from "./declared";
import { adopted, COMMON_INPUTS, type Context, isAdopted, REVISION, type ResourceDefinition } from "./definition";
import { type Controls, type Creatable, controlsOf, type Desired, factsOf, without } from "./fields";
import { type Properties, pick, withoutNullMembers } from "./values";

/** Makes the states of one kind, from arguments, outputs and notes about them. */
export class States<Schema extends z.ZodObject, Live extends { id: string }, Outputs extends z.ZodObject> {
  readonly #arguments: ReadonlySet<string>;

  constructor(readonly definition: ResourceDefinition<Schema, Live, Outputs>) {
    this.#arguments = new Set([...Object.keys(definition.inputs.shape), ...Object.keys(COMMON_INPUTS)]);
  }

  /** The arguments among the properties of a state, without outputs and the engine's own properties. */
  arguments(properties: Properties): Properties {
    return withoutNullMembers(pick(properties, this.#arguments));
  }

  creatable(inputs: Properties): Creatable<Schema> {
    return without(this.definition.inputs, this.#parsed(inputs), ["control", "trigger", "afterCreate"]);
  }

  desired(inputs: Properties): Desired<Schema> {
    return without(this.definition.inputs, this.#parsed(inputs), ["control", "trigger"]);
  }

  controls(inputs: Properties): Controls<Schema> {
    return controlsOf(this.definition.inputs, inputs);
  }

  /**
   * The state after a create or an update.
   *
   * @param old the state before; undefined after a create
   * @param revised whether an update of ours changed what the resource does
   */
  of(live: Live, context: Context, inputs: Properties, old: Properties | undefined, revised: boolean): Properties {
    const state = {
      ...inputs,
      ...this.outputs(live, context, old),
      ...this.revision(old, revised),
      ...noteOf(this.definition.inputs, inputs, new Set()),
    };
    return old !== undefined && isAdopted(old) && !isAdopted(inputs) ? adopted(state) : state;
  }

  outputs(live: Live, context: Context, old: Properties | undefined): Properties {
    const { outputs } = this.definition;
    const known = recorded<Outputs>(outputs, old);
    const computed: Properties = this.definition.computed(live, context, { ...this.arguments(old ?? {}), ...known });
    // The engine's protocol has no undefined. An output that is absent must be recorded as null, or every preview would call
    // it not known yet.
    const shown = Object.keys(computed).filter((key) => !isInternal(outputs, key));
    return {
      ...Object.fromEntries(shown.map((key) => [key, null])),
      ...always(outputs, known),
      ...withoutNullMembers(computed),
    };
  }

  /** The output `revision`, in kinds that declare it. */
  revision(old: Properties | undefined, revised: boolean): Properties {
    return REVISION in this.definition.outputs.shape ? { [REVISION]: revisionAfter(old, revised) } : {};
  }

  /** Never fails for arguments that `check` has completed. */
  #parsed(inputs: Properties): z.output<Schema> {
    return this.definition.inputs.parse(withoutCommon(inputs));
  }
}

/** The arguments that every kind takes. */
export function commonInputs(properties: Properties): Properties {
  return withoutNullMembers(pick(properties, new Set(Object.keys(COMMON_INPUTS))));
}

function withoutCommon(inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => !(key in COMMON_INPUTS)));
}

function revisionAfter(old: Properties | undefined, revised: boolean): number {
  const before = typeof old?.revision === "number" ? old.revision : 0;
  return before === 0 || revised ? before + 1 : before;
}

function isInternal(outputs: z.ZodObject, key: string): boolean {
  const schema = outputs.shape[key];
  return schema !== undefined && factsOf(schema).internal === true;
}

/** The recorded outputs that are required. They stay if an answer can't be read, so no program loses them. */
function always(outputs: z.ZodObject, known: Properties): Properties {
  const required = Object.entries(known).filter(([key]) => outputs.shape[key]?.safeParse(undefined).success === false);
  return Object.fromEntries(required);
}

/** The outputs among the properties of a state. One that another version wrote in another form is left out. */
function recorded<Outputs extends z.ZodObject>(schema: z.ZodObject, old: Properties = {}): Partial<z.output<Outputs>> {
  const valid = Object.entries(schema.shape).flatMap(([key, field]) => {
    const result = z.safeParse(field, old[key]);
    return result.success && result.data !== undefined ? [[key, result.data]] : [];
  });
  return Object.fromEntries(valid);
}
