import type { z } from "zod";
import { differenceText, planAdoption } from "./adoption";
import { type CatalogReference, checkCatalog } from "./catalogChecks";
import { checkInputs } from "./check";
import { Comparison } from "./comparison";
import { type CreateNotes, journal } from "./createJournal";
import { ACCOUNT, type CheckFailure, type Context, type Listed, type ResourceDefinition } from "./definition";
import { isGone, Maker } from "./make";
import { type Autonaming, NamedCreates } from "./namedCreates";
import { marked } from "./names";
import { type Planned, Plans } from "./plan";
import { type Reading, Readings } from "./readings";
import { catalogReferences } from "./references";
import { States } from "./states";
import { containsUnknown } from "./unknown";
import { PLACEHOLDER } from "./unread";
import { type Properties, withoutNullMembers } from "./values";

/** The operations that the engine asks of one kind, on plain values. */
export class Lifecycle<
  Schema extends z.ZodObject,
  Live extends { id: string },
  Outputs extends z.ZodObject = z.ZodObject,
> {
  readonly #names: NamedCreates;
  readonly #plans: Plans<Schema, Live, Outputs>;
  readonly #maker: Maker<Schema, Live, Outputs>;
  readonly #readings: Readings<Schema, Live, Outputs>;

  constructor(
    readonly definition: ResourceDefinition<Schema, Live, Outputs>,
    private readonly connect: () => Promise<Context>,
    creates: CreateNotes = journal,
  ) {
    const states = new States(definition);
    const comparison = new Comparison(definition);
    this.#names = new NamedCreates(definition, creates);
    this.#plans = new Plans(definition, states, comparison);
    this.#maker = new Maker(definition, this.#names, states, comparison, this.#plans);
    this.#readings = new Readings(definition, states, comparison);
  }

  /**
   * Completes and judges the arguments. Makes a call only for what is new or changed: the catalog, names in use, and
   * what `adoptId` names.
   *
   * @param old the arguments in the state; empty for a new resource, and for the new side of a replacement
   * @param received the arguments as the host got them
   * @param autonaming what the stack wants for names that are left out
   * @param imported the id that the option `import` takes over
   */
  async check(
    old: Properties,
    received: Properties,
    autonaming?: Autonaming,
    imported?: string,
  ): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
    const { definition } = this;
    const given = marked(old, received);
    const context = await this.connect();
    if (imported !== undefined) context.holders.adopts(imported);
    const isNew = Object.keys(old).length === 0;
    if (typeof given.__seed === "string") {
      context.holders.declares(given.__seed);
      if (isNew) context.holders.replaces(given.__seed);
    }
    const madeUp = await this.#names.nameFor(context, old, given, autonaming);
    const { inputs, failures } = checkInputs(definition, given, madeUp);
    const mistakes = [...failures, ...placeholders(old, inputs), ...nameless(old, inputs, autonaming)];
    if (mistakes.length > 0) return { inputs, failures: mistakes };

    // What the state names was found in the catalog before, whatever its place in a list.
    const before = new Set(catalogReferences(definition.inputs, old).map(withoutPath));
    const references = catalogReferences(definition.inputs, inputs).filter((each) => !before.has(withoutPath(each)));
    const wrong = await checkCatalog(context, references);
    if (wrong.length > 0) return { inputs, failures: wrong };
    const outOfReach = definition.outOfReach?.(context, inputs, old) ?? [];
    if (outOfReach.length > 0) return { inputs, failures: outOfReach };
    const nameMistake = await this.#names.mistakeIn(context, old, inputs);
    if (nameMistake !== undefined) return { inputs, failures: [{ property: "name", reason: nameMistake }] };
    const found = isNew ? ((await definition.examine?.(context, inputs)) ?? []) : [];
    if (found.length > 0) return { inputs, failures: found };
    definition.declared?.(context, inputs);
    const { adoptId } = inputs;
    if (typeof adoptId !== "string" || containsUnknown(adoptId)) return { inputs, failures: [] };
    this.#hold(context, adoptId, inputs);
    if (isNew) context.holders.adopts(adoptId);
    return isNew ? this.#checkAdoption(context, adoptId, inputs) : { inputs, failures: [] };
  }

  #hold({ holders, log }: Context, id: string, { __seed: place }: Properties): void {
    holders.records(id);
    if (typeof place !== "string" || !holders.isSecond(id, place)) return;
    log.warn(
      `${this.definition.kind} "${id}" belongs to two resources of this program, and each run would bring it to what one of ` +
        "them says. Keep one of the two, or correct the adoptId.",
    );
  }

  /** The engine asks nothing but `check` of a create, so the preview of an adoption speaks here. */
  async #checkAdoption(context: Context, id: string, inputs: Properties) {
    const { definition } = this;
    try {
      const plan = await planAdoption(definition, context, id, inputs);
      const known = plan.differences.filter(({ next }) => !containsUnknown(next));
      const later = new Set(plan.differences.filter(({ next }) => containsUnknown(next)).map(({ path }) => path));
      const differing = known.length === 0 ? "nothing differs" : `changes ${differenceText(known, inputs)}`;
      const list = later.size === 0 ? differing : `${differing}; not known before the update: ${[...later].join(", ")}`;
      const kept = plan.undeclared.length === 0 ? "" : `; keeps undeclared variables: ${plan.undeclared.join(", ")}`;
      context.log.info(`${definition.kind} ${id} is adopted: ${list}${kept}`);
      const name = definition.observe(plan.live, inputs).name;
      return { inputs: inputs.name === undefined && name !== undefined ? { ...inputs, name } : inputs, failures: [] };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const reason = `${error.message} Or remove adoptId to create a new one.`;
      return { inputs, failures: [{ property: "adoptId", reason }] };
    }
  }

  /**
   * Compares without any call.
   *
   * @throws Error when the change is refused
   */
  async diff(id: string, state: Properties, given: Properties): Promise<Planned> {
    const context = await this.connect();
    context.holders.records(id);
    const planned = this.#plans.diff(context, id, state, given);
    if (planned.replaces.length === 0) this.#hold(context, id, given);
    return planned;
  }

  /** @throws PartlyMadeError when it exists and could not be brought into use */
  async create(given: Properties): Promise<{ id: string; state: Properties }> {
    return this.#maker.create(await this.connect(), given);
  }

  /**
   * Undefined when the resource is gone.
   *
   * @param before names the account only where that was found to be the key's
   */
  async read(id: string, before: Properties): Promise<Reading | undefined> {
    const { definition } = this;
    const old = withoutNullMembers(before);
    const context = await this.connect();
    context.holders.records(id);
    const live = await definition.read(context, id, old);
    if (live === undefined) {
      this.#warnOfGone(context, id, old);
      return undefined;
    }
    return this.#readings.refreshed(context, live, old);
  }

  /** What an id alone tells: the arguments that a program would have to declare, and the state. Undefined: there is none. */
  async readById(id: string): Promise<Reading | undefined> {
    const context = await this.connect();
    const live = await this.definition.read(context, id, {});
    return live && this.#readings.imported(context, live);
  }

  /** All of the account's; of a kind that the service doesn't list, none. */
  async list(): Promise<readonly Listed[]> {
    return (await this.definition.list?.(await this.connect())) ?? [];
  }

  /**
   * What can be known of the state before a create, or an update, has run.
   *
   * @param state undefined before a create
   */
  preview(state: Properties | undefined, given: Properties): Properties {
    return this.#plans.preview(state, given);
  }

  /** @throws PartlyMadeError when the change was made, and could neither be brought into use nor be undone */
  async update(id: string, state: Properties, given: Properties): Promise<Properties> {
    return this.#maker.update(await this.connect(), id, state, given);
  }

  /**
   * @param state with the resource's place in the program, as far as that is known; it names the account only where that was
   * found to be the key's
   */
  async delete(id: string, state: Properties): Promise<void> {
    const context = await this.connect();
    context.holders.records(id);
    if (context.holders.isKept(id, state.__seed)) {
      context.log.info(`${this.definition.kind} "${id}" is not deleted: another resource of this program has it now.`);
      return;
    }
    try {
      const deleted = await this.definition.delete(context, id, withoutNullMembers(state));
      this.#names.deleted(id);
      context.woken.end(id);
      if (!deleted) this.#warnOfGone(context, id, state);
    } catch (error) {
      if (!(await isGone(this.definition, context, id, state, error))) throw error;
      this.#warnOfGone(context, id, state);
    }
  }

  /** Another account's key sees nothing of what there is: what is removed from the state goes on running there. */
  #warnOfGone({ log }: Context, id: string, { [ACCOUNT]: confirmed }: Properties): void {
    const doubt =
      confirmed === undefined ? " If it was made in another account than the key's, it is still there." : "";
    log.warn(`${this.definition.kind} "${id}" was not found and is removed from the state.${doubt}`);
  }
}

/** What an import could not read has to be declared before it can be sent. */
function placeholders(old: Properties, inputs: Properties): CheckFailure[] {
  const reason = "holds the place of what `pulumi import` could not read. Declare the value";
  return Object.entries(inputs)
    .filter(([key, value]) => value === PLACEHOLDER && old[key] !== PLACEHOLDER)
    .map(([property]) => ({ property, reason }));
}

function nameless(old: Properties, inputs: Properties, autonaming: Autonaming | undefined): CheckFailure[] {
  const { name, adoptId, __logicalName: unnamed } = inputs;
  if (autonaming?.mode !== "disable" || name !== undefined || unnamed === undefined) return [];
  if (adoptId !== undefined || Object.keys(old).length > 0) return [];
  return [{ property: "name", reason: "is required, for this stack's `pulumi:autonaming` makes up no names" }];
}

function withoutPath({ path: _, ...named }: CatalogReference): string {
  return JSON.stringify(named);
}
