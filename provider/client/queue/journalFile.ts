import { randomUUID } from "node:crypto";
import { appendFileSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hostname } from "node:os";
import { z } from "zod";
import { isRunning } from "../values/isRunning";
import { JournalError } from "./errors";
import type { JournalEntry, JournalStore } from "./journalTypes";

/** A line of the file's own: a run has taken it, or let it go. */
const Claim = z.object({
  event: z.enum(["opened", "closed"]),
  process: z.number(),
  host: z.string(),
  token: z.string(),
});
type Claim = z.infer<typeof Claim>;

const FIRST_LINE_BYTES = 1024;

/** Claims of this process that it has not let go. A process that has the id of an earlier one has not its claims. */
const held = new Set<string>();

/**
 * A journal as a file, an entry a line. Lines are only ever appended: what a kill cuts off is the end of the last one,
 * which then says nothing.
 *
 * The file belongs to the first run that has claimed it, still runs on this machine, and has not let go.
 */
export class JournalFile implements JournalStore {
  readonly #path: string;
  readonly #claim = { process: process.pid, host: hostname(), token: randomUUID() };
  #handle: FileHandle | undefined;
  /** The last write to the disk that has begun. */
  #sync: Promise<void> = Promise.resolve();
  /** The one after it, for all that is appended until then. */
  #nextSync: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws JournalError when the file is something else, or another run has it */
  async *entries(): AsyncGenerator<unknown, void, undefined> {
    // Jobs are named in it: they are its owner's.
    const handle = await open(this.#path, "a+", 0o600);
    this.#handle = handle;
    const { size } = await handle.stat();
    if (size > 0 && !isJournal(handle)) {
      throw new JournalError(`${this.#path} is a file, but not a journal. Pass another path.`);
    }
    held.add(this.#claim.token);
    this.#write({ event: "opened", ...this.#claim }, endsInLine(handle, size) ? "" : "\n");
    const claims = new Map<string, Claim>();
    for await (const line of handle.readLines({ start: 0, autoClose: false })) {
      const entry = parsed(line);
      const { data: claim } = Claim.safeParse(entry);
      if (claim?.event === "opened") claims.set(claim.token, claim);
      else if (claim?.event === "closed") claims.delete(claim.token);
      else if (entry !== undefined) yield entry;
    }
    const holder = [...claims.values()].find((claim) => this.#isAlive(claim));
    if (holder === undefined || holder.token === this.#claim.token) return;
    throw new JournalError(
      `${this.#path} is in use by process ${holder.process}. Wait until that run is over, or pass another path.`,
    );
  }

  append(entry: JournalEntry): void | Promise<void> {
    this.#write(entry);
    // What is written outlives the process; that a submission was begun has to outlive the machine's power, too.
    if (entry.event === "submitting") return this.#synced();
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    if (handle === undefined) return;
    await this.#nextSync?.catch(() => {});
    await this.#sync.catch(() => {});
    try {
      if (held.delete(this.#claim.token)) this.#write({ event: "closed", ...this.#claim });
    } finally {
      this.#handle = undefined;
      await handle.close();
    }
  }

  #isAlive({ process: id, host, token }: Claim): boolean {
    if (id === process.pid) return held.has(token);
    // Of another machine's processes nothing is known.
    return host === this.#claim.host && isRunning(id);
  }

  #write(line: JournalEntry | Claim, before = ""): void {
    if (this.#handle === undefined) throw new JournalError(`${this.#path} is closed.`);
    appendFileSync(this.#handle.fd, `${before}${JSON.stringify(line)}\n`);
  }

  /** One write to the disk for all that was appended while another one was under way. */
  #synced(): Promise<void> {
    this.#nextSync ??= this.#sync
      .catch(() => {})
      .then(() => {
        this.#nextSync = undefined;
        this.#sync = this.#handle?.datasync() ?? Promise.resolve();
        return this.#sync;
      });
    return this.#nextSync;
  }
}

/** A journal begins with a claim: nothing is written to a file that does not. */
function isJournal(handle: FileHandle): boolean {
  const start = Buffer.alloc(FIRST_LINE_BYTES);
  const length = readSync(handle.fd, start, 0, FIRST_LINE_BYTES, 0);
  const [line = ""] = start.toString("utf8", 0, length).split("\n");
  return Claim.safeParse(parsed(line)).success;
}

function endsInLine(handle: FileHandle, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(handle.fd, last, 0, 1, size - 1) === 1 && last.toString() === "\n");
}

/** Undefined for a line that was cut off. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
