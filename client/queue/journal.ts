import { hash } from "node:crypto";
import { isRecord } from "../../common/json";
import { type Line, LineFile } from "../../common/lineFile";
import { messageOf } from "../../common/messageOf";
import { z } from "../../common/zod";
import { abortable, withDeadline } from "../calls/cancellation";
import { Claims, type Trust } from "./claims";
import type { Ends } from "./earlyExit";
import { JournalError } from "./errors";
import type { JournalEntry, JournalStore } from "./journalTypes";
import type { RunManyOptions } from "./options";

const VERSION = 2;
const index = z.int().min(0);
const Entry: z.ZodType<JournalEntry> = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("opened"),
    token: z.string(),
    process: z.number(),
    host: z.string(),
    machine: z.string().optional(),
    started: z.string().optional(),
    thread: z.number().optional(),
  }),
  z.object({ event: z.literal("closed"), token: z.string() }),
  z.object({ event: z.literal("batch"), version: z.literal(VERSION), endpointId: z.string() }),
  z.object({ event: z.literal("submitting"), index, digest: z.string() }),
  z.object({ event: z.literal("submitted"), index, id: z.string().min(1), at: z.number() }),
  z.object({ event: z.literal("refused"), index }),
  z.object({ event: z.literal("delivering"), index }),
  z.object({ event: z.literal("delivered"), index }),
]);

/** What earlier runs have noted about an input whose result may not have been delivered. */
export interface Noted {
  /** The job's id. Absent if no answer to the submission was noted: then a job with an unknown id may run. */
  id?: string;
  /** When the answer came. Milliseconds since 1970. */
  at?: number;
  /** The loop got the result, but never asked for the next one: it may have ended before it used the result. */
  handedOut?: boolean;
}

/**
 * The progress of a batch over several runs. A submission is noted before it is sent, and its job's id as soon as it is
 * known. A kill between these two notes leaves it unknown whether the job exists.
 */
export class Journal {
  readonly #claims: Claims;
  /** Inputs that earlier runs have submitted, but whose result they have not delivered. */
  readonly #open = new Map<number, Noted>();
  /** Inputs whose results earlier runs have delivered. */
  readonly delivered = new Places();
  /** By position. As numbers, which take less memory than texts. */
  readonly #digests: number[] = [];
  /** The batch's own entry was read or written. */
  #isBegun = false;
  /** Rows that were read. */
  #read = 0;
  /** The number of the last row, when it is damaged. */
  #damaged: number | undefined;
  #isTaken = false;

  private constructor(
    private readonly rows: Rows,
    private readonly endpointId: string,
    trust: Trust,
    private readonly signal: AbortSignal,
  ) {
    this.#claims = new Claims(trust);
  }

  /**
   * @param pathOrStore the path of a file, or a store
   * @param options `timeoutMs` and `waitSignal` end the wait for it, `signal` every write
   * @throws JournalError when it is not a journal, is damaged, in use, or one of another endpoint
   */
  static async open(
    pathOrStore: string | JournalStore,
    endpointId: string,
    { takeOver = false, timeoutMs, waitSignal, signal }: Pick<RunManyOptions<unknown>, "takeOver" | "timeoutMs"> & Ends,
  ): Promise<Journal> {
    const isStore = typeof pathOrStore !== "string";
    const rows = isStore ? journalStore(pathOrStore) : await journalFile(pathOrStore);
    const journal = new Journal(rows, endpointId, { takeOver, isStore }, signal);
    const late = () => new JournalError(`The journal was not opened within ${timeoutMs} ms (timeoutMs). Run it again.`);
    try {
      await withDeadline(timeoutMs, waitSignal, late, (either = waitSignal) =>
        abortable(journal.#take(takeOver, either), either),
      );
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** What is known about an input that an earlier run submitted, or may have submitted. */
  noted(index: number): Noted | undefined {
    return this.#open.get(index);
  }

  /** @throws JournalError when earlier runs had another input at this position */
  check(index: number, jobInput: unknown): void {
    const digest = this.#digests[index] ?? Number.NaN;
    if (Number.isNaN(digest) || digest === numberOf(digestOf(jobInput))) return;
    throw new JournalError(
      `Input ${index} is not the one that the journal has at this place. Pass the same inputs in the same order, with the ` +
        "same `request`, or another journal.",
    );
  }

  /** Before a submission is sent. */
  submitting(index: number, jobInput: unknown): Promise<void> {
    return this.append({ event: "submitting", index, digest: digestOf(jobInput) });
  }

  /** Gives the journal to the next run. */
  async close(): Promise<void> {
    const { token } = this.#claims.ownClaim;
    // Without this entry, as on a full disk, the next run sees that this one has ended.
    if (this.#isTaken) await this.append({ event: "closed", token }).catch(() => {});
    this.#claims.release();
    await this.rows.close().catch(() => {});
  }

  /** Takes the journal for this run. */
  async #take(takeOver: boolean, signal: AbortSignal): Promise<void> {
    await this.#readNew();
    this.#throwIfHeld();
    this.#claims.take();
    this.#isTaken = true;
    await this.append({ ...this.#claims.ownClaim, ...(takeOver && { takeOver }) }, signal);
    // Another run may have taken it at the same moment.
    await this.#readNew();
    this.#throwIfHeld();
    for (const token of this.#claims.ended) await this.append({ event: "closed", token });
    if (!this.#isBegun) {
      this.#isBegun = true;
      await this.append({ event: "batch", version: VERSION, endpointId: this.endpointId });
    }
  }

  #throwIfHeld(): void {
    const { holder, ownClaim } = this.#claims;
    if (holder === undefined || holder.token === ownClaim.token) return;
    const thread = holder.thread === undefined ? "" : `, thread ${holder.thread},`;
    const run = `process ${holder.process}${thread} on ${holder.host}`;
    if (this.#claims.isElsewhere(holder))
      throw new JournalError(
        `The journal was not closed by ${run}, and nothing here tells whether that run has ended: a file is for one machine. ` +
          "Continue there or, if it has ended, pass takeOver: true.",
      );
    const isOther = this.#claims.isInAnotherThread(holder);
    const ended = isOther ? " If its thread has ended without closing it, pass takeOver: true." : "";
    throw new JournalError(
      `The journal is in use by ${run}. Wait until that run is over, or pass another journal.${ended}`,
    );
  }

  /** @throws JournalError when it can't be written, or could not be read again */
  async append(entry: JournalEntry, signal = this.signal): Promise<void> {
    if (!Entry.safeParse(entry).success)
      throw new JournalError(`The journal could not be read with ${JSON.stringify(entry)}, so that was not written.`);
    try {
      await abortable(this.rows.append(entry, signal), signal);
    } catch (error) {
      if (error instanceof JournalError || (signal.aborted && error === signal.reason)) throw error;
      throw new JournalError(
        `The journal can't be written (${messageOf(error)}), so nothing else is submitted. Correct the cause, and run the ` +
          "batch again.",
        error,
      );
    }
  }

  async #readNew(): Promise<void> {
    try {
      for await (const lines of this.rows.read()) for (const line of lines) this.#readLine(line);
    } catch (error) {
      if (error instanceof JournalError) throw error;
      throw new JournalError(`The journal can't be read: ${messageOf(error)}. Correct the cause.`, error);
    }
  }

  #readLine({ number, value }: Line): void {
    if (number <= this.#read) return;
    this.#read = number;
    // A run that is killed may cut its last line. The next run begins behind it.
    if (this.#damaged !== undefined && !(isRecord(value) && value.event === "opened")) throw damaged(this.#damaged);
    this.#damaged = value === undefined ? number : undefined;
    if (value === undefined) return;
    if (isRecord(value) && value.event === "batch" && Number(value.version) > VERSION) {
      throw new JournalError("A later version of this package has written the journal. Update this package.");
    }
    const { data } = Entry.safeParse(value);
    if (data === undefined) throw damaged(number);
    this.#claims.read(data);
    if (data.event === "batch") this.#readBatch(data);
    else if ("index" in data) {
      if (!this.#isBegun) throw damaged(number);
      this.#note(data);
    }
  }

  #readBatch({ endpointId }: Extract<JournalEntry, { event: "batch" }>): void {
    this.#isBegun = true;
    if (endpointId === this.endpointId) return;
    throw new JournalError(
      `The journal is that of a batch for endpoint ${endpointId}, not for ${this.endpointId}. Pass another path or store.`,
    );
  }

  #note(entry: Extract<JournalEntry, { index: number }>): void {
    const { index } = entry;
    const noted = this.#open.get(index) ?? {};
    switch (entry.event) {
      case "submitting":
        while (this.#digests.length < index) this.#digests.push(Number.NaN);
        this.#digests[index] = numberOf(entry.digest);
        this.#open.set(index, {});
        break;
      case "submitted":
        this.#open.set(index, { id: entry.id, at: entry.at });
        break;
      case "refused":
        this.#digests[index] = Number.NaN;
        this.#open.delete(index);
        break;
      case "delivering":
        this.#open.set(index, { ...noted, handedOut: true });
        break;
      case "delivered":
        this.#open.delete(index);
        this.delivered.add(index);
    }
  }
}

/** What a journal and the run that keeps it there need of a file or of a store. */
export interface Rows {
  /** The rows since the last call, or all of them, in groups. */
  read(): AsyncIterable<readonly Line[]>;
  append(entry: JournalEntry, signal: AbortSignal | undefined): Promise<void>;
  close(): Promise<void>;
}

/** The first line of each journal begins like this. Other files must not be written to. */
const BEGINNING = '{"event":"opened",';

/** @throws JournalError for a path that can't be opened, or is another file */
async function journalFile(path: string): Promise<Rows> {
  const file = await LineFile.open(path).catch((error: unknown) => {
    throw new JournalError(
      `${path} can't be opened as a journal: ${messageOf(error)}. Pass the path of a file.`,
      error,
    );
  });
  const { beginning } = file;
  // The very first line may be cut, too.
  if (!beginning.startsWith(BEGINNING) && !BEGINNING.startsWith(beginning)) {
    await file.close();
    throw new JournalError(`${path} is a file, but not a journal. Pass another path.`);
  }
  return {
    read: () => file.read(),
    async append(entry) {
      file.append(entry);
      // A written line survives the process. The start of a submission must also survive a power loss, so it is synced.
      if (entry.event === "submitting") await file.synced();
    },
    close: () => file.close(),
  };
}

/** The caller closes its own store. */
function journalStore(store: JournalStore): Rows {
  return {
    async *read() {
      let number = 0;
      for await (const value of await store.entries()) yield [{ number: ++number, value }];
    },
    async append(entry, signal) {
      await store.append(entry, signal);
    },
    async close() {},
  };
}

/** A set of whole numbers from 0, compact when nearly all numbers below some bound are in it. */
class Places {
  #below = 0;
  readonly #beyond = new Set<number>();

  get size(): number {
    return this.#below + this.#beyond.size;
  }

  has(place: number): boolean {
    return place < this.#below || this.#beyond.has(place);
  }

  add(place: number): void {
    if (place >= this.#below) this.#beyond.add(place);
    while (this.#beyond.delete(this.#below)) this.#below += 1;
  }
}

function damaged(number: number): JournalError {
  return new JournalError(
    `Line ${number} of the journal is damaged. Restore or correct it. Without that line its job may run a second time.`,
  );
}

/** Long enough to notice other inputs or another order, but not a deliberate collision. Empty for what JSON can't hold. */
function digestOf(input: unknown): string {
  try {
    return hash("sha256", JSON.stringify(input) ?? "").slice(0, 8);
  } catch {
    return "";
  }
}

const numberOf = (digest: string): number => Number.parseInt(digest, 16);
