import { ServiceError } from "../../client";
import { inSeconds } from "../../common/duration";
import { isRecord } from "../../common/json";
import { SHOWN_FOR_MS } from "../memory/changes";
import { type Checked, checkInputs } from "./check/check";
import {
  ACCOUNT,
  type AnyDefinition,
  type CheckFailure,
  type Context,
  IMPORTED,
  isAdopted,
  isEverywhere,
  type Listed,
  REFERENCED,
} from "./definition";
import { containsUnknown } from "./fields/unknown";
import { PLACEHOLDER } from "./fields/unread";
import { type Properties, withoutNullMembers } from "./fields/values";
import { isGone, Maker } from "./make/make";
import { type Autonaming, DuplicateError, NamedCreates } from "./make/namedCreates";
import { marked } from "./make/names";
import { Unseen } from "./make/unseen";
import { differenceText, planAdoption, refuseUnfit } from "./plan/adoption";
import { differences } from "./plan/diff";
import { judgeReplacement, type Planned, planChange, previewOf } from "./plan/plan";
import { importedReading, type Reading, recordedReading, refreshedReading } from "./readings";
import { unseenForMs } from "./state/age";

/** The operations that the engine calls for one kind, on plain values. */
export class Lifecycle {
  readonly #names: NamedCreates;
  readonly #maker: Maker;
  /** By place, recorded arguments that a check was given, and no diff. If the next check has none, the engine replaces. */
  readonly #undecided = new Map<string, Properties>();

  constructor(
    readonly definition: AnyDefinition,
    private readonly connect: () => Promise<Context>,
    private readonly isIn: "a state" | "a group" = "a state",
  ) {
    this.#names = new NamedCreates(definition, isIn);
    this.#maker = new Maker(definition, this.#names);
  }

  /**
   * Completes and checks the arguments. It calls the service only about what is new or changed: names of the catalog,
   * names in use, and the resource of `adoptId`.
   *
   * @param old the arguments in the state; empty for a new resource, and for the new side of a replacement
   * @param received the arguments as the host got them
   * @param autonaming the stack's rule for names that are left out
   * @param imported the id that the option `import` adopts
   */
  async check(old: Properties, received: Properties, autonaming?: Autonaming, imported?: string): Promise<Checked> {
    const { definition } = this;
    const { [REFERENCED]: referenced, ...declared } = marked(old, received);
    const isImported = imported !== undefined || old[IMPORTED] === true;
    const args = isImported ? { ...declared, [IMPORTED]: true } : declared;
    const context = await this.connect();
    if (imported !== undefined) context.ledger.ids.adopts(imported);
    const isNew = Object.keys(old).length === 0;
    if (typeof args.__seed === "string") {
      context.ledger.ids.declares(args.__seed);
      if (isNew) context.ledger.ids.replaces(args.__seed);
    }
    const generated = await this.#names.nameFor(context, old, args, autonaming).catch(asDuplicate);
    if (generated instanceof DuplicateError)
      return { inputs: args, failures: [{ property: "name", reason: generated.message }] };
    const { name, adoptId: lost } = generated;
    const { inputs, failures } = checkInputs(definition, lost === undefined ? args : { ...args, adoptId: lost }, name);
    const mistakes = [...failures, ...placeholders(old, inputs), ...nameless(old, inputs, autonaming)];
    if (mistakes.length > 0) return { inputs, failures: mistakes };

    const named = { schema: definition.inputs, old, inputs, referenced: isRecord(referenced) ? referenced : {} };
    const catalogFailures = await context.checkNames(context, named);
    if (catalogFailures.length > 0) return { inputs, failures: catalogFailures };
    const nameMistake = await this.#names.mistakeIn(context, old, inputs);
    if (nameMistake !== undefined) return { inputs, failures: [{ property: "name", reason: nameMistake }] };
    const kindFailures = (await definition.check?.(context, inputs, old)) ?? [];
    if (kindFailures.length > 0) return { inputs, failures: kindFailures };
    await this.#judgeReplacement(context, old, inputs);
    const { adoptId } = inputs;
    if (typeof adoptId !== "string" || containsUnknown(adoptId)) return { inputs, failures: [] };
    this.#hold(context, adoptId, inputs);
    return isNew ? this.#checkAdoption(context, adoptId, inputs, lost !== undefined) : { inputs, failures: [] };
  }

  async #judgeReplacement(context: Context, old: Properties, inputs: Properties): Promise<void> {
    const { __seed: place } = inputs;
    if (typeof place !== "string" || this.isIn === "a group") return;
    const recorded = this.#undecided.get(place);
    if (Object.keys(old).length > 0) this.#undecided.set(place, old);
    else if (recorded !== undefined) await judgeReplacement(this.definition, context, recorded, inputs);
  }

  #hold({ ledger, log }: Context, id: string, inputs: Properties): void {
    const { __seed: place } = inputs;
    ledger.ids.records(id, inputs);
    if (typeof place !== "string" || !ledger.ids.claim(id, place)) return;
    log.warn(
      `${this.definition.kind} "${id}" belongs to two resources of this program, and each run would update it to one of the ` +
        "two. Keep one of them, or correct the adoptId.",
    );
  }

  /**
   * In the preview of a create a dynamic provider gets only `check`, so the adoption is announced here.
   *
   * @param isLost whether the setting `existing`, and not the program, names the id
   */
  async #checkAdoption(context: Context, id: string, inputs: Properties, isLost: boolean) {
    const { definition } = this;
    try {
      context.ledger.ids.adopts(id);
      const plan = await planAdoption(definition, context, id, inputs);
      const holder = await context.holderOf(id);
      if (holder.by === "another stack") {
        context.log.warn(
          `${definition.kind} "${id}" is adopted, and the stack "${holder.stack}" has it, too: each would change it back, and a ` +
            "destroy of either deletes it. Remove it from the other one with `pulumi state delete`.",
        );
      }
      const knownDifferences = plan.differences.filter(({ next }) => !containsUnknown(next));
      const later = new Set(plan.differences.filter(({ next }) => containsUnknown(next)).map(({ path }) => path));
      const differing =
        knownDifferences.length === 0 ? "nothing differs" : `changes ${differenceText(knownDifferences, inputs)}`;
      const list = later.size === 0 ? differing : `${differing}; not known before the update: ${[...later].join(", ")}`;
      const undeclaredNote =
        plan.undeclared.length === 0 ? "" : `; keeps undeclared variables: ${plan.undeclared.join(", ")}`;
      const name = definition.observe(plan.live, inputs).name;
      const subject = `${definition.kind} ${id}${name === undefined ? "" : ` (${name})`}`;
      context.log.info(`${subject} is adopted: ${list}${undeclaredNote}`);
      return { inputs: inputs.name === undefined && name !== undefined ? { ...inputs, name } : inputs, failures: [] };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const wayOut = isLost
        ? `delete it with \`npx pulumi-computecloud orphans --delete ${id}\`, and it is created as declared`
        : "remove adoptId to create a new one";
      return {
        inputs,
        failures: [{ property: isLost ? "name" : "adoptId", reason: `${error.message} Or ${wayOut}.` }],
      };
    }
  }

  /**
   * Compares state and arguments without a call to the service, but for what the kind's judgement reads.
   *
   * @throws Error if the change is refused
   */
  async diff(id: string, state: Properties, args: Properties): Promise<Planned> {
    const context = await this.connect();
    if (typeof args.__seed === "string") this.#undecided.delete(args.__seed);
    context.ledger.ids.records(id, { ...state, __seed: args.__seed });
    const planned = await planChange(this.definition, context, id, state, args);
    if (planned.replaces.length > 0) return planned;
    this.#hold(context, id, args);
    // mutant moved-keys-leave: isAdopted({ ...state, ...args })
    if (this.definition.adoption !== "none") context.ledger.ids.holds(id, args.__seed, state[ACCOUNT]);
    return planned;
  }

  /**
   * @throws PartlyMadeError if the resource was created and did not become usable
   * @throws MayExistError if the answer was lost: the resource may exist, and nothing is recorded
   */
  async create(args: Properties): Promise<{ id: string; state: Properties }> {
    const context = await this.connect();
    const created = await this.#maker.create(context, args);
    const { adoption } = this.definition;
    // mutant replaced-keys-leave: false
    if (adoption !== "none" && adoption.only !== undefined) context.ledger.ids.makes(created.id);
    return created;
  }

  /**
   * Undefined if the resource no longer exists, or if the key's account never had it. One that is so new that the service may
   * not show it yet is kept as it is recorded.
   *
   * @throws EmptyRefreshError if nothing shows that the key is of the right account
   */
  async read(id: string, before: Properties): Promise<Reading | undefined> {
    const { definition } = this;
    const old = withoutNullMembers(before);
    const context = await this.connect();
    context.ledger.ids.records(id, { __seed: old.__seed });
    const live = await this.#trackLookup(
      context,
      definition.read(context, id, old).catch((error: unknown) => {
        // A list shows it, and the read by its id does not.
        const is404 = error instanceof ServiceError && error.status === 404;
        if (is404 && (context.ledger.changes.wasDeleted(id) || unseenForMs(context, id, old) > 0)) return undefined;
        throw error;
      }),
      old,
    );
    if (live !== undefined) {
      const read = refreshedReading(definition, context, live, old);
      const changes = differences(definition.inputs, old, read.state);
      const late = changes
        .filter(({ path, next }) => context.ledger.changes.wasBefore(id, path, next))
        .map(({ path }) => path);
      // mutant update-undone-by-a-refresh: true
      if (late.length === 0) return read;
      context.log.warn(
        `${this.#subject(id)} was updated a moment ago, and the service still shows ${late.join(", ")} as before: it stays in the ` +
          `state as updated. If somebody changed it back, a refresh after ${inSeconds(SHOWN_FOR_MS)} records that.`,
      );
      return recordedReading(definition, before);
    }
    const leftMs = unseenForMs(context, id, old);
    // mutant new-is-gone: true
    if (leftMs === 0) {
      await this.#confirmDeleted(context, id, old);
      return undefined;
    }
    context.log.warn(
      `${this.#subject(id)} is new, and the service does not show it yet: it stays in the state. If it was deleted, a refresh ` +
        `after ${inSeconds(leftMs)} removes it.`,
    );
    return recordedReading(definition, before);
  }

  /**
   * Reads a resource of which only the id is known. Returns the arguments that a program would have to declare, and the
   * state. Undefined if there is none.
   */
  async readById(id: string): Promise<Reading | undefined> {
    const context = await this.connect();
    const live = await this.definition.read(context, id, {});
    if (live === undefined) return undefined;
    refuseUnfit(this.definition, live);
    return importedReading(this.definition, context, live);
  }

  /** All resources of the kind in the account; none if the service does not list the kind. */
  async list(): Promise<readonly Listed[]> {
    return (await this.definition.list?.(await this.connect())) ?? [];
  }

  /**
   * The state as far as it can be known before a create or an update has run.
   *
   * @param state undefined before a create
   */
  async preview(state: Properties | undefined, args: Properties): Promise<Properties> {
    return previewOf(this.definition, await this.connect(), state, args);
  }

  /**
   * @throws PartlyMadeError if the change was made, and the resource did not become usable or a failed proof could not be
   * undone
   * @throws Error if the proof failed and the change was undone, or if the resource was deleted outside of the program
   */
  async update(id: string, state: Properties, args: Properties): Promise<Properties> {
    const context = await this.connect();
    return this.#trackLookup(context, this.#maker.update(context, id, state, args), state);
  }

  /**
   * Deletes the resource, unless another resource of this program has its id. If it is gone already, it only warns.
   *
   * @param state holds the resource's place in the program, if that is known
   * @throws EmptyRefreshError if it was not found, and nothing shows that the key is of the right account
   */
  async delete(id: string, state: Properties): Promise<void> {
    const context = await this.connect();
    context.ledger.ids.records(id, { __seed: state.__seed });
    if (context.ledger.ids.isHeldElsewhere(id, state.__seed, isAdopted(state))) {
      context.log.info(`${this.definition.kind} "${id}" is not deleted: another resource of this program has it now.`);
      return;
    }
    context.ledger.ids.deletes(id);
    const deleted = await this.#trackLookup(context, this.#deleted(context, id, state), state);
    if (deleted === undefined) await this.#confirmDeleted(context, id, state);
  }

  /** Undefined if it was gone already. */
  async #deleted(context: Context, id: string, state: Properties): Promise<true | undefined> {
    const unseen = new Unseen(context, this.#subject(id), () => unseenForMs(context, id, state));
    for (;;) {
      const deleted = await this.#deletedNow(context, id, state);
      // mutant new-is-not-deleted: true
      if (deleted === true || !(await unseen.waits())) return deleted;
    }
  }

  async #deletedNow(context: Context, id: string, state: Properties): Promise<true | undefined> {
    try {
      const deleted = await this.definition.delete(context, id, withoutNullMembers(state));
      if (deleted) context.ledger.changes.deleted(id);
      return deleted || undefined;
    } catch (error) {
      // mutant failed-delete-is-done: true
      if (await isGone(this.definition, context, id, state, error)) return undefined;
      throw error;
    }
  }

  #subject(id: string): string {
    return `${this.definition.kind} "${id}"`;
  }

  #trackLookup<T>({ account }: Context, call: Promise<T>, state: Properties): Promise<T> {
    return account.trackLookup(call, !isEverywhere(this.definition), state[ACCOUNT]);
  }

  /**
   * With another account's key every resource looks deleted. One that is removed from the state for that keeps running in
   * its own account, and is billed there.
   */
  async #confirmDeleted({ account, log }: Context, id: string, state: Properties): Promise<void> {
    const subject = this.#subject(id);
    const isOwn = await account.confirmDeleted(subject, state[ACCOUNT]);
    const doubt = isOwn ? "" : " If it belongs to an account other than the key's, it still exists.";
    log.warn(`${subject} was not found and is removed from the state.${doubt}`);
  }
}

function asDuplicate(error: unknown): DuplicateError {
  if (error instanceof DuplicateError) return error;
  throw error;
}

/** Arguments that an import could not read must be declared before they can be sent. */
function placeholders(old: Properties, inputs: Properties): CheckFailure[] {
  const reason = "is a placeholder: `pulumi import` could not read the value. Declare it";
  return Object.entries(inputs)
    .filter(([key, value]) => value === PLACEHOLDER && old[key] !== PLACEHOLDER)
    .map(([property]) => ({ property, reason }));
}

function nameless(old: Properties, inputs: Properties, autonaming: Autonaming | undefined): CheckFailure[] {
  const { name, adoptId, __logicalName: unnamed } = inputs;
  if (autonaming?.mode !== "disable" || name !== undefined || unnamed === undefined) return [];
  if (adoptId !== undefined || Object.keys(old).length > 0) return [];
  return [{ property: "name", reason: "is required, because this stack's `pulumi:autonaming` generates no names" }];
}
