import { z } from "zod";
import { type CatalogReference, checkCatalog } from "../catalogChecks";
import { GraphqlError, NotFoundError } from "../client/errors";
import { describe, planAdoption } from "./adoption";
import { checkInputs } from "./check";
import { type CheckFailure, COMMON_INPUTS, type Context, REVISION, type ResourceDefinition } from "./definition";
import { type Difference, differences, refreshed } from "./diff";
import { type Controls, type Creatable, controlsOf, type Desired, without } from "./fields";
import { catalogReferences } from "./references";
import { containsUnknown } from "./unknown";
import { type Properties, withoutNullMembers } from "./values";

export interface Planned {
  readonly changes: boolean;
  /** Properties that force a replacement. */
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
}

/** A resource that exists, and is billed, but could not be brought into use: the engine keeps it in the state. */
export class PartlyMadeError extends Error {
  override readonly name = "PartlyMadeError";
  constructor(
    readonly id: string,
    readonly properties: Properties,
    readonly reasons: readonly string[],
  ) {
    super(reasons.join("; "));
  }
}

/** The operations that the engine asks of one kind, on plain values. */
export class Lifecycle<
  Schema extends z.ZodObject,
  Live extends { id: string },
  Outputs extends z.ZodObject = z.ZodObject,
> {
  private readonly keys: readonly string[];

  constructor(
    private readonly definition: ResourceDefinition<Schema, Live, Outputs>,
    private readonly connect: () => Promise<Context>,
  ) {
    this.keys = [...Object.keys(definition.inputs.shape), ...Object.keys(COMMON_INPUTS)];
  }

  /**
   * Completes and judges the arguments. Makes a call only for what is new or changed: the catalog, and what
   * `adoptId` names.
   *
   * @param old the arguments in the state; empty for a new resource, and for the new side of a replacement
   */
  async check(old: Properties, given: Properties): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
    const { definition } = this;
    const context = await this.connect();
    const { inputs, failures } = checkInputs(definition, this.declared(old), given);
    if (failures.length > 0) return { inputs, failures: [...failures] };

    const isNew = Object.keys(old).length === 0;
    // What the state names was found in the catalog before, whatever its place in a list.
    const before = new Set(catalogReferences(definition.inputs, old).map(withoutPath));
    const references = catalogReferences(definition.inputs, inputs).filter((each) => !before.has(withoutPath(each)));
    const wrong = await checkCatalog(context, references);
    if (wrong.length > 0) return { inputs, failures: wrong };
    if (!isNew || typeof inputs.adoptId !== "string" || containsUnknown(inputs.adoptId))
      return { inputs, failures: [] };
    return this.checkAdoption(context, inputs.adoptId, inputs);
  }

  /** The engine asks nothing but `check` of a create, so the preview of an adoption speaks here. */
  private async checkAdoption(context: Context, id: string, inputs: Properties) {
    const { definition } = this;
    try {
      const plan = await planAdoption(definition, context, id, inputs);
      const list = plan.differences.map(describe).join(", ");
      context.log.info(`${definition.kind} ${id} is adopted: ${list === "" ? "nothing differs" : `changes ${list}`}`);
      const name = definition.observe(plan.live, inputs).name;
      return { inputs: inputs.name === undefined && name !== undefined ? { ...inputs, name } : inputs, failures: [] };
    } catch (error) {
      if (error instanceof Error) return { inputs, failures: [{ property: "adoptId", reason: error.message }] };
      throw error;
    }
  }

  /** Compares without any call. */
  diff(id: string, old: Properties, next: Properties): Planned {
    const { definition } = this;
    const found = this.compare(old, next);
    const replaces = found.filter((each) => each.replaces || definition.update === undefined).map((each) => each.path);
    if (typeof next.adoptId === "string" && next.adoptId !== old.adoptId && next.adoptId !== id)
      replaces.push("adoptId");
    const guard = next.adoptId === id ? "it was adopted: remove adoptId to allow that" : definition.guarded?.(old);
    if (replaces.length > 0 && guard !== undefined) {
      throw new Error(
        `${definition.kind} "${id}": ${replaces.join(", ")} can only change by a replacement, which would delete it, and ${guard}.`,
      );
    }
    const sameName = definition.uniqueName === true && old.name === next.name && next.logicalName === undefined;
    return {
      changes: found.length > 0 || replaces.length > 0,
      replaces,
      deleteBeforeReplace: replaces.length > 0 && (sameName || (definition.deleteBeforeReplace?.(old, next) ?? false)),
    };
  }

  async create(given: Properties): Promise<{ id: string; state: Properties }> {
    const { definition } = this;
    const context = await this.connect();
    const inputs = this.declared(given);
    const live =
      typeof inputs.adoptId === "string"
        ? await this.adopt(context, inputs.adoptId, inputs)
        : await definition.create(
            context,
            this.creatable(inputs),
            { uniqueName: inputs.logicalName !== undefined },
            this.controls(inputs),
          );
    return { id: live.id, state: await this.settle(context, live, inputs, undefined) };
  }

  private async adopt(context: Context, id: string, inputs: Properties): Promise<Live> {
    const plan = await planAdoption(this.definition, context, id, inputs);
    return plan.differences.length === 0 ? plan.live : this.apply(context, id, inputs, plan.differences, inputs);
  }

  /** Undefined when the resource is gone. */
  async read(id: string, old: Properties): Promise<{ inputs: Properties; state: Properties } | undefined> {
    const { definition } = this;
    const context = await this.connect();
    const live = await definition.read(context, id, old);
    if (live === undefined) return undefined;
    const declared = this.declared(old);
    const inputs = refreshed(definition.inputs, declared, definition.observe(live, old));
    return { inputs, state: { ...inputs, ...this.outputs(live, context, old) } };
  }

  async update(id: string, old: Properties, given: Properties): Promise<Properties> {
    const context = await this.connect();
    const inputs = this.declared(given);
    const found = this.compare(old, inputs);
    try {
      const live = await this.apply(context, id, inputs, found, old);
      return await this.settle(context, live, inputs, old, found.length > 0);
    } catch (error) {
      if (!(await this.isGone(context, id, old, error))) throw error;
      throw new Error(
        `${this.definition.kind} "${id}" was deleted outside of this program. Run \`pulumi refresh\`, then \`pulumi up\` ` +
          "makes it anew.",
        { cause: error },
      );
    }
  }

  /** A 404 may speak of what the arguments name, and GraphQL refuses in words alone: a read tells. */
  private async isGone(context: Context, id: string, state: Properties, error: unknown): Promise<boolean> {
    const refused = error instanceof NotFoundError || error instanceof GraphqlError;
    return refused && (await this.definition.read(context, id, state)) === undefined;
  }

  /** An update without differences comes after a wait that failed: it goes on from what is there. */
  private async apply(
    context: Context,
    id: string,
    inputs: Properties,
    found: readonly Difference[],
    old: Properties,
  ): Promise<Live> {
    const { definition } = this;
    if (definition.update === undefined || (found.length === 0 && definition.ready === undefined)) {
      const live = await definition.read(context, id, old);
      if (live === undefined) throw new Error(`${definition.kind} "${id}" is gone.`);
      return live;
    }
    const changed = new Set(found.map((difference) => difference.field));
    const change = { changed, differences: found, old };
    return definition.update(context, id, this.desired(inputs), change, this.controls(inputs));
  }

  async delete(id: string, state: Properties): Promise<void> {
    const context = await this.connect();
    try {
      await this.definition.delete(context, id, state);
    } catch (error) {
      if (!(await this.isGone(context, id, state, error))) throw error;
    }
  }

  /** Waits where the kind has something to wait for, and records what is there either way. */
  private async settle(
    context: Context,
    made: Live,
    inputs: Properties,
    old: Properties | undefined,
    changed = false,
  ): Promise<Properties> {
    const { definition } = this;
    const stateOf = (live: Live): Properties => {
      const revision = REVISION in definition.outputs.shape ? { revision: revisionAfter(old, changed) } : {};
      return { ...inputs, ...this.outputs(live, context, old), ...revision };
    };
    if (definition.ready === undefined) return stateOf(made);
    try {
      return stateOf(await definition.ready(context, made, this.desired(inputs), this.controls(inputs)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new PartlyMadeError(made.id, stateOf(made), [reason]);
    }
  }

  private compare(old: Properties, next: Properties): Difference[] {
    const { inputs, settled, further } = this.definition;
    const found = differences(inputs, old, next).filter((difference) => !settled?.(difference, old));
    return [...found, ...(further?.(old, next) ?? [])];
  }

  private outputs(live: Live, context: Context, old: Properties | undefined): Properties {
    const revision = old?.revision === undefined ? {} : { revision: old.revision };
    // The engine's wire takes no undefined inside of objects.
    const known = recorded<Outputs>(this.definition.outputs, old);
    const computed = this.definition.computed(live, context, { ...this.declared(old ?? {}), ...known });
    return { ...always(this.definition.outputs, known), ...withoutNullMembers(computed), ...revision };
  }

  /** The arguments among the properties of a state, without outputs and the engine's own. */
  private declared(properties: Properties): Properties {
    return Object.fromEntries(
      this.keys.flatMap((key) => (properties[key] === undefined ? [] : [[key, properties[key]]])),
    );
  }

  private creatable(inputs: Properties): Creatable<Schema> {
    return without(this.definition.inputs, this.parsed(inputs), ["control", "trigger", "afterCreate"]);
  }

  private desired(inputs: Properties): Desired<Schema> {
    return without(this.definition.inputs, this.parsed(inputs), ["control", "trigger"]);
  }

  private controls(inputs: Properties): Controls<Schema> {
    return controlsOf(this.definition.inputs, inputs);
  }

  /** Inputs that `check` has completed are of the schema's type. */
  private parsed(inputs: Properties): z.output<Schema> {
    return this.definition.inputs.parse(withoutCommon(inputs));
  }
}

/** What a resource always has: an answer from which it could not be read takes it away from no program. */
function always(outputs: z.ZodObject, known: Properties): Properties {
  const required = Object.entries(known).filter(([key]) => outputs.shape[key]?.safeParse(undefined).success === false);
  return Object.fromEntries(required);
}

/** The outputs among the properties of a state; one that another version wrote in another form is left out. */
function recorded<Outputs extends z.ZodObject>(schema: z.ZodObject, old: Properties = {}): Partial<z.output<Outputs>> {
  const valid = Object.entries(schema.shape).flatMap(([key, field]) => {
    const result = z.safeParse(field, old[key]);
    return result.success && result.data !== undefined ? [[key, result.data]] : [];
  });
  return Object.fromEntries(valid);
}

function revisionAfter(old: Properties | undefined, changed: boolean): number {
  const before = typeof old?.revision === "number" ? old.revision : 0;
  return before === 0 || changed ? before + 1 : before;
}

function withoutPath({ path: _, ...named }: CatalogReference): string {
  return JSON.stringify(named);
}

function withoutCommon(inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => !(key in COMMON_INPUTS)));
}
