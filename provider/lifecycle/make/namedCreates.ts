import { APPEARS_WITHIN_MS, ComputeCloudError, clocksApart, wasRefused, withoutFlashBoot } from "../../../client";
import { mayAppearUntil } from "../../memory/creates";
import type { BegunCreate } from "../../memory/entries";
import { isElsewhere } from "../../memory/notes";
import { type AnyDefinition, type Context, hasUniqueName, IMPORTED, type Listed, type Naming } from "../definition";
import { MAX_NAME_LENGTH } from "../fields/fields";
import { isUnknown } from "../fields/unknown";
import type { Properties } from "../fields/values";
import { generatedNameIn, generatedNames, lastGeneratedName, looksGenerated } from "./names";
import { FIRST_PAUSE_MS, longerPause, pauseFor } from "./wait";

/** The resource of this place exists already, and the state does not have it. The message names the way out. */
export class DuplicateError extends Error {
  override readonly name = "DuplicateError";
}

/** Two runs work on one stack at the same time. This one has created nothing at this place. */
class SecondRunError extends Error {
  override readonly name = "SecondRunError";
  constructor({ kind, name, process }: BegunCreate) {
    super(
      `Another run of this stack (process ${process}) is creating ${kind} "${name}" now, or has just created it. Nothing was ` +
        "created here. Wait for its end, then run `pulumi up` again. Don't free the lock of a run that goes on.",
    );
  }
}

/** The generated name of a resource, and the id of the resource that has it already and is adopted. */
interface Named {
  readonly name?: string | undefined;
  readonly adoptId?: string | undefined;
}

const adopts = ({ settings }: Context) => settings.existing === "adopt";

/** The stack's `pulumi:autonaming` for names that are left out. With `propose` the provider may choose another name. */
export type Autonaming = { readonly mode: "propose" | "enforce"; readonly name: string } | { readonly mode: "disable" };

/** How many replacements of a new resource are followed when nothing says that the state was lost. Each costs 3 µs. */
const MOST_UNASKED = 200;

const ENDS_WITHIN_MS = 3_000;
/** What appears so much later is somebody else's. Generous, because the machine's clock may be wrong by hours. */
const LATER_MS = 24 * 3_600_000;
/** What is older than the create by so much is not from it, by the service's own clock. */
const EARLIER_MS = 60_000;

/** What a create calls if its answer is lost, and before it is sent again. */
interface Hooks extends Pick<Naming, "onLost"> {
  readonly onAgain: () => void;
}

/** Names of one kind in one run: those in use, those that are generated, and those of a killed run's creates. */
export class NamedCreates {
  /** As this run first listed them. All creates of a run share one list, so names that others add later are missed. */
  #listed: Promise<ByName> | undefined;
  /** Names that the state holds, by seed. On a replacement the engine calls again without the old state. */
  readonly #recorded = new Map<string, string>();
  readonly #createdIds = new Set<string>();
  readonly #warned = new Set<string>();
  /** Ids that the service need not show yet. */
  readonly #lately = new Set<string>();
  /** Ids that a list showed and the service no longer has. */
  readonly #gone = new Set<string>();
  /** The seed of the resource that declares a name, by name. */
  readonly #declared = new Map<string, string>();
  /** Creates that look for what a killed run has left share their pauses and their lists. */
  #pause: Promise<void> | undefined;
  #look: Promise<readonly Listed[]> | undefined;

  /** @param isIn the engine learns of a group's member only when the whole group is done: the group says when */
  constructor(
    private readonly definition: AnyDefinition,
    private readonly isIn: "a state" | "a group" = "a state",
  ) {}

  /**
   * The generated name, for a program that gives none. No name if the resource gets no generated one. The rules are tried in
   * order: the first that answers decides.
   *
   * @param old the arguments in the state; empty for a new resource, and for the new side of a replacement
   */
  async nameFor(context: Context, old: Properties, args: Properties, autonaming?: Autonaming): Promise<Named> {
    const seed = text(args.__seed) ?? "";
    const logicalName = text(args.__logicalName);
    const recorded = this.nameOf(old);
    if (recorded !== undefined) {
      this.#recorded.set(seed, recorded);
      if (this.isIn === "a state") context.ledger.creates.recorded(seed, recorded);
    }
    const adoptId = args.adoptId ?? undefined;
    const isNew = adoptId === undefined && Object.keys(old).length === 0;
    if (isNew) context.ledger.creates.declaresNew(seed);
    if (logicalName === undefined || (args.name ?? undefined) !== undefined)
      return this.#declaredName(context, seed, isNew ? this.nameOf(args) : undefined);
    const begun = this.#begun(context, seed)?.name;
    return (
      keptName(old, args, adoptId) ??
      formerName(old, logicalName) ??
      unnamed(old) ??
      nameOfStack(autonaming, begun) ??
      this.#begunName(seed, logicalName, begun) ??
      (await this.#lostName(context, seed, logicalName)) ??
      this.#nextFreeName(context, seed, logicalName)
    );
  }

  /**
   * No name but the program's, and the id of a resource that has it and is in no state, where such a one is to be adopted.
   *
   * @throws DuplicateError if that one may be another resource, if there are several, or a state can't be read
   */
  async #declaredName(context: Context, seed: string, name: string | undefined): Promise<Named> {
    if (name === undefined || this.#recorded.has(seed)) return {};
    await this.#reopen(context, seed, name);
    if (!adopts(context) || this.#begun(context, seed)?.name === name) return {};
    const lost = await this.#judgeTwins(context, name);
    // mutant lost-state-takes-declared-names: true
    if (lost === undefined || hasUniqueName(this.definition)) return { adoptId: lost };
    throw new DuplicateError(
      `${this.definition.kind} ${lost} has the name "${name}" and may not be this resource. If it is, set adoptId: "${lost}"; if not, ` +
        "choose another name",
    );
  }

  /**
   * What a run made right before its end may be in no state: a second Ctrl-C ends the engine before it saves. A generated name
   * that is in use is an error, but a declared one would be made a second time.
   */
  async #reopen({ holderOf, ledger }: Context, seed: string, name: string): Promise<void> {
    const last = ledger.creates.madeLast(seed);
    // mutant cut-short-is-saved: true
    if (last === undefined || last.create.name !== name) return;
    if ((await holderOf(last.id)).by === "no stack") ledger.creates.reopen(last.create);
  }

  /** A killed run may have begun a replacement: what it made is looked for under the name of that. */
  #begunName(seed: string, logicalName: string, begun: string | undefined): Named | undefined {
    if (begun === undefined || !looksGenerated(begun, logicalName)) return undefined;
    return begun === this.#recorded.get(seed) ? undefined : { name: begun };
  }

  /** All that is left of a state that was lost may be the last of several replacements. */
  async #lostName(context: Context, seed: string, logicalName: string): Promise<Named | undefined> {
    if (this.#recorded.has(seed)) return undefined;
    const names = (await this.#list(context)).keys();
    const last = lastGeneratedName(names, logicalName, seed, adopts(context) ? undefined : MOST_UNASKED);
    const adoptId = last === undefined ? undefined : await this.#judgeTwins(context, last);
    return adoptId === undefined ? undefined : { name: last, adoptId };
  }

  async #nextFreeName(context: Context, seed: string, logicalName: string): Promise<Named> {
    const listed = await this.#list(context);
    const names = generatedNames(logicalName, seed, this.#recorded.get(seed));
    for (;;) {
      const name = names.next().value;
      if (!listed.has(name)) return { name };
      const adoptId = await this.#judgeTwins(context, name);
      if (adoptId !== undefined) return { name, adoptId };
    }
  }

  /** Why a declared name is not available, in kinds whose names are unique in the account. */
  async mistakeIn(
    context: Context,
    old: Properties,
    { __seed, name, adoptId, __deleteBeforeReplace: deletesFirst }: Properties,
  ): Promise<string | undefined> {
    const seed = text(__seed) ?? "";
    if (!hasUniqueName(this.definition) || typeof name !== "string" || isUnknown(name)) return undefined;
    const { kind } = this.definition;
    const declaredAt = this.#declared.get(name) ?? seed;
    this.#declared.set(name, declaredAt);
    if (declaredAt !== seed) {
      return `another ${kind} of this program has the name "${name}", which must be unique in the account. Choose another one`;
    }
    const isOwn = old.name === name || this.#recorded.get(seed) === name || this.#begun(context, seed)?.name === name;
    if (adoptId !== undefined || isOwn) return undefined;
    const [owner] = (await this.#list(context)).get(name) ?? [];
    if (owner === undefined || !(await this.#exists(context, owner))) return undefined;
    const holder = await context.holderOf(owner.id);
    // For `--replace` and a taint the engine checks without the old arguments.
    if (deletesFirst === true && holder.by === "this stack" && holder.place === seed) return undefined;
    const subject = `${kind} ${owner.id} has the name "${name}", which must be unique in the account`;
    if (holder.by === "another stack")
      return `${subject}, and belongs to the stack "${holder.stack}". Choose another name`;
    const adopting = `Set adoptId: "${owner.id}" to adopt it`;
    const wayOut =
      holder.by === "this stack"
        ? `, and is in this stack. ${adopting} where this resource takes its place`
        : `. ${adopting}, unless another stack has it, or choose another name. After a lost state, ` +
          `${context.settings.howToSetExisting("adopt")} to adopt all of it`;
    return (
      `${subject}${wayOut}. Add an alias if this program created it under another logical name. To ` +
      "replace it, leave the name out or change it, or set the option deleteBeforeReplace in a TypeScript program"
    );
  }

  /**
   * Judges the resources that have a name which this place would get. No other place in this stack generates that name, so
   * each is one of these:
   *
   * - the one that `--replace` is about to replace, of which the engine says nothing;
   * - one of many in a resource, which `check` does not find among the arguments after a run that failed in part;
   * - one of another stack, which had this stack's name, or to which it was moved;
   * - one of a state that was lost;
   * - one that a run on another machine left when it was killed: a new resource, or the new side of a replacement;
   * - one of a stack of the same project and name in another backend.
   *
   * A state holds the first three. The others would be made twice.
   *
   * @returns the id of the one to adopt, where `existing` says so
   * @throws DuplicateError
   */
  async #judgeTwins(context: Context, name: string): Promise<string | undefined> {
    if (context.settings.existing === "duplicate") return undefined;
    const { kind } = this.definition;
    const owners = ((await this.#list(context)).get(name) ?? []).filter(({ id }) => !this.#isGone(context, id));
    const held = await Promise.all(owners.map(async (owner) => ({ owner, holder: await context.holderOf(owner.id) })));
    for (const { owner, holder } of held)
      if (holder.by === "another stack") this.#reportOtherStack(context, owner, holder.stack);
    const unheld = held.filter(({ holder }) => holder.by === "no stack" || holder.by === "unknown");
    const exist = await Promise.all(unheld.map(({ owner }) => this.#exists(context, owner)));
    const lost = unheld.filter((_, index) => exist[index]);
    const [first, ...others] = lost.map(({ owner }) => owner);
    // mutant second-set-after-a-lost-state: true
    if (first === undefined) return undefined;
    const ids = lost.map(({ owner }) => owner.id).join(" and ");
    const unknown = lost.map(({ holder }) => holder).find(({ by }) => by === "unknown");
    if (unknown?.by === "unknown") {
      // It may be the one that `--replace` is about to replace.
      if (!unknown.isOwnRead && !adopts(context)) return this.#warnOfTwin(context, first);
      throw new DuplicateError(
        `${kind} ${ids} has the name of this resource, "${name}", and not every state of this project could be read: another ` +
          "stack has it, such as one that was renamed, or a stack in another backend or project, or the state was lost, or a " +
          `killed run on another machine has left it. If it is this resource, set adoptId: "${first.id}". If not, choose ` +
          `another name, or ${context.settings.howToSetExisting("duplicate")} to make a second set`,
      );
    }
    if (!adopts(context)) {
      throw new DuplicateError(
        `${kind} ${ids} has the generated name of this resource, "${name}", and no stack of this project has it: the state was ` +
          "lost, a killed run on another machine has left it, or a stack in another backend or project has it. To take over " +
          `all that no state has, ${context.settings.howToSetExisting("adopt")}. To delete it, run \`npx ` +
          `pulumi-computecloud orphans --delete ${first.id}\`. To make a second set, set it to duplicate`,
      );
    }
    if (others.length === 0) return first.id;
    throw new DuplicateError(
      `${ids} have the name of this ${kind}, "${name}". Set adoptId to the right one, such as adoptId: "${first.id}", or ` +
        "delete all but one",
    );
  }

  /** Whether a listed resource is still there. Lists may show for a while what was deleted. */
  async #exists(context: Context, { id }: Listed): Promise<boolean> {
    if (this.#isGone(context, id)) return false;
    if (this.#lately.has(id)) return true;
    const exists = await context.client.exists(this.definition.noun, id);
    if (!exists) this.#gone.add(id);
    return exists;
  }

  #isGone({ ledger }: Context, id: string): boolean {
    return this.#gone.has(id) || ledger.changes.wasDeleted(id);
  }

  #reportOtherStack({ log }: Context, { id, name }: Listed, stack: string): void {
    if (this.#warned.has(id)) return;
    this.#warned.add(id);
    log.info(
      `${this.definition.kind} "${name}" (${id}) belongs to the stack "${stack}": this stack makes another one.`,
    );
  }

  /** For a state that can't be read. The run may show at its end that its state holds the resource. */
  #warnOfTwin(context: Context, { id, name }: Listed): undefined {
    if (this.#warned.has(id)) return undefined;
    this.#warned.add(id);
    context.log.atEnd(() => {
      if (this.#isGone(context, id) || context.ledger.ids.recorded(id) !== undefined) return undefined;
      return (
        `${this.definition.kind} "${name}" (${id}) has the name that this resource would get. Unless you are replacing it now, a ` +
        `killed run may have left it: adopt it with adoptId: "${id}", or delete it. But leave it alone if it may belong to ` +
        "a stack of the same project and name in another backend."
      );
    });
    return undefined;
  }

  /**
   * The id of the resource that a killed run created before the engine could record it. Undefined if none has appeared.
   *
   * The search lasts as long as the resource may still appear, because a create before that could make a second one. The
   * service promises no such limit: a resource that appears even later stays unnoticed.
   *
   * @throws Error if several resources have appeared under the name, also when only one of them is left, and if the key may
   * not tell that it is of the same account
   * @throws InterruptedError
   */
  async findLeftover(context: Context, inputs: Properties): Promise<string | undefined> {
    const seed = text(inputs.__seed) ?? "";
    await this.#refuseSecondRun(context, seed);
    const begun = this.#begun(context, seed);
    // mutant notes-unread: true
    if (begun === undefined || begun.kind !== this.definition.kind || begun.name !== this.nameOf(inputs))
      return undefined;
    const { clock } = context.client;
    // If the clock was set back since then, the noted time is too far away.
    const until = Math.min(mayAppearUntil(begun), clock.now() + APPEARS_WITHIN_MS);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = longerPause(pauseMs)) {
      const isLast = clock.now() >= until;
      const candidates = candidatesOf(begun, await this.#lookNow(context)).filter(
        ({ id }) => !this.#createdIds.has(id),
      );
      const [only] = candidates;
      if (candidates.length > 1) context.ledger.creates.markUnclear(seed);
      if (only !== undefined) {
        const isHere = isElsewhere(begun, context.account.knownMark) === false;
        const isUnclear = candidates.length > 1 || begun.unclear === true || clocksApartAt(begun) !== undefined;
        // mutant note-believed-without-an-account: isUnclear
        if (isUnclear || !isHere) throw unclearError(begun, candidates);
        // The engine may have saved it before the kill, in a state that has had another name since.
        const { by } = await context.holderOf(only.id);
        if (by === "this stack" || by === "another stack") {
          context.ledger.creates.settle(seed);
          return undefined;
        }
        this.#createdIds.add(only.id);
        return only.id;
      }
      if (isLast) return undefined;
      context.log.status(
        `${this.definition.kind} ${begun.name}`,
        `waiting ${Math.ceil((until - clock.now()) / 1000)} s: the create of an interrupted run may still succeed`,
      );
      await this.#pauseFor(Math.min(pauseMs, Math.max(until - clock.now(), 0)), context);
    }
  }

  /** A provider whose engine was killed notices that within a second, and ends. @throws SecondRunError */
  async #refuseSecondRun(context: Context, seed: string): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += FIRST_PAUSE_MS) {
      const other = context.ledger.creates.secondRun(seed);
      if (other === undefined) return;
      if (waitedMs >= ENDS_WITHIN_MS) throw new SecondRunError(other);
      await pauseFor(FIRST_PAUSE_MS, context);
    }
  }

  /** The create that was begun at this place, unless that was in another account. */
  #begun({ account, ledger }: Context, seed: string): BegunCreate | undefined {
    const begun = ledger.creates.at(seed);
    return begun === undefined || isElsewhere(begun, account.knownMark) ? undefined : begun;
  }

  #lookNow(context: Context): Promise<readonly Listed[]> {
    this.#look ??= Promise.resolve(this.definition.list?.(context) ?? []).finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  #pauseFor(ms: number, context: Context): Promise<void> {
    this.#pause ??= pauseFor(ms, context).finally(() => {
      this.#pause = undefined;
    });
    return this.#pause;
  }

  /**
   * Runs a create with a note, so that the next run can find out what became of it. Without a list of the kind, a name or
   * a seed there is no note.
   *
   * @param send sends the create; it gets the functions to call if the answer is lost, and before it is sent again
   */
  async create<Live extends { id: string }>(
    context: Context,
    inputs: Properties,
    send: (hooks: Hooks) => Promise<Live>,
  ): Promise<Live> {
    const [seed, name] = [text(inputs.__seed), this.nameOf(inputs)];
    if (name === undefined || this.definition.list === undefined) return send({ onAgain: () => {} });
    const before = ((await this.#list(context)).get(name) ?? []).map(({ id }) => id);
    const { account, client, ledger } = context;
    const note = () => {
      const create = { kind: this.definition.kind, name, before, account: account.knownMark };
      const times = { begun: client.clock.now(), there: client.serviceTime() };
      if (seed !== undefined) ledger.creates.begin(seed, { ...create, ...times });
    };
    note();
    try {
      const live = await send({
        onAgain: note,
        ...(seed !== undefined && { onLost: (until) => ledger.creates.answerLost(seed, until) }),
      });
      this.#createdIds.add(live.id);
      return live;
    } catch (error) {
      const refused = refusalIn(error);
      if (refused !== undefined && seed !== undefined) ledger.creates.settle(seed);
      throw (await this.#nameInUse(context, name, refused)) ?? error;
    }
  }

  /** Called when the engine gets the answer to a create. */
  answered({ ledger }: Context, { __seed }: Properties, id: string): void {
    if (typeof __seed === "string" && this.isIn === "a state") ledger.creates.answered(__seed, id);
  }

  /** What the list shows as the name of a resource with these arguments. */
  nameOf(inputs: Properties): string | undefined {
    const { orphans } = this.definition;
    return text(typeof orphans === "object" ? orphans.notedAs(inputs) : inputs.name);
  }

  /** The service has no error code for a name that is in use: only its list shows that. */
  async #nameInUse(context: Context, name: string, refused: ComputeCloudError | undefined) {
    if (!hasUniqueName(this.definition) || (refused?.status !== 400 && refused?.status !== 409)) return undefined;
    const listed = (await this.definition.list?.(context)) ?? [];
    const owner = listed.find((each) => each.name === name);
    if (owner === undefined) return undefined;
    const { kind } = this.definition;
    if ((await context.holderOf(owner.id)).by === "this stack")
      return new Error(
        `${kind} "${name}" (${owner.id}) is in this stack, and the service allows its name once. To replace it, set the option ` +
          "deleteBeforeReplace, or change the name.",
        { cause: refused },
      );
    return new Error(
      `${kind} "${name}" exists already. Set adoptId: "${owner.id}" to adopt it, or delete it, unless another stack has it. ` +
        "Or choose another name.",
      { cause: refused },
    );
  }

  #list(context: Context): Promise<ByName> {
    this.#listed ??= Promise.resolve(this.definition.list?.(context) ?? []).then((listed) => {
      const ids = new Set(listed.map(({ id }) => id));
      // mutant made-lately-is-made-again: []
      const unlisted = context.ledger.creates.lately(this.definition.kind, context.account.knownMark);
      for (const { id } of unlisted) this.#lately.add(id);
      return byName([...listed, ...unlisted.filter(({ id }) => !ids.has(id))]);
    });
    this.#listed.catch(() => {
      this.#listed = undefined;
    });
    return this.#listed;
  }
}

/** What was adopted or imported keeps its name, also once the program no longer declares that. */
function keptName(old: Properties, args: Properties, adoptId: unknown): Named | undefined {
  const isTaken = (adoptId ?? old.adoptId) !== undefined || args[IMPORTED] === true;
  const name = generatedNameIn(old) ?? (isTaken ? text(old.name) : undefined);
  return name !== undefined || adoptId !== undefined ? { name } : undefined;
}

/** `ignoreChanges`, or the program itself, declared the generated name for a while. */
const formerName = ({ name }: Properties, logicalName: string): Named | undefined =>
  typeof name === "string" && looksGenerated(name, logicalName) ? { name } : undefined;

/** It was created without a name, as `pulumi:autonaming` may ask. Giving it one now would replace it. */
const unnamed = (old: Properties): Named | undefined =>
  Object.keys(old).length > 0 && old.name === undefined ? {} : undefined;

/** @param begun the name under which a killed run may have created it */
function nameOfStack(autonaming: Autonaming | undefined, begun: string | undefined): Named | undefined {
  if (autonaming?.mode === "disable") return {};
  if (autonaming?.mode === "enforce") return { name: autonaming.name };
  return autonaming && { name: begun ?? autonaming.name.slice(0, MAX_NAME_LENGTH) };
}

type ByName = ReadonlyMap<string, readonly Listed[]>;

const byName = (listed: readonly Listed[]): ByName => Map.groupBy(listed, ({ name }) => withoutFlashBoot(name));

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * What a begun create may have made: resources that have its name now, did not exist before it, and are not from a later
 * day. The ids before it are as old as the run's list, so the times tell what others have made since. None is certain.
 */
export function candidatesOf(begun: BegunCreate, listed: readonly Listed[]): Listed[] {
  const { name, before, there = 0 } = begun;
  const latest = mayAppearUntil(begun) + LATER_MS;
  const isAgeless = clocksApartAt(begun) !== undefined;
  const isOfThen = ({ createdAt }: Listed) => {
    const at = Date.parse(createdAt ?? "");
    // mutant older-one-is-a-leftover: true
    return isAgeless || !(at < there - EARLIER_MS || at > latest);
  };
  return listed.filter((each) => withoutFlashBoot(each.name) === name && !before.includes(each.id) && isOfThen(each));
}

/** How far the clocks were apart when the create began. */
export const clocksApartAt = ({ begun, there = begun }: BegunCreate): string | undefined => clocksApart(begun, there);

function unclearError(begun: BegunCreate, candidates: readonly Listed[]): Error {
  const { kind, name } = begun;
  const apart = clocksApartAt(begun);
  const ids = candidates.map(({ id }) => id);
  return new Error(
    `An interrupted run was about to create ${kind} "${name}", and it is not certain that ${ids.join(" or ")} is what it ` +
      `made${apart === undefined ? "" : ` (${apart})`}. If one of them is this resource, set adoptId, such as adoptId: "${ids[0]}"; if not, choose another name.`,
  );
}

/** The refusal that an error is or was caused by. Then the service has made nothing. */
function refusalIn(error: unknown): ComputeCloudError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!(error instanceof ComputeCloudError)) return refusalIn(error.cause);
  return wasRefused(error) ? error : undefined;
}
