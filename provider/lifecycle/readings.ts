import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { checkInputs } from "./check";
import type { Comparison } from "./comparison";
import { ambiguous, declaredLast, noteOf } from "./declared";
import { adopted, type Context, isAdopted, type ResourceDefinition } from "./definition";
import { refreshed } from "./diff";
import { factsOf } from "./fields";
import { isUnfinished, unfinished } from "./partlyMade";
import { commonInputs, type States } from "./states";
import { declarable, noteUnread, PLACEHOLDER, unreadIn, unreadPaths } from "./unread";
import { type Properties, pick } from "./values";

/** Arguments and state, as the engine records them after a read. */
export interface Reading {
  readonly inputs: Properties;
  readonly state: Properties;
}

/** Turns the service's answers into arguments and states of one kind. */
export class Readings<Schema extends z.ZodObject, Live extends { id: string }, Outputs extends z.ZodObject> {
  constructor(
    private readonly definition: ResourceDefinition<Schema, Live, Outputs>,
    private readonly states: States<Schema, Live, Outputs>,
    private readonly comparison: Comparison<Schema, Live, Outputs>,
  ) {}

  /** The result of a refresh. */
  refreshed(context: Context, live: Live, old: Properties): Reading {
    const { definition } = this;
    const schema = definition.inputs;
    const declared = { ...commonInputs(old), ...declaredLast(schema, old) };
    const observed = refreshed(schema, declared, definition.observe(live, old));
    const outputs = this.states.outputs(live, context, old);
    const drifted = new Set(
      this.comparison
        .all({ ...observed, ...outputs }, declared)
        .filter((each) => this.comparison.isDrastic(each))
        .map(({ field }) => field),
    );
    const read = {
      ...ambiguous(schema, old),
      ...observed,
      ...outputs,
      ...noteOf(schema, declared, drifted),
      ...noteUnread(unreadIn(old)),
    };
    const state = isAdopted(old) && !isAdopted(read) ? adopted(read) : read;
    return {
      // Drift that only a replacement could repair is not repaired, so these arguments stay as declared.
      inputs: { ...observed, ...pick(declared, drifted) },
      state: isUnfinished(old) ? unfinished(state) : state,
    };
  }

  /** The result of an import: the arguments that a program would have to declare, and the state. */
  imported(context: Context, live: Live): Reading {
    const { definition } = this;
    const shown = this.#withPlaceholders(declarable(definition.inputs, definition.observe(live, {})));
    const complete = checkInputs(definition, shown).inputs;
    // Arguments are left out if the same value results without them.
    const needed = Object.entries(shown).filter(([key]) => {
      const { [key]: value, ...others } = shown;
      return !isDeepStrictEqual(checkInputs(definition, others).inputs[key], value);
    });
    const inputs = Object.fromEntries(needed);
    const unread = noteUnread(unreadPaths(definition.inputs));
    return {
      inputs: { ...inputs, ...unread },
      state: adopted({
        ...complete,
        ...this.states.outputs(live, context, undefined),
        ...this.states.revision(undefined, false),
        ...noteOf(definition.inputs, inputs, new Set()),
        ...unread,
      }),
    };
  }

  /** Adds a placeholder for each argument that a rule requires and an import can't read, such as a cluster's image. */
  #withPlaceholders(shown: Properties): Properties {
    const { inputs } = this.definition;
    const required = checkInputs(this.definition, shown).failures.filter(
      ({ property }) => shown[property] === undefined && factsOf(inputs.shape[property]).writeOnly,
    );
    return { ...shown, ...Object.fromEntries(required.map(({ property }) => [property, PLACEHOLDER])) };
  }
}
