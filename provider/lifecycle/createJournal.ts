import { z } from "zod";
import { COMES_UP_WITHIN_MS } from "../client/outcomes/create";
import { isRunning } from "../client/values/isRunning";
import { Notes, notesFolder } from "./notes";

const Entry = z.object({
  kind: z.string(),
  name: z.string(),
  /** Milliseconds since 1970. */
  begun: z.number(),
  /** Ids that bore the name before. */
  before: z.array(z.string()),
  /** When its answer was lost: until when it may still come up. Milliseconds since 1970. */
  until: z.number().optional(),
  /** Process that began it. */
  process: z.number().optional(),
  /** By the plugin. */
  native: z.boolean().optional(),
});

/** A create that was begun. */
export type BegunCreate = z.infer<typeof Entry>;

/** What the creates of a kind need of the journal. */
export type CreateNotes = Pick<CreateJournal, "find" | "declared" | "begin" | "lost" | "answered" | "recorded" | "end">;

/** The engine writes its state within a moment after an operation was answered. */
const RECORDED_AFTER_MS = 10_000;

/**
 * Notes on this machine about creates under way: before the call one is written, and it goes once the engine has had
 * the time to write the result to its state. What is left was cut off by a kill, and the next run looks for what came
 * of it. A name alone would not do: it may be borne by the resource that `--replace` is about to replace, by one that
 * was retained, or by that of another stack.
 *
 * Runs on another machine, such as a fresh runner of a pipeline, find no notes.
 */
export class CreateJournal {
  readonly #notes: Notes<BegunCreate>;
  readonly #answered = new Map<string, NodeJS.Timeout>();
  readonly #declared = new Set<string>();
  #native = false;

  /** @param folder keeps the notes of one program's stacks */
  constructor(folder: string = notesFolder("creating")) {
    this.#notes = new Notes(folder, Entry);
  }

  /** The resources of this process are the plugin's: it hears nothing of dynamic ones, nor they of these. */
  servesNative(): void {
    this.#native = true;
  }

  /** The create at this place that no engine has recorded. */
  find(seed: string): BegunCreate | undefined {
    return this.#notes.get(seed);
  }

  /** The program of this run has a resource at this place: what was begun there is taken over, or made again. */
  declared(seed: string): void {
    this.#declared.add(seed);
  }

  /** By seed, whatever run began them. */
  all(): Map<string, BegunCreate> {
    return this.#notes.all();
  }

  /** What runs that were killed had begun at places of which this run has not heard, by seed. */
  left(): Map<string, BegunCreate> {
    const all = [...this.#notes.all()];
    const isOfThisHost = ({ native = false }: BegunCreate) => native === this.#native;
    return new Map(
      all.filter(([seed, note]) => !this.#declared.has(seed) && isOfThisHost(note) && !isRunning(note.process)),
    );
  }

  begin(seed: string, create: Omit<BegunCreate, "process" | "native" | "until">): void {
    this.#forgetTimer(seed);
    this.#notes.set(seed, { ...create, process: process.pid, ...(this.#native && { native: true }) });
  }

  /** The answer did not come: the thing may come up until then. */
  lost(seed: string, until: Date): void {
    const begun = this.find(seed);
    if (begun !== undefined) this.#notes.set(seed, { ...begun, until: until.getTime() });
  }

  /** The engine gets the answer now. */
  answered(seed: string): void {
    this.#forgetTimer(seed);
    this.#answered.set(
      seed,
      setTimeout(() => this.end(seed), RECORDED_AFTER_MS),
    );
    this.#answered.get(seed)?.unref();
  }

  /** The state holds what bears the name at this place. */
  recorded(seed: string, name: string): void {
    const begun = this.find(seed);
    // Where the name was in use before, the state may mean the resource that was about to be replaced.
    if (begun?.name === name && begun.before.length === 0) this.end(seed);
  }

  /** Nothing came of it, or the state holds it. */
  end(seed: string): void {
    this.#forgetTimer(seed);
    this.#notes.delete(seed);
  }

  /** The engine is about to end in good order: it has recorded every answer. */
  close(): void {
    for (const seed of [...this.#answered.keys()]) this.end(seed);
  }

  #forgetTimer(seed: string): void {
    clearTimeout(this.#answered.get(seed));
    this.#answered.delete(seed);
  }
}

/** When what has not come up by then never will. Milliseconds since 1970. */
export function comesUpUntil({ begun, until = begun + COMES_UP_WITHIN_MS }: BegunCreate): number {
  return until;
}

/** One for all kinds of a process. */
export const journal = new CreateJournal();

/** The engine has recorded all that it was told. */
export function closeJournal(): void {
  journal.close();
}
