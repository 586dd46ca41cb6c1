import { randomUUID } from "node:crypto";
import { appendFileSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hostname } from "node:os";
import { z } from "zod";
import { isRunning } from "../values/isRunning";
import { JournalError } from "./errors";
import type { JournalEntry, JournalStore } from "./journalTypes";

/** A line about the file itself: a run has claimed or released it. */
const Claim = z.object({
  event: z.enum(["opened", "closed"]),
  process: z.number(),
  host: z.string(),
  token: z.string(),
});
type Claim = z.infer<typeof Claim>;

const FIRST_LINE_BYTES = 1024;

/** Tokens of this process's open claims. They distinguish it from an earlier process with the same id. */
const held = new Set<string>();

/**
 * A journal in a file, with one entry per line. Lines are only appended, so a kill can cut off only the last line, which is
 * then ignored.
 *
 * The file belongs to the first run that has claimed it, has not released it, and still runs. Not guaranteed: a run on
 * another machine is not noticed.
 */
export class JournalFile implements JournalStore {
  readonly #path: string;
  readonly #claim = { process: process.pid, host: hostname(), token: randomUUID() };
  #handle: FileHandle | undefined;
  /** The latest sync to disk that has begun. */
  #sync: Promise<void> = Promise.resolve();
  /** The next sync, which covers all entries that are appended before it begins. */
  #nextSync: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws JournalError when the file is something else, or another run has it */
  async *entries(): AsyncGenerator<unknown, void, undefined> {
    // Readable by the owner only, because it holds the ids of jobs.
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
    // A written line survives the process. The start of a submission must also survive a power loss, so it is synced.
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
    // We can't tell whether another machine's process runs, so its claim counts as released.
    return host === this.#claim.host && isRunning(id);
  }

  #write(line: JournalEntry | Claim, before = ""): void {
    if (this.#handle === undefined) throw new JournalError(`${this.#path} is closed.`);
    appendFileSync(this.#handle.fd, `${before}${JSON.stringify(line)}\n`);
  }

  /** Entries that are appended during a sync share the next one. */
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

/** A journal begins with a claim. Other files must not be written to. */
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

/** Undefined for a line that a kill has cut off. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
