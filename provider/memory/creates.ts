import { APPEARS_WITHIN_MS } from "../../client";
import { ranHere } from "../../common/isRunning";
import type { BegunCreate, Entry, EntryOf } from "./entries";
import { isElsewhere } from "./notes";
import { isOfKilledRun, type RunPages } from "./runPages";

type BegunEntry = EntryOf<"creating">;

/** A create whose answer its run had. */
interface Made {
  readonly id: string;
  readonly create: BegunEntry;
  readonly settled: EntryOf<"settled">;
}

export type Host = "dynamic" | "native";

/** The engine saves its state right after an answer, but does not report that: a generous guess, and no guarantee. */
const RECORDED_AFTER_MS = 10_000;
/** Another one: creates wait for up to 30 minutes by default until what they make is usable. */
const LONGEST_CREATE_MS = 3_600_000;

/**
 * The creates that runs have begun. Each is noted before the call, and settled once the engine has had time to save the
 * result. What is not settled belongs to a create whose run was killed: the next run looks for the resource which that made.
 * A name alone would not identify it: it may belong to the resource that `--replace` is about to replace, or to another
 * stack's.
 */
export class Creates {
  readonly #answered = new Map<string, { readonly id: string; readonly timer: NodeJS.Timeout }>();
  /** What runs made right before their end. */
  #lastMade: readonly Made[] | undefined;
  readonly #declaredNew = new Set<string>();

  constructor(
    private readonly pages: RunPages,
    private readonly host: Host,
    private readonly stack: () => string | undefined = () => undefined,
  ) {}

  /** The create that was begun at this place, unless it was settled. */
  at(place: string): BegunCreate | undefined {
    return this.pages.find((page) => page.creates.get(place))?.entry;
  }

  /** All creates that are not settled, by their keys, whichever run began them. */
  all(): Map<string, BegunCreate> {
    return new Map([...this.pages.open()].flatMap(({ creates }) => [...creates]));
  }

  /**
   * Creates of killed runs that this process has to report: without those at places that this run has declared. The plugin
   * does not learn of dynamic resources, nor their process of native ones. So each reports those of its own resources, and
   * those of the other host if that one has no part in the run.
   */
  killed(): Map<string, BegunCreate> {
    const killed = [...this.all()].filter(([, create]) => isOfKilledRun(create));
    if (killed.length === 0) return new Map();
    this.pages.tell({ is: "reports", by: this.host });
    const declared = new Set(this.pages.entriesOfRun("declares").map(({ place }) => place));
    const isDeclared = (place: string) => this.#declaredNew.has(place) || declared.has(place);
    const isLeftToOther = this.pages.entriesOfRun("reports").some(({ by }) => by !== this.host);
    const isOwn = ({ native = false }: BegunCreate) => native === (this.host === "native");
    // mutant other-host-is-silent: new Map()
    return new Map(killed.filter(([key, create]) => !isDeclared(key) && (isOwn(create) || !isLeftToOther)));
  }

  /**
   * What runs have made of a kind so lately that neither lists nor reads need to show it. Its state may have given way to an
   * older one since.
   *
   * @param account short hash of the key's account
   */
  lately(kind: string, account: string | undefined): { readonly id: string; readonly name: string }[] {
    const isRecent = ({ begun }: BegunEntry) => Math.abs(Date.now() - begun) < APPEARS_WITHIN_MS;
    return this.#recent().flatMap(({ id, create }) =>
      create.kind === kind && isRecent(create) && !isElsewhere(create, account) ? [{ id, name: create.name }] : [],
    );
  }

  /**
   * The create that another run of this stack is sending for this place now, or has sent since this one began. Such a run
   * goes on although somebody freed its lock. The state of only one of the two will last, so the create stays open for the
   * next run.
   */
  secondRun(place: string): BegunCreate | undefined {
    for (const { creates, entries, later, isOfRun } of this.pages.others()) {
      const open = creates.get(place);
      const isUnderWay = open !== undefined && !this.pages.isOwn(open) && !isOfKilledRun(open);
      // mutant ended-second-run: false
      const isMade = !isOfRun && later.some((each) => isMadeAt(place, each));
      const create = entries.findLast((each) => each.is === "creating" && each.place === place);
      if ((!isUnderWay && !isMade) || create?.is !== "creating") continue;
      this.pages.keep(create);
      return create;
    }
    return undefined;
  }

  /**
   * Called when this run's program declares a new resource at this place, or replaces one. Its create then adopts what was
   * begun there, or creates it again.
   */
  declaresNew(place: string): void {
    if (this.#declaredNew.has(place)) return;
    this.#declaredNew.add(place);
    if (isOfKilledRun(this.at(place))) this.pages.tell({ is: "declares", place });
  }

  begin(place: string, create: Pick<BegunCreate, "kind" | "name" | "begun" | "there" | "before" | "account">): void {
    this.#forgetTimer(place);
    const left = this.pages.find((page) => page.creates.get(place));
    const native = this.host === "native" ? true : undefined;
    // mutant no-note: gone
    this.pages.write({ is: "creating", place, ...create, stack: this.stack(), native });
    if (left === undefined || this.pages.isOwnFile(left.name)) return;
    this.pages.end(left.name, { is: "settled", place });
    const { entry } = left;
    // The program has another name or account for it by now. What the killed run left is still reported, unless it was
    // reported as unclear.
    if ((entry.name !== create.name || isElsewhere(entry, create.account)) && !entry.unclear)
      this.pages.append(left.name, { ...entry, place: `${place}-${entry.begun}` });
  }

  /** The answer was lost: the resource may still appear until then. */
  answerLost(place: string, until: Date): void {
    this.#extend(place, { until: until.getTime() });
  }

  /** Several resources have the name. Once all but one are deleted, that one may be somebody else's. */
  markUnclear(key: string): void {
    this.#extend(key, { unclear: true });
  }

  #extend(key: string, more: Partial<BegunCreate>): void {
    const begun = this.pages.find((page) => page.creates.get(key));
    if (begun !== undefined) this.pages.append(begun.name, { ...begun.entry, ...more });
  }

  /** The engine gets the answer. The create stays open for a while: a kill could still come before the engine has saved it. */
  answered(place: string, id: string): void {
    this.#forgetTimer(place);
    const timer = setTimeout(() => this.settle(place, id), RECORDED_AFTER_MS);
    this.#answered.set(place, { id, timer: timer.unref() });
  }

  /** The engine's state holds a resource of this name at this place. */
  recorded(place: string, name: string): void {
    const begun = this.at(place);
    // If the name was in use before the create, the state may hold the resource that was to be replaced.
    if (begun?.name === name && begun.before.length === 0) this.settle(place);
  }

  /** The create made nothing, or a state holds what it made. `id`: this process had that answer. */
  settle(key: string, id?: string, last?: true): void {
    this.#forgetTimer(key);
    const begun = this.pages.find((page) => page.creates.get(key));
    if (begun !== undefined) this.pages.end(begun.name, { is: "settled", place: key, id, last });
  }

  /** Called when the engine tells its providers to stop. It has saved every answer, unless a second Ctrl-C ends it at once. */
  close(): void {
    for (const [place, { id }] of [...this.#answered]) this.settle(place, id, true);
  }

  /** What a run made at this place right before its end, unless a run has deleted it. */
  madeLast(place: string): Made | undefined {
    this.#lastMade ??= this.#recent().filter(({ settled }) => settled.last);
    const last = this.#lastMade.findLast(({ create }) => create.place === place);
    if (last === undefined || this.at(place) !== undefined) return undefined;
    return this.pages.recent().some((each) => each.is === "deleted" && each.id === last.id) ? undefined : last;
  }

  /** No state has what this create made, so the create is open again. */
  reopen(create: BegunEntry): void {
    this.pages.keep(create);
  }

  /** The creates whose answers runs had lately, in that order. */
  #recent(): Made[] {
    const begun = new Map<string, BegunEntry>();
    const creates = this.pages.recent().flatMap((each) => {
      if (each.is === "creating") begun.set(each.place, each);
      const create = each.is === "settled" ? begun.get(each.place) : undefined;
      return create !== undefined && each.is === "settled" && each.id !== undefined
        ? [{ id: each.id, create, settled: each }]
        : [];
    });
    return creates.toSorted((a, b) => a.settled.at - b.settled.at);
  }

  #forgetTimer(place: string): void {
    clearTimeout(this.#answered.get(place)?.timer);
    this.#answered.delete(place);
  }
}

const isMadeAt = (place: string, each: Entry) =>
  each.is === "settled" && each.id !== undefined && each.place === place && ranHere(each);

/**
 * Whether the create may be one of a run that goes on elsewhere: in another container that has the same folder of notes.
 * What it makes is in no state before it is usable.
 */
export function mayGoOn(create: BegunCreate, now: number): boolean {
  return !ranHere(create) && now < create.begun + LONGEST_CREATE_MS;
}

/** When the resource of a begun create is not expected any more. Milliseconds since 1970. The service promises no such limit. */
export const mayAppearUntil = ({ begun, until = begun + APPEARS_WITHIN_MS }: BegunCreate): number => until;

/** The place in the program that a create's key names. The key ends with a time where the place has another create by now. */
export const placeOf = (key: string): string => key.replace(/-\d+$/, "");
