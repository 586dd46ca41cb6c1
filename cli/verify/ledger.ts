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
export class Ledger extends Notes<Note> {
  constructor(folder: string = join(notesHome(), "verifying")) {
    super(folder, Note);
  }

  /** @throws Error when the note can't be written, because resources without a note could not be found again */
  begin(word: string, note: Pick<Note, "service" | "account">): Entry {
    const written = { ...note, process: process.pid, kinds: [], open: [] };
    if (this.set(word, written)) return new Entry(this, word, written);
    throw unwritable();
  }
}

export class Entry {
  #numbers = 0;

  constructor(
    private readonly ledger: Ledger,
    readonly word: string,
    public now: Note,
  ) {}

  /** A number that is unique in the run. */
  nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** Called before the create is sent. @throws as `begin` does */
  creating(create: OpenCreate): void {
    if (!this.#set({ ...this.now, open: [...this.now.open, create] })) throw unwritable();
  }

  /** Called when the service has answered the create. */
  answered(create: OpenCreate, isCreated: boolean): void {
    const kinds = isCreated ? [...new Set([...this.now.kinds, create.kind])] : this.now.kinds;
    this.#set({ ...this.now, kinds, open: this.now.open.filter((each) => each !== create) });
  }

  #set(note: Note): boolean {
    this.now = note;
    return this.ledger.set(this.word, note);
  }
}

const unwritable = () =>
  new Error(`${notesHome()} can't be written to, and nothing is created without a note of it. Set PULUMI_HOME.`);
