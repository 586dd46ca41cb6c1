import { randomUUID } from "node:crypto";
import { isRunning, ownMark, ranHere, startOf } from "../../common/isRunning";
import type { BegunCreate, Entry, EntryOf, Statement } from "./entries";
import { ledgerFolder } from "./notes";
import { isPast, type Page, Pages, stemOf } from "./pages";

export interface RunOptions {
  /** Holds the entries of one program's stacks. */
  readonly folder?: string;
  /** The engine's address: the processes of a run have the same. Without it no other process learns anything. */
  readonly run?: string | undefined;
  readonly process?: number;
}

/** What another process has written. */
interface OtherPage extends Page {
  /** Since this process looked first. */
  readonly later: readonly Entry[];
  readonly isOfRun: boolean;
}

/** So many entries of a file were there at the first look: all that it will ever have. */
const ALL = Number.POSITIVE_INFINITY;

/**
 * The pages as one process of a run sees them. It reads what earlier runs have left once, at the first question, and puts the
 * files of ended ones away. After that only `others` and `entriesOfRun` look again.
 */
export class RunPages {
  readonly #began = Date.now();
  readonly #pages: Pages;
  readonly #run: string | undefined;
  readonly #process: number;
  /** The process's file, and the one for what others began and it keeps open for the next run. */
  readonly #ownFile: string;
  readonly #keptFile: string;
  /** Files in which something is open. */
  readonly #open: Set<string>;
  /** How many entries of each file are of other runs, or older than this process. Undefined before the first look. */
  #seen: Map<string, number> | undefined;
  readonly #sentStatements = new Set<string>();
  #isMute = false;

  constructor({ folder = ledgerFolder(), run, process = globalThis.process.pid }: RunOptions = {}) {
    const stem = `${process}-${randomUUID()}.${Date.now()}.jsonl`;
    this.#run = run?.replace(/\W+/g, "-");
    this.#keptFile = `kept.${stem}`;
    this.#ownFile = `${this.#run ?? "none"}.${stem}`;
    this.#open = new Set([this.#ownFile]);
    this.#pages = new Pages(folder, this.#ownFile);
    this.#process = process;
  }

  /** Whether the last line could not be written. */
  get isMute(): boolean {
    return this.#isMute;
  }

  /** Whether the run may have other processes, which can be told. */
  get hasRun(): boolean {
    return this.#run !== undefined;
  }

  isOwnFile(name: string): boolean {
    return name === this.#ownFile;
  }

  /** Whether this process has written it. */
  isOwn({ process }: Pick<Entry, "process">): boolean {
    return process === this.#process;
  }

  /** What other processes have written that may go on, or ended since this one looked first. */
  *others(): Generator<OtherPage> {
    const seen = this.#look();
    for (const name of this.#pages.names()) {
      const before = seen.get(stemOf(name)) ?? 0;
      if (before === ALL || this.isOwnFile(name)) continue;
      const page = this.#pages.read(name);
      yield { ...page, later: page.entries.slice(before), isOfRun: this.#isOfRun(name) };
    }
  }

  /** Entries of files that were written to lately, whichever process wrote them. */
  recent(): Entry[] {
    return this.#pages.names().flatMap((name) => this.#pages.recent(name));
  }

  /** Writes to the file of something open. */
  append(name: string, entry: Entry): void {
    this.#pages.append(name, entry);
  }

  /** Tells the other processes of the run, once. A process can't tell a preview from an update, so previews do, too. */
  tell(statement: Statement): void {
    const text = JSON.stringify(statement);
    if (this.#run === undefined || this.#sentStatements.has(text)) return;
    if (this.write(statement)) this.#sentStatements.add(text);
  }

  /**
   * What the other processes of this run have written of these sorts. A killed run may have had the same address: of what its
   * processes wrote before this one began, nothing counts.
   *
   * @throws Error if a file can't be read
   */
  entriesOfRun<Is extends Entry["is"]>(...sorts: readonly Is[]): EntryOf<Is>[] {
    const seen = this.#look();
    const names = this.#run === undefined ? [] : this.#pages.names();
    return names
      .filter((name) => this.#isOfRun(name))
      .flatMap((name) => {
        const { entries } = this.#pages.read(name);
        const [first] = entries;
        if (first === undefined || !ranHere(first) || first.process === this.#process) return [];
        return entries.slice(seen.get(stemOf(name)) ?? 0);
      })
      .filter((each): each is EntryOf<Is> => sorts.some((is) => is === each.is));
  }

  #isOfRun(name: string): boolean {
    return this.#run !== undefined && name.startsWith(`${this.#run}.`);
  }

  /** Answers false where the file can't be written to. */
  write(statement: Statement): boolean {
    this.#look();
    this.#isMute = !this.#pages.append(this.#ownFile, this.#marked(statement));
    return !this.#isMute;
  }

  /** Keeps open what another process began. */
  keep(entry: Entry): void {
    if (this.#pages.append(this.#keptFile, entry)) this.#open.add(this.#keptFile);
  }

  /** Ends what is open in a file. Where that is gone or can't be written to, it ends for this process only. */
  end(name: string, statement: Statement): void {
    const entry = this.#marked(statement);
    // A settled create is noted seconds later: by then somebody may have removed the folder, and nothing makes it again.
    if (!this.#pages.exists(name) || !this.#pages.append(name, entry)) this.#pages.add(name, entry);
  }

  #marked(statement: Statement): Entry {
    const other = this.#process === process.pid ? {} : { process: this.#process, started: startOf(this.#process) };
    return { ...statement, ...ownMark(), ...other, at: Date.now() };
  }

  /** Something open, with the name of its file. */
  find<Open>(within: (page: Page) => Open | undefined): { readonly name: string; readonly entry: Open } | undefined {
    for (const page of this.open()) {
      const entry = within(page);
      if (entry !== undefined) return { name: page.name, entry };
    }
    return undefined;
  }

  /** The pages on which something is open. */
  *open(): Generator<Page & { readonly name: string }> {
    this.#look();
    for (const name of this.#open) yield { name, ...this.#pages.read(name) };
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
        const isOfNow = (each: Entry) => !isOfKilledRun(each) || each.at > this.#began;
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

/** A run counts as killed when its process is gone. One elsewhere always does: see `mayGoOn`. */
export function isOfKilledRun(
  mark: Pick<BegunCreate, "process" | "started" | "host" | "machine"> | undefined,
): boolean {
  return mark !== undefined && !(ranHere(mark) && isRunning(mark.process, mark.started));
}
