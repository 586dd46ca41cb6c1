import { isDeepStrictEqual } from "node:util";
import { ContractError, NotFoundError } from "../../../client";
import { messageOf } from "../../../common/messageOf";
import { type AnyDefinition, type Context, markedSecrets } from "../definition";
import { noteOf } from "../fields/declared";
import type { Difference } from "../fields/difference";
import { controlsOf } from "../fields/fields";
import { type Properties, pick, withoutNullMembers } from "../fields/values";
import { planAdoption } from "../plan/adoption";
import { ignoreChanges } from "../plan/changeOptions";
import { compare, revises } from "../plan/comparison";
import { refreshed } from "../plan/diff";
import { ageNote, unseenForMs } from "../state/age";
import { isUnfinished, PartlyMadeError, UnprovenError, unfinished } from "../state/partlyMade";
import { argumentsOf, creatableOf, desiredOf, outputsOf, stateOf } from "../state/states";
import type { NamedCreates } from "./namedCreates";
import { Unseen } from "./unseen";

type Live = { readonly id: string };

interface Made {
  readonly id: string;
  readonly state: Properties;
}

/** Creates and updates resources of one kind, waits until they are usable and runs their proofs. */
export class Maker {
  constructor(
    private readonly definition: AnyDefinition,
    private readonly names: NamedCreates,
  ) {}

  /**
   * Creates a resource, or adopts one: that of `adoptId`, or what a killed run has left.
   *
   * @throws PartlyMadeError if the resource exists and did not become usable
   * @throws MayExistError if the answer was lost: the resource may exist, and nothing is recorded
   */
  async create(context: Context, args: Properties): Promise<Made> {
    const inputs = argumentsOf(this.definition, args);
    if (typeof inputs.adoptId === "string") return this.#adopt(context, inputs.adoptId, inputs);
    try {
      const leftover = await this.names.findLeftover(context, inputs);
      const created =
        leftover === undefined ? await this.#make(context, inputs) : await this.#resume(context, leftover, inputs);
      context.ledger.ids.records(created.id, inputs);
      this.names.answered(context, inputs, created.id);
      return created;
    } catch (error) {
      if (error instanceof PartlyMadeError) {
        context.ledger.ids.records(error.id, { __seed: inputs.__seed });
        this.names.answered(context, inputs, error.id);
      }
      throw error;
    }
  }

  async #make(context: Context, inputs: Properties): Promise<Made> {
    const uniqueName = inputs.__logicalName !== undefined;
    try {
      const answer = await this.names.create(context, inputs, ({ onLost, onAgain }) =>
        this.definition.create(
          context,
          creatableOf(this.definition, inputs),
          { uniqueName, onLost },
          controlsOf(this.definition.inputs, inputs),
          onAgain,
        ),
      );
      const live = isBare(answer) ? ((await this.definition.read(context, answer.id, inputs)) ?? answer) : answer;
      return { id: live.id, state: await this.#finish(context, live, inputs, undefined) };
    } catch (error) {
      await this.definition.explain?.(context, error, desiredOf(this.definition, inputs), undefined);
      // An answer that can't be read, but has an id, means that a resource exists: it must get into the state. Another thing's
      // answer, such as that of a job or of what it runs on, does not.
      const { noun, adoption } = this.definition;
      const isItsAnswer = error instanceof ContractError && error.kind === noun && adoption !== "none";
      if (!isItsAnswer || error.id === undefined) throw error;
      const note = ageNote(this.definition, context);
      // mutant half-understood-create-forgotten: throw new Error("lost");
      throw new PartlyMadeError(error.id, unfinished({ ...inputs, ...note }), [error.message]);
    }
  }

  /** Adopts a resource that a killed run created and the engine did not record. */
  async #resume(context: Context, id: string, inputs: Properties): Promise<Made> {
    try {
      return await this.#adopt(context, id, inputs, true);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof PartlyMadeError) throw error;
      throw new Error(
        `${this.#subjectOf(id, inputs)} was created by an interrupted run: ${error.message} Or delete it, then run again.`,
        { cause: error },
      );
    }
  }

  #subjectOf(id: string, inputs: Properties): string {
    return `${this.definition.kind} ${id} (${this.names.nameOf(inputs)})`;
  }

  /**
   * @param isLeftover whether a killed run of this program created it: then it gets everything that the program declares
   * now, including current copies of templates
   */
  async #adopt(context: Context, id: string, inputs: Properties, isLeftover = false): Promise<Made> {
    const { definition } = this;
    // The check of a preview doesn't know the account yet.
    if (!isLeftover) context.ledger.ids.adopts(id);
    const plan = await planAdoption(definition, context, id, inputs);
    if (isLeftover)
      context.log.warn(
        `${this.#subjectOf(id, inputs)} was created by an interrupted run, or one whose state was lost, and is adopted.`,
      );
    try {
      // Values that the program leaves to the service stay as they were found.
      const outputs = outputsOf(definition, plan.live, isLeftover ? quiet(context) : context);
      const old = { ...inputs, ...withoutNullMembers(outputs) };
      const further = isLeftover ? (definition.differences?.([], old, inputs, context) ?? []) : [];
      const differences = [...plan.differences, ...further];
      const live = differences.length > 0 ? await this.#apply(context, id, inputs, differences, old) : plan.live;
      return { id: live.id, state: await this.#finish(context, live, inputs, undefined) };
    } catch (error) {
      if (!(error instanceof Error) || error instanceof PartlyMadeError) throw error;
      // Recorded as it was found, so that the next run sees what is still different.
      const observed = refreshed(definition.inputs, inputs, definition.observe(plan.live, inputs));
      throw new PartlyMadeError(id, unfinished(observed), [error.message]);
    }
  }

  /**
   * Updates a resource in place. An update that fails halfway is not undone, only one whose proof fails.
   *
   * @throws PartlyMadeError if the change was made, and the resource did not become usable or could not be put back
   * @throws Error if the change was undone, or the resource was deleted outside of the program
   */
  async update(context: Context, id: string, state: Properties, args: Properties): Promise<Properties> {
    const old = withoutNullMembers(state);
    const inputs = argumentsOf(this.definition, args);
    const { changes, drift } = compare(this.definition, old, inputs, context);
    try {
      const live = await new Unseen(context, `${this.definition.kind} "${id}"`, () =>
        unseenForMs(context, id, old),
      ).find(
        () => this.#apply(context, id, inputs, changes, old),
        (error) => isGone(this.definition, context, id, old, error),
      );
      context.ledger.changes.updated(
        id,
        changes.map(({ path, old: before }) => [path, before]),
      );
      const updated = await this.#finish(context, live, inputs, old, changes);
      const drifted = new Set(drift.map(({ field }) => field));
      return { ...updated, ...pick(old, drifted), ...noteOf(this.definition.inputs, inputs, drifted) };
    } catch (error) {
      if (!(await isGone(this.definition, context, id, old, error))) throw error;
      throw new Error(
        `${this.definition.kind} "${id}" was deleted outside this program. Run \`pulumi refresh\`, then \`pulumi up\` ` +
          "to create it again.",
        { cause: error },
      );
    }
  }

  /** An update without differences follows a wait that failed. It continues from what exists. */
  async #apply(
    context: Context,
    id: string,
    inputs: Properties,
    differences: readonly Difference[],
    old: Properties,
    undoes = false,
  ): Promise<Live> {
    const { definition } = this;
    if (definition.update === undefined || (differences.length === 0 && definition.ready === undefined)) {
      const live = await definition.read(context, id, old);
      if (live === undefined)
        throw new NotFoundError(
          `${definition.kind} "${id}" no longer exists. Run \`pulumi refresh\`, then \`pulumi up\` again.`,
          { kind: definition.noun, id, status: 404 },
        );
      return live;
    }
    const changed = new Set(differences.map((difference) => difference.field));
    const change = { changed, differences, old, undoes };
    const wanted = desiredOf(this.definition, inputs);
    try {
      return await definition.update(context, id, wanted, change, controlsOf(this.definition.inputs, inputs));
    } catch (error) {
      await definition.explain?.(context, error, wanted, id);
      throw error;
    }
  }

  /**
   * Waits until the resource is usable and proven, if its kind has such a wait, and returns the state to record.
   *
   * @throws PartlyMadeError with the last state, because the resource exists
   * @throws Error if the change is not proven, and was undone
   */
  async #finish(
    context: Context,
    answer: Live,
    inputs: Properties,
    old: Properties | undefined,
    changes: readonly Difference[] = [],
  ): Promise<Properties> {
    const { definition } = this;
    const { ready } = definition;
    const isRevised = old !== undefined && revises(changes);
    let latest: Properties = inputs;
    try {
      latest = stateOf(definition, answer, context, inputs, old, isRevised);
      if (ready === undefined) return latest;
      const [wanted, controls] = [desiredOf(definition, inputs), controlsOf(definition.inputs, inputs)];
      // What is new, or was not finished, is proven as a whole.
      const isUnproven = changes.length === 0 || (old !== undefined && isUnfinished(old));
      const proof = {
        changed: isUnproven ? undefined : new Set(changes.map(({ field }) => field)),
        isSecret: (argument: string) => markedSecrets(inputs).includes(argument),
        isIgnored: (argument: string) => ignoreChanges(inputs).some(([path]) => path === argument || path === "*"),
      };
      const live = await new Unseen(context, `${definition.kind} ${answer.id}`, () =>
        unseenForMs(context, answer.id, latest),
      ).find(
        () => ready(context, answer, wanted, controls, proof),
        (error) => isGone(definition, context, answer.id, latest, error),
      );
      return stateOf(definition, live, context, inputs, old, isRevised);
    } catch (error) {
      // mutant unproven-update: false
      if (error instanceof UnprovenError && old !== undefined && changes.length > 0)
        throw await this.#undone(context, answer.id, inputs, changes, old, error);
      // mutant partly-made-forgotten: throw new Error("lost");
      throw new PartlyMadeError(answer.id, unfinished(latest), [messageOf(error)]);
    }
  }

  /**
   * Restores the old arguments by a second update. That can fail, too, and jobs that meanwhile ran on the changed resource are not
   * undone.
   *
   * @returns what to throw: a PartlyMadeError if the change could not be undone
   */
  async #undone(
    context: Context,
    id: string,
    inputs: Properties,
    changes: readonly Difference[],
    old: Properties,
    { message, cause }: UnprovenError,
  ): Promise<Error> {
    const subject = `${this.definition.kind} "${id}"`;
    const back = changes.map((each) => ({ ...each, old: each.next, next: each.old }));
    try {
      // mutant settings-not-put-back: gone
      await this.#apply(context, id, argumentsOf(this.definition, old), back, inputs, true);
    } catch (error) {
      return new PartlyMadeError(id, unfinished({ ...old, ...inputs }), [
        `${message}\n${subject} was changed and could not be restored: ${messageOf(error)}`,
      ]);
    }
    return new Error(`${message}\n${subject} was restored to its settings from before this run.`, { cause });
  }
}

/** Without warnings: this run updates what is out of date, so nobody has to do anything. */
const quiet = (context: Context): Context => ({ ...context, log: { ...context.log, warn: () => {} } });

/**
 * Whether an answer holds nothing but the id of the created resource. Absent members may have been parsed as empty ones.
 */
function isBare(live: object): boolean {
  return Object.entries(live).every(
    ([name, value]) => name === "id" || (value ?? undefined) === undefined || isDeepStrictEqual(value, {}),
  );
}

/**
 * Whether an error means that the resource no longer exists. A 404 may concern a referenced resource: a read confirms it.
 */
export async function isGone(
  definition: AnyDefinition,
  context: Context,
  id: string,
  state: Properties,
  error: unknown,
): Promise<boolean> {
  return error instanceof NotFoundError && (await definition.read(context, id, state)) === undefined;
}
