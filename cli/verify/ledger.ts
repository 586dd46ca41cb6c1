import { join } from "node:path";
import { z } from "../../common/zod";
import { Notes, notesHome } from "../../provider/memory/notes";
import { trialKinds } from "./kinds";

const kind = z.enum(trialKinds);
const Create = z.object({
  kind,
  name: z.string(),
  /** When the create was sent. Milliseconds since 1970. */
  since: z.number(),
});
export type OpenCreate = z.infer<typeof Create>;
const Note = z.object({
  service: z.string(),
  /** Mark of the account; absent if the key may not read it. */
  account: z.string().optional(),
  process: z.number(),
  /** The kinds of which something was made. */
  kinds: z.array(kind),
  /** Creates without an answer, so far or for good. */
  open: z.array(Create),
});
export type Note = z.infer<typeof Note>;

/** The runs of `verify` on this machine. Written before anything is made, so that `--clean` finds everything. */
export class Ledger {
  readonly #notes: Notes<Note>;

  constructor(folder: string = join(notesHome(), "verifying")) {
    this.#notes = new Notes(folder, Note);
  }

  all(): ReadonlyMap<string, Note> {
    return this.#notes.all();
  }

  /** @throws Error when the note can't be written, because resources without a note could not be found again */
  begin(word: string, note: Pick<Note, "service" | "account">): Entry {
    const written = { ...note, process: process.pid, kinds: [], open: [] };
    if (this.#notes.set(word, written)) return new Entry(this.#notes, word, written);
    throw unwritable();
  }

  forget(word: string): void {
    this.#notes.delete(word);
  }
}

export class Entry {
  #numbers = 0;

  constructor(
    private readonly notes: Notes<Note>,
    readonly word: string,
    private note: Note,
  ) {}

  get now(): Note {
    return this.note;
  }

  /** A number that is unique in the run. */
  nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** Called before the create is sent. @throws as `begin` does */
  creating(create: OpenCreate): void {
    if (!this.#set({ ...this.note, open: [...this.note.open, create] })) throw unwritable();
  }

  /** Called when the service has answered the create. */
  answered(create: OpenCreate, isCreated: boolean): void {
    const kinds = isCreated ? [...new Set([...this.note.kinds, create.kind])] : this.note.kinds;
    this.#set({ ...this.note, kinds, open: this.note.open.filter((each) => each !== create) });
  }

  #set(note: Note): boolean {
    this.note = note;
    return this.notes.set(this.word, note);
  }
}

const unwritable = () =>
  new Error(`${notesHome()} can't be written to, and nothing is created without a note of it. Set PULUMI_HOME.`);
