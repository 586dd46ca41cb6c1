import { ComputeCloudError, MayExistError } from "../client/errors";
import { COMES_UP_WITHIN_MS } from "../client/outcomes/create";
import { withoutFlashBoot } from "../client/text/flashBootSuffix";
import { type BegunCreate, type CreateNotes, comesUpUntil } from "./createJournal";
import type { Context, Listed } from "./definition";
import { MAX_NAME_LENGTH } from "./fields";
import { looksMadeUp, madeUpIn, madeUpName } from "./names";
import { isUnknown } from "./unknown";
import type { Properties } from "./values";
import { InterruptedError } from "./wait";

/** What is asked of a kind. */
interface NamedKind {
  readonly kind: string;
  readonly uniqueName?: true;
  list?(context: Context): Promise<readonly Listed[]>;
}

/** What the stack's `pulumi:autonaming` wants where a name is left out; `propose` leaves the last word to us. */
export type Autonaming = { readonly mode: "propose" | "enforce"; readonly name: string } | { readonly mode: "disable" };

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** Names of one kind in one run: which are in use, which are made up, and what a killed run left under them. */
export class NamedCreates {
  /** As they were when this run first asked; one list serves all creates of a run. */
  #listed: Promise<ByName> | undefined;
  /** Names that the state holds, by seed: on a replacement the engine asks again without the old state. */
  readonly #recorded = new Map<string, string>();
  readonly #made = new Set<string>();
  readonly #warned = new Set<string>();
  /** By this run; lists may show them still. */
  readonly #deleted = new Set<string>();
  /** Seeds of what declares a name, by the name. */
  readonly #declared = new Map<string, string>();
  /** What creates wait for that look for what a killed run has left: they share it. */
  #pause: Promise<void> | undefined;
  #look: Promise<readonly Listed[]> | undefined;

  constructor(
    private readonly kind: NamedKind,
    private readonly journal: CreateNotes,
  ) {}

  /**
   * The name that is made up where the program gives none.
   *
   * @param old the arguments in the state; empty for a new resource, and for the new side of a replacement
   */
  async nameFor(
    context: Context,
    old: Properties,
    given: Properties,
    autonaming?: Autonaming,
  ): Promise<string | undefined> {
    const seed = text(given.__seed) ?? "";
    const logicalName = text(given.__logicalName);
    this.journal.declared(seed);
    if (typeof old.name === "string") this.#isRecorded(seed, old.name);
    if (logicalName === undefined || (given.name ?? undefined) !== undefined) return undefined;
    const kept = madeUpIn(old);
    if (kept !== undefined || (given.adoptId ?? undefined) !== undefined) return kept;

    // For a while `ignoreChanges`, or the program itself, declared the name that was made up.
    if (typeof old.name === "string" && looksMadeUp(old.name, logicalName)) return old.name;

    // It was made without a name, which an earlier version allowed: giving it one would replace it.
    if (Object.keys(old).length > 0 && old.name === undefined) return undefined;

    const begun = this.journal.find(seed)?.name;
    if (autonaming?.mode === "disable") return undefined;
    if (autonaming !== undefined)
      return autonaming.mode === "enforce" ? autonaming.name : (begun ?? autonaming.name.slice(0, MAX_NAME_LENGTH));
    const listed = await this.#list(context);
    let name = madeUpName(logicalName, seed, this.#recorded.get(seed));
    for (;;) {
      const [owner] = listed.get(name) ?? [];
      if (owner === undefined || name === begun) return name;
      this.#warnOfTwin(context, owner);
      name = madeUpName(logicalName, seed, name);
    }
  }

  /** Why a declared name can't be had, where the service knows a name once. */
  async mistakeIn(
    context: Context,
    old: Properties,
    { __seed, name, adoptId }: Properties,
  ): Promise<string | undefined> {
    const seed = text(__seed) ?? "";
    if (this.kind.uniqueName !== true || typeof name !== "string" || isUnknown(name)) return undefined;
    const { kind } = this.kind;
    const declaredAt = this.#declared.get(name) ?? seed;
    this.#declared.set(name, declaredAt);
    if (declaredAt !== seed) {
      return `another ${kind} of this program has the name "${name}", which the service knows once. Choose another one`;
    }
    const isOwn = old.name === name || this.#recorded.get(seed) === name || this.journal.find(seed)?.name === name;
    if (adoptId !== undefined || isOwn) return undefined;
    const [owner] = (await this.#list(context)).get(name) ?? [];
    if (owner === undefined || this.#deleted.has(owner.id)) return undefined;
    return (
      `${kind} ${owner.id} has the name "${name}", which the service knows once. Set adoptId: "${owner.id}" to take it over, ` +
      "or choose another name; add an alias where this program made it under another logical name. To replace it, leave " +
      "the name out or change it"
    );
  }

  /**
   * Nobody but this place in this stack makes that name up: it is borne by what `--replace` is about to replace (of which
   * the engine tells nothing), or by what a run on another machine left when it was killed. Or by a member of a fleet,
   * which `check` doesn't find among the arguments when a run failed in part: only the state tells, which comes later.
   */
  #warnOfTwin({ log, holders }: Context, { id, name }: Listed): void {
    if (this.#warned.has(id)) return;
    this.#warned.add(id);
    log.atEnd(() => {
      if (this.#deleted.has(id) || holders.isRecorded(id)) return undefined;
      return (
        `${this.kind.kind} "${name}" (${id}) bears the name that this resource would get. If it isn't the one that you ` +
        `replace now, a killed run may have left it: take it over with adoptId: "${id}", or delete it. But leave it alone ` +
        "where a stack of this project and name in another backend may have made it."
      );
    });
  }

  /** What has its name in a list now is that resource, deleted. */
  deleted(id: string): void {
    this.#deleted.add(id);
  }

  #isRecorded(seed: string, name: string): void {
    this.#recorded.set(seed, name);
    this.journal.recorded(seed, name);
  }

  /**
   * The id of what a run made that was killed before the engine could record it. It is looked for as long as it may still
   * come up: a second one, made sooner, would stand beside it.
   */
  async leftBehind(context: Context, inputs: Properties): Promise<string | undefined> {
    const begun = this.journal.find(text(inputs.__seed) ?? "");
    if (begun === undefined || begun.kind !== this.kind.kind || begun.name !== inputs.name) return undefined;
    const { clock } = context.client;
    // By a clock that was set back since it would be long until then.
    const until = Math.min(comesUpUntil(begun), clock.now() + COMES_UP_WITHIN_MS);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      const isLast = clock.now() >= until;
      const found = bearersOf(begun, await this.#lookNow(context)).filter(({ id }) => !this.#made.has(id));
      const [only] = found;
      if (found.length > 1) {
        const ids = found.map(({ id }) => id).join(", ");
        throw new Error(
          `An interrupted run was about to create ${this.kind.kind} "${begun.name}", and ${ids} now have that name. ` +
            `Take over the right one with adoptId, such as adoptId: "${only?.id}", or delete them; then run again.`,
        );
      }
      if (only !== undefined) {
        this.#made.add(only.id);
        return only.id;
      }
      if (isLast) return undefined;
      context.log.status(
        `${this.kind.kind} ${begun.name}`,
        `an interrupted run had begun to create it, and it may come up until ${new Date(until).toISOString()}`,
      );
      await this.#pauseFor(Math.min(pauseMs, Math.max(until - clock.now(), 0)), context);
    }
  }

  #lookNow(context: Context): Promise<readonly Listed[]> {
    this.#look ??= Promise.resolve(this.kind.list?.(context) ?? []).finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  #pauseFor(ms: number, { client, signal }: Context): Promise<void> {
    this.#pause ??= client.clock
      .sleep(ms, signal)
      .catch(() => {
        throw new InterruptedError();
      })
      .finally(() => {
        this.#pause = undefined;
      });
    return this.#pause;
  }

  /**
   * Runs a create so that the next run can find out what became of it.
   *
   * @param send is given what has to be told when the answer is lost
   */
  async create<Live extends { id: string }>(
    context: Context,
    { __seed, name }: Properties,
    send: (onLost?: (until: Date) => void) => Promise<Live>,
  ): Promise<Live> {
    const seed = text(__seed);
    if (typeof name !== "string" || this.kind.list === undefined) return send();
    const before = ((await this.#list(context)).get(name) ?? []).map(({ id }) => id);
    if (seed === undefined) return this.#sent(context, name, send());
    const begun = context.client.clock.now();
    this.journal.begin(seed, { kind: this.kind.kind, name, begun, before });
    return this.#sent(
      context,
      name,
      send((until) => this.journal.lost(seed, until)),
      seed,
    );
  }

  async #sent<Live extends { id: string }>(
    context: Context,
    name: string,
    sent: Promise<Live>,
    seed?: string,
  ): Promise<Live> {
    try {
      const live = await sent;
      this.#made.add(live.id);
      return live;
    } catch (error) {
      const refused = refusalIn(error);
      if (refused !== undefined && seed !== undefined) this.journal.end(seed);
      throw (await this.#nameInUse(context, name, refused)) ?? error;
    }
  }

  /** The engine gets the answer to a create now. */
  answered({ __seed }: Properties): void {
    if (typeof __seed === "string") this.journal.answered(__seed);
  }

  /** The service has no code for a name that is in use. */
  async #nameInUse(context: Context, name: string, refused: ComputeCloudError | undefined) {
    if (this.kind.uniqueName !== true || (refused?.status !== 400 && refused?.status !== 409)) return undefined;
    const listed = (await this.kind.list?.(context)) ?? [];
    const owner = listed.find((each) => each.name === name);
    if (owner === undefined) return undefined;
    const { kind } = this.kind;
    return new Error(
      `${kind} "${name}" exists already. Set adoptId: "${owner.id}" to take it over, or delete it, or choose another name.`,
      { cause: refused },
    );
  }

  #list(context: Context): Promise<ByName> {
    this.#listed ??= Promise.resolve(this.kind.list?.(context) ?? []).then(byName);
    this.#listed.catch(() => {
      this.#listed = undefined;
    });
    return this.#listed;
  }
}

type ByName = ReadonlyMap<string, readonly Listed[]>;

function byName(listed: readonly Listed[]): ByName {
  return Map.groupBy(listed, bareName);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** What came of a create that was begun: what bears its name now, and did not before. */
export function bearersOf({ name, before }: BegunCreate, listed: readonly Listed[]): Listed[] {
  return listed.filter((each) => bareName(each) === name && !before.includes(each.id));
}

function bareName({ name }: Listed): string {
  return withoutFlashBoot(name ?? "");
}

/** The refusal that an error is or comes from: the service has made nothing. */
function refusalIn(error: unknown): ComputeCloudError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!(error instanceof ComputeCloudError)) return refusalIn(error.cause);
  const { status = 0 } = error;
  return status >= 400 && status < 500 && status !== 408 && !(error instanceof MayExistError) ? error : undefined;
}
