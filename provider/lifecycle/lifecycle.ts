import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { ContractError, GraphqlError, NotFoundError } from "../client/errors";
import { messageOf } from "../client/text/messageOf";
import { describeAll, planAdoption, shrinks } from "./adoption";
import { type CatalogReference, checkCatalog } from "./catalogChecks";
import { ignored, replacedOnChange } from "./changeOptions";
import { checkInputs } from "./check";
import { type CreateNotes, journal } from "./createJournal";
import { ambiguous, declaredLast, noteOf, notes } from "./declared";
import {
  ACCOUNT,
  type CheckFailure,
  COMMON_INPUTS,
  type Context,
  type Listed,
  markedSecrets,
  REVISION,
  type ResourceDefinition,
} from "./definition";
import { type Difference, differences, refreshed } from "./diff";
import { type Controls, type Creatable, controlsOf, type Desired, factsOf, without } from "./fields";
import { type Autonaming, NamedCreates } from "./namedCreates";
import { marked } from "./names";
import { catalogReferences } from "./references";
import { containsUnknown, UNKNOWN } from "./unknown";
import { declarable, noteUnread, PLACEHOLDER, unreadIn, unreadPaths, withoutNote } from "./unread";
import { type Properties, withoutNullMembers } from "./values";

export interface Planned {
  readonly changes: boolean;
  /** Properties that force a replacement. */
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
  /** What differs, property by property. */
  readonly differences: readonly Difference[];
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

/**
 * Marks the state of a resource that was made or changed and never became usable. The engine marks it too, but drops
 * its mark in a refresh.
 */
const UNFINISHED = { __unfinished: true };

/** The operations that the engine asks of one kind, on plain values. */
export class Lifecycle<
  Schema extends z.ZodObject,
  Live extends { id: string },
  Outputs extends z.ZodObject = z.ZodObject,
> {
  readonly #keys: readonly string[];
  readonly #names: NamedCreates;

  constructor(
    readonly definition: ResourceDefinition<Schema, Live, Outputs>,
    private readonly connect: () => Promise<Context>,
    creates: CreateNotes = journal,
  ) {
    this.#keys = [...Object.keys(definition.inputs.shape), ...Object.keys(COMMON_INPUTS)];
    this.#names = new NamedCreates(definition, creates);
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
      const differing = known.length === 0 ? "nothing differs" : `changes ${describeAll(known, inputs)}`;
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

  /** Compares without any call. */
  async diff(id: string, state: Properties, given: Properties): Promise<Planned> {
    const { definition } = this;
    // What an import found, a refresh compares as it stands in the state: never checked, without any defaults.
    const next = unreadIn(given).length === 0 ? given : checkInputs(definition, withoutNote(given)).inputs;
    const context = await this.connect();
    const { log } = context;
    context.holders.records(id);
    const old = this.#asLeft(context, id, withoutNullMembers(state), next);
    const subject = `${definition.kind} "${id}"`;
    const { adoptId } = next;
    if (typeof adoptId === "string" && adoptId !== old.adoptId && adoptId !== id && !containsUnknown(adoptId)) {
      throw new Error(
        `${subject}: adoptId names another ${definition.kind} (${adoptId}), and taking that over would delete this one. ` +
          "Declare a resource of another name for it, or forget this one first with `pulumi state delete`.",
      );
    }

    const { found, drift } = this.#compare(old, next);
    if (drift.length > 0) {
      log.warn(
        `${subject} was changed outside of this program, in what only a replacement could change back: ` +
          `${describeAll(drift, next)}. It is left as it is. Declare what is there to accept it, or replace the resource ` +
          "with `pulumi up --replace <urn>`.",
      );
    }
    const replaces = found
      .filter((each) => each.replaces || definition.update === undefined || replacedOnChange(each, next))
      .map(({ path }) => path);
    if (replaces.length > 0) this.#guard(subject, old, next, replaces);
    const shrinking = found.filter(shrinks);
    if (replaces.length === 0 && shrinking.length > 0) {
      throw new Error(
        `${subject}: ${describeAll(shrinking, next)}: it can't shrink. The service only grows it, and a replacement would ` +
          `lose its data. Keep the size, or declare a new ${definition.kind} and copy the data over.`,
      );
    }
    const left = replaces.length > 0 ? [] : found.filter(isLeft);
    for (const { path, old: before } of left) {
      log.warn(
        `${subject}: ${path} was removed from the program, but the service documents no default to go back to: it stays ` +
          `${JSON.stringify(before)}. Declare the value that it should have.`,
      );
    }
    const refused = replaces.length > 0 ? undefined : definition.refused?.(old, next);
    if (refused !== undefined) throw new Error(`${subject}: ${refused}`);
    const lost = replaces.length === 0 ? undefined : definition.dataLost?.(old, context);
    if (lost !== undefined) {
      log.warn(
        `${subject}: ${replaces.join(", ")} can only change by a replacement, which deletes ${lost}. ` +
          "The option `protect: true` prevents that.",
      );
    }

    if (replaces.length === 0) this.#hold(context, id, next);
    const sameName = definition.uniqueName === true && old.name === next.name && next.__logicalName === undefined;
    return {
      changes: found.length > 0 || old.__unfinished === true || this.#isAccepted(old, next),
      replaces,
      deleteBeforeReplace: replaces.length > 0 && (sameName || (definition.deleteBeforeReplace?.(old, next) ?? false)),
      differences: found.map((each) => ({ ...each, replaces: replaces.includes(each.path) })),
    };
  }

  /** The recorded state, with what a run that was killed in a job has left otherwise. */
  #asLeft({ woken, log }: Context, id: string, recorded: Properties, next: Properties): Properties {
    const { definition } = this;
    const workersMax = woken.left(id);
    const left = workersMax === undefined ? undefined : definition.awake?.(recorded, workersMax);
    if (left === undefined || this.#compare(left, next).found.length === 0) return recorded;
    woken.isSeen(id);
    log.info(
      `${definition.kind} "${id}" may start up to ${workersMax} workers since a run was killed in its job: an update puts it ` +
        "to rest.",
    );
    return left;
  }

  #guard(subject: string, old: Properties, next: Properties, replaces: readonly string[]): void {
    const adopted = typeof next.adoptId === "string";
    const guard = adopted ? "it was adopted: remove adoptId to allow that" : this.definition.guarded?.(old, next);
    if (guard === undefined) return;
    throw new Error(
      `${subject}: ${replaces.join(", ")} can only change by a replacement, which would delete it, and ${guard}.`,
    );
  }

  /** The program declares now what a drift had made of a resource: the state has to learn that. */
  #isAccepted(old: Properties, next: Properties): boolean {
    const drifted = Object.keys(notes(old)).filter((field) => !this.#isChosen(field));
    return drifted.some((field) => !this.#compare(old, next).drift.some((each) => each.field === field));
  }

  async create(given: Properties): Promise<{ id: string; state: Properties }> {
    const context = await this.connect();
    const inputs = this.#arguments(given);
    if (typeof inputs.adoptId === "string") return this.#adopt(context, inputs.adoptId, inputs);
    try {
      const left = await this.#names.leftBehind(context, inputs);
      const made = left === undefined ? await this.#make(context, inputs) : await this.#resume(context, left, inputs);
      context.holders.records(made.id);
      this.#names.answered(inputs);
      return made;
    } catch (error) {
      if (error instanceof PartlyMadeError) {
        context.holders.records(error.id);
        this.#names.answered(inputs);
      }
      throw error;
    }
  }

  async #make(context: Context, inputs: Properties): Promise<{ id: string; state: Properties }> {
    const uniqueName = inputs.__logicalName !== undefined;
    try {
      const live = await this.#names.create(context, inputs, (onLost) =>
        this.definition.create(context, this.#creatable(inputs), { uniqueName, onLost }, this.#controls(inputs)),
      );
      return { id: live.id, state: await this.#finish(context, live, inputs, undefined) };
    } catch (error) {
      // An answer that can't be understood, but has an id, is about something that exists.
      if (!(error instanceof ContractError) || error.id === undefined) throw error;
      throw new PartlyMadeError(error.id, { ...inputs, ...UNFINISHED }, [error.message]);
    }
  }

  /** What a run made that was killed before it could be recorded. */
  async #resume(context: Context, id: string, inputs: Properties) {
    const subject = `${this.definition.kind} ${id} (${inputs.name})`;
    context.log.warn(`${subject} was made by a run that was interrupted before it was recorded: it is taken over.`);
    try {
      return await this.#adopt(context, id, inputs);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof PartlyMadeError) throw error;
      throw new Error(
        `${subject} was made by a run that was interrupted: ${error.message} Or set adoptId: "${id}" to take it over as ` +
          "declared, or delete it; then run again.",
        { cause: error },
      );
    }
  }

  async #adopt(context: Context, id: string, inputs: Properties): Promise<{ id: string; state: Properties }> {
    const { definition } = this;
    const plan = await planAdoption(definition, context, id, inputs);
    const changed = plan.differences.length > 0;
    try {
      // What the program leaves to the service stays as it was found.
      const old = { ...inputs, ...withoutNullMembers(this.#outputs(plan.live, context, undefined)) };
      const live = changed ? await this.#apply(context, id, inputs, plan.differences, old) : plan.live;
      return { id: live.id, state: await this.#finish(context, live, inputs, undefined) };
    } catch (error) {
      if (!(error instanceof Error) || error instanceof PartlyMadeError) throw error;
      // As it was found, so that the next run sees what is left to change.
      const found = refreshed(definition.inputs, inputs, definition.observe(plan.live, inputs));
      throw new PartlyMadeError(id, { ...found, ...UNFINISHED }, [error.message]);
    }
  }

  /**
   * Undefined when the resource is gone.
   *
   * @param before names the account only where that was found to be the key's
   */
  async read(id: string, before: Properties): Promise<{ inputs: Properties; state: Properties } | undefined> {
    const { definition } = this;
    const old = withoutNullMembers(before);
    const schema = definition.inputs;
    const context = await this.connect();
    context.holders.records(id);
    const live = await definition.read(context, id, old);
    if (live === undefined) {
      this.#warnOfGone(context, id, old);
      return undefined;
    }
    const declared = { ...this.#common(old), ...declaredLast(schema, old) };
    const observed = refreshed(schema, declared, definition.observe(live, old));
    const outputs = this.#outputs(live, context, old);
    const drifted = new Set(
      this.#differences({ ...observed, ...outputs }, declared)
        .filter((each) => this.#isDrastic(each))
        .map(({ field }) => field),
    );
    return {
      // What a replacement would change stays as the program declared it: nothing is going to change there.
      inputs: { ...observed, ...pick(declared, drifted) },
      state: {
        ...ambiguous(schema, old),
        ...observed,
        ...outputs,
        ...noteOf(schema, declared, drifted),
        ...(old.__unfinished === true && UNFINISHED),
        ...noteUnread(unreadIn(old)),
      },
    };
  }

  /** What an id alone tells: the arguments that a program would have to declare, and the state. Undefined: there is none. */
  async readById(id: string): Promise<{ inputs: Properties; state: Properties } | undefined> {
    const { definition } = this;
    const context = await this.connect();
    const live = await definition.read(context, id, {});
    if (live === undefined) return undefined;
    const shown = this.#withPlaceholders(declarable(definition.inputs, definition.observe(live, {})));
    const complete = checkInputs(definition, shown).inputs;
    // What a program may leave out comes to the same without it.
    const needed = Object.entries(shown).filter(([key]) => {
      const { [key]: value, ...others } = shown;
      return !isDeepStrictEqual(checkInputs(definition, others).inputs[key], value);
    });
    const inputs = Object.fromEntries(needed);
    const unread = noteUnread(unreadPaths(definition.inputs));
    return {
      inputs: { ...inputs, ...unread },
      state: {
        ...complete,
        ...this.#outputs(live, context, undefined),
        ...(REVISION in definition.outputs.shape && { revision: revisionAfter(undefined, false) }),
        ...noteOf(definition.inputs, inputs, new Set()),
        ...unread,
      },
    };
  }

  /** What a rule requires of arguments that an import can't read, as a cluster's image, has to be declared. */
  #withPlaceholders(shown: Properties): Properties {
    const { inputs } = this.definition;
    const required = checkInputs(this.definition, shown).failures.filter(
      ({ property }) => shown[property] === undefined && factsOf(inputs.shape[property]).writeOnly,
    );
    return { ...shown, ...Object.fromEntries(required.map(({ property }) => [property, PLACEHOLDER])) };
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
    const { outputs } = this.definition;
    const inputs = this.#arguments(given);
    const old = state && withoutNullMembers(state);
    const changed = old !== undefined && this.#compare(old, inputs).found.length > 0;
    const known = (key: string, field: z.core.$ZodType): unknown => {
      if (key === REVISION) return revisionAfter(old, changed);
      return inputs[key] ?? (factsOf(field).stable ? old?.[key] : undefined) ?? UNKNOWN;
    };
    const made = Object.entries(outputs.shape).map(([key, field]): [string, unknown] => [key, known(key, field)]);
    return { ...inputs, ...Object.fromEntries(made) };
  }

  async update(id: string, state: Properties, given: Properties): Promise<Properties> {
    const old = withoutNullMembers(state);
    const context = await this.connect();
    const inputs = this.#arguments(given);
    const { found, drift } = this.#compare(old, inputs);
    // To put it to rest is no change of what it does: no revision follows, and no job.
    const left = this.#asLeft(context, id, old, inputs);
    try {
      const live = await this.#apply(context, id, inputs, this.#compare(left, inputs).found, left);
      context.woken.end(id);
      if (found.length > 0) await this.#proveOrUndo(context, live, inputs, found, old);
      const made = await this.#finish(context, live, inputs, old, found.length > 0);
      const drifted = new Set(drift.map(({ field }) => field));
      return { ...made, ...pick(old, drifted), ...noteOf(this.definition.inputs, inputs, drifted) };
    } catch (error) {
      if (!(await this.#isGone(context, id, old, error))) throw error;
      throw new Error(
        `${this.definition.kind} "${id}" was deleted outside of this program. Run \`pulumi refresh\`, then \`pulumi up\` ` +
          "makes it anew.",
        { cause: error },
      );
    }
  }

  /** A 404 may speak of what the arguments name, and GraphQL refuses in words alone: a read tells. */
  async #isGone(context: Context, id: string, state: Properties, error: unknown): Promise<boolean> {
    const refused = error instanceof NotFoundError || error instanceof GraphqlError;
    return refused && (await this.definition.read(context, id, state)) === undefined;
  }

  /** An update without differences comes after a wait that failed: it goes on from what is there. */
  async #apply(
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
    return definition.update(context, id, this.#desired(inputs), change, this.#controls(inputs));
  }

  /** @throws Error when the change is undone; PartlyMadeError when it could not be */
  async #proveOrUndo(
    context: Context,
    live: Live,
    inputs: Properties,
    found: readonly Difference[],
    old: Properties,
  ): Promise<void> {
    try {
      await this.#prove(context, live, inputs, new Set(found.map(({ field }) => field)));
    } catch (cause) {
      const subject = `${this.definition.kind} "${live.id}"`;
      const reason = messageOf(cause);
      const back = found.map((each) => ({ ...each, old: each.next, next: each.old }));
      try {
        await this.#apply(context, live.id, this.#arguments(old), back, inputs);
      } catch (error) {
        throw new PartlyMadeError(live.id, { ...old, ...inputs, ...UNFINISHED }, [
          `${reason}\n${subject} is changed, and could not be put back: ${messageOf(error)}`,
        ]);
      }
      throw new Error(`${reason}\n${subject} was put back to what it was before this run.`, { cause });
    }
  }

  async #prove(context: Context, live: Live, inputs: Properties, changed?: ReadonlySet<string>): Promise<void> {
    const secrets = markedSecrets(inputs);
    await this.definition.prove?.(context, live, this.#controls(inputs), {
      changed,
      isSecret: (argument) => secrets.includes(argument),
    });
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
      if (!(await this.#isGone(context, id, state, error))) throw error;
      this.#warnOfGone(context, id, state);
    }
  }

  /** Another account's key sees nothing of what there is: what is removed from the state goes on running there. */
  #warnOfGone({ log }: Context, id: string, { [ACCOUNT]: confirmed }: Properties): void {
    const doubt =
      confirmed === undefined ? " If it was made in another account than the key's, it is still there." : "";
    log.warn(`${this.definition.kind} "${id}" was not found and is removed from the state.${doubt}`);
  }

  /** Waits where the kind has something to wait for, and records what is there either way. */
  async #finish(
    context: Context,
    made: Live,
    inputs: Properties,
    old: Properties | undefined,
    changed = false,
  ): Promise<Properties> {
    const { definition } = this;
    const stateOf = (live: Live): Properties => ({
      ...inputs,
      ...this.#outputs(live, context, old),
      ...(REVISION in definition.outputs.shape && { revision: revisionAfter(old, changed) }),
      ...noteOf(definition.inputs, inputs, new Set()),
    });
    let latest: Properties = inputs;
    try {
      latest = stateOf(made);
      if (definition.ready !== undefined)
        latest = stateOf(await definition.ready(context, made, this.#desired(inputs), this.#controls(inputs)));
      if (!changed) await this.#prove(context, made, inputs);
      return latest;
    } catch (error) {
      throw new PartlyMadeError(made.id, { ...latest, ...UNFINISHED }, [messageOf(error)]);
    }
  }

  /** What an update has to do, and apart from it what only a replacement could undo that the program didn't ask for. */
  #compare(old: Properties, next: Properties): { found: Difference[]; drift: Difference[] } {
    const all = this.#differences(old, next);
    const kept = notes(old);
    const asked = this.#differences({ ...old, ...kept }, next);
    const isDrift = (each: Difference) =>
      each.field in kept && this.#isDrastic(each) && !asked.some(({ path }) => isWithin(path, each.path));
    return { found: all.filter((each) => !isDrift(each)), drift: all.filter(isDrift) };
  }

  #differences(old: Properties, next: Properties): Difference[] {
    const { inputs: schema, isMet, further } = this.definition;
    // A state written before an argument existed counts as its default, also where that depends on other arguments.
    const complete = this.definition.withDefaults?.(old) ?? old;
    const withdrawn = Object.keys(notes(old)).flatMap((field): Difference[] => {
      const facts = factsOf(schema.shape[field]);
      if (next[field] !== undefined || !facts.computed || facts.replaces !== undefined) return [];
      return [{ path: field, field, old: old[field], next: undefined, replaces: false, facts }];
    });
    const unread = unreadIn(old);
    const found = [...differences(schema, complete, next), ...withdrawn]
      .filter((each) => !isMet?.(each, old))
      .filter(({ path, old: before }) => before !== PLACEHOLDER && !unread.some((one) => isWithin(path, one)));
    return [...found, ...(further?.(old, next) ?? []).filter((each) => !ignored(each, next))];
  }

  /** Whether a difference could not be undone in place. */
  #isDrastic(difference: Difference): boolean {
    return difference.replaces || this.definition.update === undefined || shrinks(difference);
  }

  #isChosen(field: string): boolean {
    return factsOf(this.definition.inputs.shape[field]).computed === true;
  }

  #outputs(live: Live, context: Context, old: Properties | undefined): Properties {
    const known = recorded<Outputs>(this.definition.outputs, old);
    const computed: Properties = this.definition.computed(live, context, { ...this.#arguments(old ?? {}), ...known });
    const revision = old?.revision === undefined ? {} : { revision: old.revision };
    // The engine's wire takes no undefined. An output that is absent has to be there as null: programs that use it
    // would be told, in every preview, that it isn't known yet.
    const absent = Object.keys(computed).filter((key) => computed[key] === undefined && !this.#isInternal(key));
    return {
      ...Object.fromEntries(absent.map((key) => [key, null])),
      ...always(this.definition.outputs, known),
      ...withoutNullMembers(computed),
      ...revision,
    };
  }

  #isInternal(output: string): boolean {
    const schema = this.definition.outputs.shape[output];
    return schema !== undefined && factsOf(schema).internal === true;
  }

  /** The arguments among the properties of a state, without outputs and the engine's own. */
  #arguments(properties: Properties): Properties {
    return withoutNullMembers(pick(properties, new Set(this.#keys)));
  }

  #common(properties: Properties): Properties {
    return withoutNullMembers(pick(properties, new Set(Object.keys(COMMON_INPUTS))));
  }

  #creatable(inputs: Properties): Creatable<Schema> {
    return without(this.definition.inputs, this.#parsed(inputs), ["control", "trigger", "afterCreate"]);
  }

  #desired(inputs: Properties): Desired<Schema> {
    return without(this.definition.inputs, this.#parsed(inputs), ["control", "trigger"]);
  }

  #controls(inputs: Properties): Controls<Schema> {
    return controlsOf(this.definition.inputs, inputs);
  }

  /** Inputs that `check` has completed are of the schema's type. */
  #parsed(inputs: Properties): z.output<Schema> {
    return this.definition.inputs.parse(withoutCommon(inputs));
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

/** An argument that was removed, and has no default that could be asked for. */
function isLeft({ next, facts }: Difference): boolean {
  return next === undefined && facts.computed === true && facts.initially === undefined && facts.trigger !== true;
}

/** Whether one dotted path lies within the other. */
function isWithin(one: string, other: string): boolean {
  return `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);
}

function pick(properties: Properties, keys: ReadonlySet<string>): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => keys.has(key)));
}

function withoutPath({ path: _, ...named }: CatalogReference): string {
  return JSON.stringify(named);
}

function withoutCommon(inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => !(key in COMMON_INPUTS)));
}
