import { createHmac } from "node:crypto";
import { APPEARS_WITHIN_MS } from "../../client";
import { isRunning, ownMark, ranHere, startOf } from "../../common/isRunning";
import { isElsewhere, ledgerFolder } from "./notes";
import { type BegunCreate, type Entry, isPast, type Page, Pages, type Statement, stemOf } from "./pages";

/** The processes of the run can't tell each other what they have, so that one could delete what another one declares. */
export class UntoldError extends Error {
  override readonly name = "UntoldError";
  constructor(id: string, undone: "adopted" | "deleted") {
    super(
      `"${id}" is not ${undone}: this run can't leave a note for its other providers, one of which may have it under another ` +
        "name and delete it, or declare it. Set PULUMI_HOME to a folder that can be written to.",
    );
  }
}

/** What the checks of other resources need: a volume's data center, and whom a template is for. And its place, if it is known. */
export interface Known {
  readonly dataCenter?: unknown;
  readonly serverless?: unknown;
  readonly __seed?: unknown;
}

export type Host = "dynamic" | "native";

export interface LedgerOptions {
  /** Holds the entries of one program's stacks. */
  readonly folder?: string;
  /** The engine's address: the processes of a run have the same. Without it no other process learns anything. */
  readonly run?: string | undefined;
  readonly process?: number;
  readonly host?: Host;
  /** What digests of values are made with, such as the key. */
  readonly secret?: string;
  /** The short hash of the account that the process works in, once it is known. */
  readonly account?: () => string | undefined;
  /** The stack that the operation under way is about, if it is known. */
  readonly stack?: () => string | undefined;
}

/** The engine saves its state right after an answer, but does not report that: a generous guess, and no guarantee. */
const RECORDED_AFTER_MS = 10_000;
/** Another one: creates wait for up to 30 minutes by default until what they make is usable. */
const LONGEST_CREATE_MS = 3_600_000;
/** Longer than reads and lists are expected to show what was deleted or changed. */
export const SHOWN_FOR_MS = 90_000;

type Changed = Extract<Entry, { is: "deleted" | "updated" }>;
/** So many entries of a file were there at the first look: all that it will ever have. */
const ALL = Number.POSITIVE_INFINITY;

let ledgers = 0;

/**
 * What is known between the runs and the processes of a program: which creates a killed run had begun, which endpoints it
 * left awake, what was deleted a moment ago, and which resource of the program has which id. docs/decisions.md, "What is
 * remembered", has the cases.
 *
 * A process reads what earlier runs have left once, at the first question, and puts the files of ended ones away. After
 * that only `secondRun` and questions about the run's other processes look again.
 *
 * The ledger is on this machine: a run on another one, such as a fresh runner of a pipeline, finds nothing. It is best
 * effort: where the folder can't be written to, nothing is kept, and the operation that it is about goes ahead.
 */
export class Ledger {
  readonly #began = Date.now();
  readonly #pages: Pages;
  readonly #run: string | undefined;
  /** The process's file, and the one for what others began and it keeps open for the next run. */
  readonly #ownFile: string;
  readonly #keptFile: string;
  readonly #process: number;
  readonly #host: Host;
  readonly #secret: string;
  readonly #account: () => string | undefined;
  readonly #stack: () => string | undefined;
  /** Files in which something is open. */
  readonly #open: Set<string>;
  /** How many entries of each file are of other runs, or older than this process. Undefined before the first look. */
  #seen: Map<string, number> | undefined;
  readonly #sentStatements = new Set<string>();

  readonly #answered = new Map<string, NodeJS.Timeout>();
  readonly #declaredNew = new Set<string>();
  readonly #declared = new Set<string>();
  /** By id: the places in the program of the resources that have it. */
  readonly #places = new Map<string, Set<string>>();
  readonly #sharedIds = new Set<string>();
  readonly #adopted = new Set<string>();
  /** By id: the account under which the other processes of the run were told of it. */
  readonly #told = new Map<string, string | undefined>();
  #isMute = false;
  readonly #recorded = new Map<string, Known>();
  readonly #deleting = new Set<string>();
  /** What was deleted or updated lately, by id. */
  #changes: Map<string, Changed> | undefined;
  readonly #scaledBack = new Set<string>();
  readonly #scheduled = new Set<string>();

  constructor(options: LedgerOptions = {}) {
    const { folder = ledgerFolder(), run, process = globalThis.process.pid } = options;
    ledgers += 1;
    const stem = `${process}-${ledgers}.${Date.now()}.jsonl`;
    this.#run = run?.replace(/\W+/g, "-");
    this.#keptFile = `kept.${stem}`;
    this.#ownFile = `${this.#run ?? "none"}.${stem}`;
    this.#open = new Set([this.#ownFile]);
    this.#pages = new Pages(folder, this.#ownFile);
    this.#process = process;
    this.#host = options.host ?? "dynamic";
    this.#secret = options.secret ?? "";
    this.#account = options.account ?? (() => undefined);
    this.#stack = options.stack ?? (() => undefined);
  }

  // Creates. Each is noted before the call, and settled once the engine has had time to save the result. What is not
  // settled belongs to a create whose run was killed: the next run looks for the resource which that made. A name alone
  // would not identify it: it may belong to the resource that `--replace` is about to replace, or to another stack's.

  /** The create that was begun at this place, unless it was settled. */
  createAt(place: string): BegunCreate | undefined {
    return this.#find((page) => page.creates.get(place))?.entry;
  }

  /** All creates that are not settled, by their keys, whichever run began them. */
  creates(): Map<string, BegunCreate> {
    return new Map(this.#openPages().flatMap(({ creates }) => [...creates]));
  }

  /**
   * Creates of killed runs that this process has to report: without those at places that this run has declared. The plugin
   * does not learn of dynamic resources, nor their process of native ones. So each reports those of its own resources, and
   * those of the other host if that one has no part in the run.
   */
  killedCreates(): Map<string, BegunCreate> {
    const killed = [...this.creates()].filter(([, create]) => isOfKilledRun(create));
    if (killed.length === 0) return new Map();
    this.#tell({ is: "reports", by: this.#host });
    const entries = this.#entriesOfRun();
    const declared = new Set(entries.flatMap((each) => (each.is === "declares" ? [each.place] : [])));
    const isDeclared = (place: string) => this.#declaredNew.has(place) || declared.has(place);
    const isLeftToOther = entries.some((each) => each.is === "reports" && each.by !== this.#host);
    const isOwn = ({ native = false }: BegunCreate) => native === (this.#host === "native");
    // mutant other-host-is-silent: new Map()
    return new Map(killed.filter(([key, create]) => !isDeclared(key) && (isOwn(create) || !isLeftToOther)));
  }

  /**
   * The create that another run of this stack is sending for this place now, or has sent since this one began. Such a run
   * goes on although somebody freed its lock. The state of only one of the two will last, so the create stays open for the
   * next run.
   */
  secondRun(place: string): BegunCreate | undefined {
    const seen = this.#look();
    for (const name of this.#pages.names()) {
      const before = seen.get(stemOf(name)) ?? 0;
      if (before === ALL || name === this.#ownFile) continue;
      const { creates, entries } = this.#pages.read(name);
      const open = creates.get(place);
      const isUnderWay = open !== undefined && open.process !== this.#process && !isOfKilledRun(open);
      // mutant ended-second-run: false
      const isMade = !this.#isOfRun(name) && entries.slice(before).some((each) => isMadeAt(place, each));
      const create = entries.findLast((each) => each.is === "creating" && each.place === place);
      if ((!isUnderWay && !isMade) || create?.is !== "creating") continue;
      this.#keep(create);
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
    if (isOfKilledRun(this.createAt(place))) this.#tell({ is: "declares", place });
  }

  begin(place: string, create: Pick<BegunCreate, "kind" | "name" | "begun" | "there" | "before" | "account">): void {
    this.#forgetTimer(place);
    const left = this.#find((page) => page.creates.get(place));
    // mutant no-note: gone
    this.#write({
      is: "creating",
      place,
      ...create,
      stack: this.#stack(),
      ...(this.#host === "native" && { native: true }),
    });
    if (left === undefined || left.name === this.#ownFile) return;
    this.#end(left.name, { is: "settled", place });
    const { entry } = left;
    // The program has another name or account for it by now. What the killed run left is still reported, unless it was
    // reported as unclear.
    if ((entry.name !== create.name || isElsewhere(entry, create.account)) && !entry.unclear)
      this.#pages.append(left.name, { ...entry, place: `${place}-${entry.begun}` });
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
    const begun = this.#find((page) => page.creates.get(key));
    if (begun !== undefined) this.#pages.append(begun.name, { ...begun.entry, ...more });
  }

  /** The engine gets the answer. The create stays open for a while: a kill could still come before the engine has saved it. */
  answered(place: string): void {
    this.#forgetTimer(place);
    const timer = setTimeout(() => this.settle(place, true), RECORDED_AFTER_MS);
    this.#answered.set(place, timer.unref());
  }

  /** The engine's state holds a resource of this name at this place. */
  createRecorded(place: string, name: string): void {
    const begun = this.createAt(place);
    // If the name was in use before the create, the state may hold the resource that was to be replaced.
    if (begun?.name === name && begun.before.length === 0) this.settle(place);
  }

  /** The create made nothing, or a state holds what it made. `isAnswered`: this process had the answer. */
  settle(key: string, isAnswered?: true): void {
    this.#forgetTimer(key);
    const begun = this.#find((page) => page.creates.get(key));
    if (begun !== undefined) this.#end(begun.name, { is: "settled", place: key, made: isAnswered });
  }

  /** Called when the engine ends in good order, so it has saved every answer. */
  close(): void {
    for (const place of [...this.#answered.keys()]) this.settle(place, true);
  }

  #forgetTimer(place: string): void {
    clearTimeout(this.#answered.get(place));
    this.#answered.delete(place);
  }

  // Ids. A program may rename a resource, move it to another kind, or to another provider, and adopt its own id. In the
  // same run the engine then deletes the old name, although the new one has the resource, and perhaps in another process:
  // that of another `Provider`. It deletes after creates and updates, so the other process can be told in time.

  /**
   * The engine's state holds this id, or will when the operation under way is answered.
   *
   * @param values the resource's arguments, where they are known
   */
  records(id: string, { dataCenter, serverless, __seed }: Known = {}): void {
    const before = this.#recorded.get(id);
    if (before === undefined || dataCenter !== undefined || serverless !== undefined)
      this.#recorded.set(id, { dataCenter, serverless, __seed: __seed ?? before?.__seed });
  }

  /** Undefined if no state is known to hold this id. */
  recorded(id: string): Known | undefined {
    return this.#recorded.get(id);
  }

  /**
   * The program declares a resource at this place. A refresh compares without declarations: it may see the old name of an
   * alias, which is not a second resource.
   */
  declares(place: string): void {
    this.#declared.add(place);
  }

  /** The resource at this place has this id. Answers true, once for each id, if one at another place has it as well. */
  claim(id: string, place: string): boolean {
    if (!this.#declared.has(place)) return false;
    const places = this.#places.get(id) ?? new Set();
    this.#places.set(id, places.add(place));
    if (places.size < 2 || this.#sharedIds.has(id)) return false;
    this.#sharedIds.add(id);
    return true;
  }

  /**
   * A new resource is created at this place, so its old ids are free to be deleted. The engine may delete the old
   * resource under the place of an alias, which would look like another resource, or in another process.
   */
  replaces(place: string): void {
    for (const [id, places] of this.#places) {
      if (!places.delete(place) || places.size > 0 || this.#adopted.has(id)) continue;
      if (this.#told.delete(id) && this.#run !== undefined) this.#write({ is: "frees", id });
    }
  }

  /**
   * A new resource adopts this id. From then on no delete of this run may remove it, not even one at the same place.
   *
   * @throws UntoldError
   */
  adopts(id: string): void {
    // mutant adoption-untold: gone
    if (!this.makes(id)) throw new UntoldError(id, "adopted");
  }

  /** Whether a new resource of this process adopts this id, or an import does. */
  isAdopting(id: string): boolean {
    return this.#adopted.has(id);
  }

  /** The same of what the account has only once: a new resource, and what it replaces and is deleted after it, have one id. */
  makes(id: string): boolean {
    this.#adopted.add(id);
    return this.#hold(id, this.#account());
  }

  /**
   * The program declares the resource that has this id at this place. The state may have it under another name as well, in
   * another process, which that one may be about to delete.
   *
   * @param account of the resource's state
   */
  holds(id: string, place: unknown, account?: unknown): void {
    if (typeof place !== "string" || !this.#declared.has(place)) return;
    this.#hold(id, typeof account === "string" ? account : this.#account());
  }

  #hold(id: string, account: string | undefined): boolean {
    if (this.#told.has(id) && this.#told.get(id) === account) return true;
    if (this.#run !== undefined && !this.#write({ is: "holds", id, ...(account !== undefined && { account }) }))
      return false;
    this.#told.set(id, account);
    return true;
  }

  /** Whether a resource of this program has this id. */
  isHeld(id: string): boolean {
    return this.isHeldElsewhere(id, undefined);
  }

  /**
   * Whether a delete at this place must spare this id, because another resource has it.
   *
   * @param isAdopted whether it was adopted, so that another resource may well have it
   * @throws UntoldError
   */
  isHeldElsewhere(id: string, place: unknown, isAdopted = false): boolean {
    // mutant deleted-under-its-old-name: false
    if (this.#adopted.has(id) || [...(this.#places.get(id) ?? [])].some((each) => each !== place)) return true;
    const ownAccount = this.#account();
    // Two accounts may use the same id, as for their lists of SSH keys. An account that is not known may be this one.
    const isHere = ({ account = ownAccount }) => ownAccount === undefined || account === ownAccount;
    const said = this.#entriesOfRun().filter((each) => (each.is === "holds" || each.is === "frees") && each.id === id);
    const lastOf = new Map(said.map((each) => [each.process, each]));
    if ([...lastOf.values()].some((each) => each.is === "holds" && isHere(each))) return true;
    if (isAdopted && this.#isMute) throw new UntoldError(id, "deleted");
    return false;
  }

  /** This run has begun to delete it. */
  deletes(id: string): void {
    this.#deleting.add(id);
  }

  isBeingDeleted(id: string): boolean {
    return this.#deleting.has(id);
  }

  /** This run has deleted it. Reads and lists may still show it, so the next run must not take it for lost by its state. */
  deleted(id: string): void {
    this.#recentChanges().set(id, { is: "deleted", id, at: Date.now() });
    this.#write({ is: "deleted", id });
  }

  /** Whether this run or one shortly before it has deleted the resource. */
  wasDeleted(id: string): boolean {
    return Number.isFinite(this.deletedAgoMs(id));
  }

  /** How long ago that was. Infinity if it was not, or so long before this run that nothing shows it any more. */
  deletedAgoMs(id: string): number {
    const last = this.#recentChanges().get(id);
    return last?.is === "deleted" ? Date.now() - (last.at ?? 0) : Number.POSITIVE_INFINITY;
  }

  /** This run has updated it. Reads may still show the values before, which are given by their paths. */
  updated(id: string, before: readonly (readonly [path: string, value: unknown])[]): void {
    const digests = before.map(([path, value]) => [path, this.#digest(value)]);
    if (digests.length > 0) this.#write({ is: "updated", id, before: Object.fromEntries(digests) });
  }

  /** Whether a run shortly before this one has changed this value to another one. */
  wasBefore(id: string, path: string, value: unknown): boolean {
    const last = this.#recentChanges().get(id);
    return last?.is === "updated" && last.before[path] === this.#digest(value);
  }

  /** Values may be secrets. */
  #digest(value: unknown): string {
    // mutant secrets-in-the-ledger: JSON.stringify(value)
    return createHmac("sha256", this.#secret)
      .update(JSON.stringify(value ?? {}))
      .digest("hex")
      .slice(0, 8);
  }

  #recentChanges(): Map<string, Changed> {
    if (this.#changes !== undefined) return this.#changes;
    const entries = this.#pages.names().flatMap((name) => this.#pages.recent(name));
    const since = ({ at = 0 }: Entry) => Math.abs(Date.now() - at);
    const changes = entries.flatMap((each) => (each.is === "deleted" || each.is === "updated" ? [each] : []));
    const recent = changes.filter((each) => since(each) < SHOWN_FOR_MS).toSorted((a, b) => since(b) - since(a));
    this.#changes = new Map(recent.map((each) => [each.id, each]));
    return this.#changes;
  }

  // Workers. A run changes an endpoint's maximum of workers for a while: one at rest is started for a job, one that is to
  // be deleted is set to 0. If the run is killed or fails, the endpoint keeps that. The next run that compares the endpoint
  // finds a difference, and its update restores what is declared.

  /** @param until what was set back may be undone by an earlier change that arrives late, also after this process */
  wakes(id: string, workersMax: number, account?: string, until?: Date): void {
    this.#write({ is: "awake", id, workersMax, account, until: until?.getTime() });
  }

  /** The endpoint has its own maximum again, whichever runs had changed it. What may still be undone stays noted. */
  rests(id: string, isGone = false): void {
    this.#look();
    for (const name of this.#open) {
      const note = this.#pages.read(name).awake.get(id);
      const isOver = isGone || (note?.until ?? 0) <= Date.now();
      if (note !== undefined && isOver) this.#end(name, { is: "rested", id });
    }
  }

  /** The maximum of workers that an ended run left the endpoint with; undefined if none did. */
  leftoverMaximum(id: string): number | undefined {
    const awake = this.#find((page) => page.awake.get(id))?.entry;
    return isOfKilledRun(awake) ? awake?.workersMax : undefined;
  }

  /**
   * Ids of endpoints that a killed run left awake and that this run does not scale back.
   *
   * @param account the key's, if it is known: without the endpoints of others
   */
  awakeEndpoints(account?: string): string[] {
    return this.#openPages()
      .flatMap(({ awake }) => [...awake.values()])
      .filter((each) => isOfKilledRun(each) && each.workersMax > 0 && !isElsewhere(each, account))
      .flatMap(({ id }) => (this.#scaledBack.has(id) ? [] : [id]));
  }

  /** Called when this run scales the endpoint back, or its preview announces that. */
  scalesBack(id: string): void {
    this.#scaledBack.add(id);
  }

  /** The endpoint was not found. Its entry ends, unless it may be in another account than the key's. */
  endpointGone(id: string, account: string | undefined): void {
    const awake = this.#find((page) => page.awake.get(id))?.entry;
    if (awake !== undefined && isElsewhere(awake, account) === false) this.rests(id, true);
  }

  /** The program declares a schedule for this endpoint, which may set 0 workers now. */
  schedules(id: string): void {
    this.#scheduled.add(id);
  }

  isScheduled(id: string): boolean {
    return this.#scheduled.has(id);
  }

  // The run. The engine starts a process for each `Provider`, and one for all dynamic resources.

  /** The state of a resource of this process names this account. */
  recordsAccount(account: string): void {
    this.#tell({ is: "records", account });
  }

  /** The accounts that states of the run's other processes name. */
  accountsOfRun(): string[] {
    return this.#entriesOfRun().flatMap((each) => (each.is === "records" ? [each.account] : []));
  }

  /** Tells the other processes of the run, once. A process can't tell a preview from an update, so previews do, too. */
  #tell(statement: Statement): boolean {
    const text = JSON.stringify(statement);
    if (this.#run === undefined || this.#sentStatements.has(text)) return true;
    if (!this.#write(statement)) return false;
    this.#sentStatements.add(text);
    return true;
  }

  /**
   * What the other processes of this run have written. A killed run may have had the same address: of what its processes wrote
   * before this one began, nothing counts.
   *
   * @throws Error if a file can't be read
   */
  #entriesOfRun(): Entry[] {
    const seen = this.#look();
    const names = this.#run === undefined ? [] : this.#pages.names();
    return names
      .filter((name) => this.#isOfRun(name))
      .flatMap((name) => {
        const { entries } = this.#pages.read(name);
        const [first] = entries;
        if (first === undefined || !ranHere(first) || first.process === this.#process) return [];
        return entries.slice(seen.get(stemOf(name)) ?? 0);
      });
  }

  #isOfRun(name: string): boolean {
    return this.#run !== undefined && name.startsWith(`${this.#run}.`);
  }

  #write(statement: Statement): boolean {
    this.#look();
    this.#isMute = !this.#pages.append(this.#ownFile, this.#marked(statement));
    return !this.#isMute;
  }

  /** Keeps open what another process began. */
  #keep(entry: Entry): void {
    if (this.#pages.append(this.#keptFile, entry)) this.#open.add(this.#keptFile);
  }

  /** Ends what is open in a file. Where that is gone or can't be written to, it ends for this process only. */
  #end(name: string, statement: Statement): void {
    const entry = this.#marked(statement);
    // A settled create is noted seconds later: by then somebody may have removed the folder, and nothing makes it again.
    if (!this.#pages.exists(name) || !this.#pages.append(name, entry)) this.#pages.add(name, entry);
  }

  #marked(statement: Statement): Entry {
    const other = this.#process === process.pid ? {} : { process: this.#process, started: startOf(this.#process) };
    return { ...statement, ...ownMark(), ...other, at: Date.now() };
  }

  /** Something open, with the name of its file. */
  #find<Open>(within: (page: Page) => Open | undefined): { readonly name: string; readonly entry: Open } | undefined {
    this.#look();
    for (const name of this.#open) {
      const entry = within(this.#pages.read(name));
      if (entry !== undefined) return { name, entry };
    }
    return undefined;
  }

  #openPages(): Page[] {
    this.#look();
    return [...this.#open].map((name) => this.#pages.read(name));
  }

  /** Looks through the files once, and puts away those of ended processes with nothing open. */
  #look(): Map<string, number> {
    if (this.#seen !== undefined) return this.#seen;
    this.#seen = new Map();
    for (const name of this.#pages.names()) {
      this.#seen.set(stemOf(name), ALL);
      try {
        const isOfRun = this.#isOfRun(name);
        if (isPast(name) && !isOfRun) {
          this.#pages.expire(name);
          continue;
        }
        const { entries, creates, awake } = this.#pages.read(name);
        // What a process of this run wrote before counts, and what one wrote that has ended since this one began.
        // mutant ended-beside: (each: Entry) => !isOfKilledRun(each)
        const isOfNow = (each: Entry) => !isOfKilledRun(each) || (each.at ?? 0) > this.#began;
        const from = isOfRun ? entries.findIndex(isOfNow) : -1;
        this.#seen.set(stemOf(name), from < 0 ? entries.length : from);
        if (creates.size + awake.size > 0) this.#open.add(name);
        else this.#pages.retire(name);
      } catch {
        // Another user's, as after a run with sudo.
      }
    }
    return this.#seen;
  }
}

const isMadeAt = (place: string, each: Entry) =>
  each.is === "settled" && each.made === true && each.place === place && ranHere(each);

/** A run counts as killed when its process is gone. One elsewhere always does: see `mayGoOn`. */
export function isOfKilledRun(
  mark: Pick<BegunCreate, "process" | "started" | "host" | "machine"> | undefined,
): boolean {
  return mark !== undefined && !(ranHere(mark) && isRunning(mark.process, mark.started));
}

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

/** The address of the engine that started this process; undefined if none did. */
export function engineAddress(argument: string | undefined = process.argv[2]): string | undefined {
  return argument !== undefined && /^[\w.[\]:-]+:\d+$/.test(argument) ? argument : undefined;
}
