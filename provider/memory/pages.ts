import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { isRunning, ranHere } from "../../common/isRunning";
import { parseJson } from "../../common/json";
import { Entry, type EntryOf } from "./entries";

const DAY_MS = 86_400_000;
/** Far longer than any question about recent entries, because a folder's server may have another clock. */
const RECENT_MS = 3_600_000;

/** What one process has written. */
export interface Page {
  readonly entries: Entry[];
  /** Creates that are not settled, by place. */
  readonly creates: Map<string, EntryOf<"creating">>;
  /** Endpoints with other workers than their own, by id. */
  readonly awake: Map<string, EntryOf<"awake">>;
  readonly bytes: number;
}

/**
 * The files of the ledger, in one folder. Each process appends its entries, one JSON object a line, to a file of its own,
 * so that nobody overwrites what another process writes, and a line that a kill has cut does not count. The file of a
 * process that has ended may get entries from others.
 *
 * A file's name is `<run>.<process>.<milliseconds since 1970>.jsonl`. That of an ended process, with nothing open in it,
 * becomes `….past.jsonl` for a day where somebody may ask for it, or is deleted.
 */
export class Pages {
  readonly #pages = new Map<string, Page>();

  /** @param ownFile the file of this process, which nobody else writes to */
  constructor(
    private readonly folder: string,
    private readonly ownFile: string,
  ) {
    this.#pages.set(ownFile, emptyPage());
  }

  /** Names of the files; none if there is no folder. */
  names(): string[] {
    try {
      return readdirSync(this.folder).filter((name) => name.endsWith(".jsonl"));
    } catch {
      return [];
    }
  }

  /**
   * Reads a file, but for its own; and that again only if it has grown.
   *
   * @throws Error if the file can't be read
   */
  read(name: string): Page {
    const file = join(this.folder, name);
    const cached = this.#pages.get(name);
    const bytes = name === this.ownFile ? cached?.bytes : statSync(file, { throwIfNoEntry: false })?.size;
    if (cached !== undefined && cached.bytes === bytes) return cached;
    // Another process may delete it at any time.
    const text = bytes === undefined || !existsSync(file) ? "" : readFileSync(file, "utf8");
    const page = { ...emptyPage(), bytes: Buffer.byteLength(text) };
    for (const line of text.split(/\n+/)) add(page, Entry.safeParse(parseJson(line)).data);
    this.#pages.set(name, page);
    return page;
  }

  /** The entries of a file that was written to lately. None of any other: a busy machine keeps hundreds of files a day. */
  recent(name: string): readonly Entry[] {
    try {
      const { mtimeMs } = statSync(join(this.folder, name));
      return Math.abs(Date.now() - mtimeMs) < RECENT_MS ? this.read(name).entries : [];
    } catch {
      // Another user's, as after a run with sudo; or another process has just put it away.
      return [];
    }
  }

  exists(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  /** Adds to what this process knows of a file. */
  add(name: string, each: Entry): void {
    add(this.read(name), each);
  }

  /** Answers false where the file can't be written to. */
  append(name: string, each: Entry): boolean {
    // Begins a line of its own, because a kill or a full disk may have cut the last one.
    const line = `\n${JSON.stringify(each)}\n`;
    try {
      if (!existsSync(this.folder)) mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      appendFileSync(join(this.folder, name), line, { mode: 0o600 });
    } catch {
      return false;
    }
    const page = this.#pages.get(name) ?? emptyPage();
    add(page, each);
    this.#pages.set(name, { ...page, bytes: page.bytes + Buffer.byteLength(line) });
    return true;
  }

  /** Puts the file of an ended process away, or deletes it, if nothing in it is open. */
  retire(name: string): void {
    const page = this.read(name);
    const { entries, creates, awake } = page;
    if (creates.size + awake.size > 0 || entries.some(mayRun)) return;
    const isAsked = entries.some(
      (each) => ["deleted", "updated", "holds"].includes(each.is) || (each.is === "settled" && each.id !== undefined),
    );
    if (!isAsked) {
      this.#remove(name);
      return;
    }
    const past = `${stemOf(name)}${PAST}`;
    renameSync(join(this.folder, name), join(this.folder, past));
    this.#pages.delete(name);
    this.#pages.set(past, page);
  }

  /** Deletes a file that was put away and is a day old. */
  expire(name: string): void {
    if (Number(stemOf(name).split(".").at(-1)) < Date.now() - DAY_MS) this.#remove(name);
  }

  #remove(name: string): void {
    rmSync(join(this.folder, name), { force: true });
  }
}

const PAST = ".past.jsonl";

export const isPast = (name: string) => name.endsWith(PAST);

/** The name that a file keeps when it is put away. */
export const stemOf = (name: string) => name.replace(/(\.past)?\.jsonl$/, "");

const emptyPage = (): Page => ({ entries: [], creates: new Map(), awake: new Map(), bytes: 0 });

function add(page: Page, each: Entry | undefined): void {
  if (each === undefined) return;
  page.entries.push(each);
  if (each.is === "creating") page.creates.set(each.place, each);
  else if (each.is === "settled") page.creates.delete(each.place);
  else if (each.is === "awake") page.awake.set(each.id, each);
  else if (each.is === "rested") page.awake.delete(each.id);
}

/** Whether the process that wrote it may still run. Another container's is not seen from here: it counts as running for a day. */
function mayRun({ process, started, at, ...place }: Entry): boolean {
  return ranHere(place) ? isRunning(process, started) : at > Date.now() - DAY_MS;
}
