import { createHash } from "node:crypto";
import { z } from "zod";
import { JournalError } from "./errors";
import { JournalFile } from "./journalFile";
import type { JournalEntry, JournalStore } from "./journalTypes";

const index = z.int().min(0);
const Entry: z.ZodType<JournalEntry> = z.discriminatedUnion("event", [
  z.object({ event: z.literal("batch"), version: z.literal(1), endpointId: z.string() }),
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
  readonly #store: JournalStore;
  /** Inputs that earlier runs have submitted, but whose result they have not delivered. */
  readonly #open = new Map<number, Noted>();
  readonly #delivered = new Places();
  /** By position. As numbers, which take less memory than texts. */
  readonly #digests: number[] = [];

  private constructor(store: JournalStore) {
    this.#store = store;
  }

  /**
   * @param kept the path of a file, or a store
   * @throws JournalError when it is not a journal, or one of another endpoint
   */
  static async open(kept: string | JournalStore, endpointId: string): Promise<Journal> {
    const journal = new Journal(typeof kept === "string" ? new JournalFile(kept) : kept);
    try {
      await journal.#readAll(endpointId);
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** How many results earlier runs have delivered. */
  get deliveredBefore(): number {
    return this.#delivered.size;
  }

  /** Whether an earlier run has delivered the result of this input. */
  isDelivered(index: number): boolean {
    return this.#delivered.has(index);
  }

  /** What is known about an input that an earlier run submitted, or may have submitted. */
  noted(index: number): Noted | undefined {
    return this.#open.get(index);
  }

  /** @throws JournalError when earlier runs had another input at this position */
  check(index: number, input: unknown): void {
    const known = this.#digests[index] ?? Number.NaN;
    if (Number.isNaN(known) || known === numberOf(digestOf(input))) return;
    throw new JournalError(
      `Input ${index} is not the one that the journal has at this place. Pass the same inputs in the same order, or ` +
        "another journal.",
    );
  }

  /** Before a submission is sent. */
  submitting(index: number, input: unknown): Promise<void> {
    return this.#append({ event: "submitting", index, digest: digestOf(input) });
  }

  submitted(index: number, id: string, at: number): Promise<void> {
    return this.#append({ event: "submitted", index, id, at });
  }

  /** The submission certainly created no job. */
  refused(index: number): Promise<void> {
    return this.#append({ event: "refused", index });
  }

  /** The loop gets the result now. */
  delivering(index: number): Promise<void> {
    return this.#append({ event: "delivering", index });
  }

  /** The loop has asked for another result since. */
  delivered(index: number): Promise<void> {
    return this.#append({ event: "delivered", index });
  }

  /** Releases the file. The caller closes its own store. */
  async close(): Promise<void> {
    if (this.#store instanceof JournalFile) await this.#store.close();
  }

  async #readAll(endpointId: string): Promise<void> {
    let isNew = true;
    for await (const entry of this.#store.entries()) {
      const { data } = Entry.safeParse(entry);
      if (data === undefined || isNew !== (data.event === "batch")) {
        throw new JournalError("The journal holds what is not an entry of one. Pass another path or store.");
      }
      isNew = false;
      if (data.event !== "batch") this.#read(data);
      else if (data.endpointId !== endpointId) {
        throw new JournalError(
          `The journal is that of a batch for endpoint ${data.endpointId}, not for ${endpointId}. Pass another path or store.`,
        );
      }
    }
    if (isNew) await this.#append({ event: "batch", version: 1, endpointId });
  }

  async #append(entry: JournalEntry): Promise<void> {
    try {
      await this.#store.append(entry);
    } catch (error) {
      throw new JournalError(
        "The journal can't be written, so nothing else is submitted. Correct the cause, and run the batch again.",
        error,
      );
    }
  }

  #read(entry: Exclude<JournalEntry, { event: "batch" }>): void {
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
        this.#delivered.add(index);
    }
  }
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

/** Long enough to notice other inputs or another order, but not a deliberate collision. */
function digestOf(input: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(input) ?? "")
    .digest("hex")
    .slice(0, 8);
}

function numberOf(digest: string): number {
  return Number.parseInt(digest, 16);
}
