import { z } from "zod";
import { APPEARS_WITHIN_MS } from "../../client";
import { isRunning, ownMark, ranHere } from "../../common/isRunning";
import { isElsewhere, Notes, notesFolder } from "./notes";
import { type RunNotes, runNotes } from "./runNotes";

const Entry = z.object({
  kind: z.string(),
  name: z.string(),
  /** Milliseconds since 1970. */
  begun: z.number(),
  /** Ids of the resources that had the name before the create. */
  before: z.array(z.string()),
  /** Short hash of the account, if it is known. */
  account: z.string().optional(),
  /** Set when the answer was lost: the time until which the resource may still appear. Milliseconds since 1970. */
  until: z.number().optional(),
  /** Set once several resources had the name: none that is left is certain to be the one that the create made. */
  unclear: z.boolean().optional(),
  /** Id of the process that began the create. */
  process: z.number().optional(),
  /** When that process began: a container gives the same ids again and again. */
  started: z.string().optional(),
  /** Where that process ran: its id has a meaning only there. */
  host: z.string().optional(),
  machine: z.string().optional(),
  /** Set by the plugin. Otherwise the process for dynamic resources began the create. */
  native: z.boolean().optional(),
});

/** A create that a run has begun, as its note describes it. */
export type BegunCreate = z.infer<typeof Entry>;

/** What the creates of a kind need of the journal. */
export type CreateNotes = Pick<
  CreateJournal,
  "find" | "underWay" | "declared" | "begin" | "lost" | "unclear" | "answered" | "recorded" | "end"
>;

/**
 * How long a note outlives the answer. The engine saves its state right after an answer, but does not report that. Ten
 * seconds are a generous guess and not a guarantee.
 */
const RECORDED_AFTER_MS = 10_000;
/** A generous guess: creates wait for up to 30 minutes by default until what they make is usable. */
const LONGEST_CREATE_MS = 3_600_000;

/**
 * Notes on this machine about creates under way. Each is written before the call, and deleted once the engine has had
 * time to save the result. A note that remains belongs to a create whose run was killed. The next run looks for the
 * resource which that create made.
 *
 * A name alone would not identify that resource. It may belong to the resource that `--replace` is about to replace, to a
 * retained one, or to another stack's.
 *
 * A run on another machine, such as a fresh runner of a pipeline, finds no notes. It may create a second resource.
 */
export class CreateJournal {
  readonly #notes: Notes<BegunCreate>;
  readonly #answered = new Map<string, NodeJS.Timeout>();
  readonly #declared = new Set<string>();
  #native = false;

  /**
   * @param folder keeps the notes of one program's stacks
   * @param run what the processes of this run tell each other
   */
  constructor(
    folder: string = notesFolder("creating"),
    private readonly run: Pick<RunNotes, "tell" | "heard"> = runNotes,
  ) {
    this.#notes = new Notes(folder, Entry);
  }

  /**
   * Marks this process as the plugin's. The plugin does not learn of dynamic resources, nor their process of native ones.
   * So each reports the notes of its own resources, and those of the other host's if that one has no part in the run.
   */
  servesNative(): void {
    this.#native = true;
  }

  /** The create that was begun at this place, unless its note was deleted. */
  find(seed: string): BegunCreate | undefined {
    return this.#notes.get(seed);
  }

  /**
   * The create that another process of this machine is sending for this place now, or has just sent. Only a second run of
   * the stack does that, one that goes on although somebody freed its lock.
   */
  underWay(seed: string): BegunCreate | undefined {
    const note = this.#notes.latest(seed);
    return note?.process === process.pid || isOfKilledRun(note) ? undefined : note;
  }

  /**
   * Called when this run's program declares a new resource at this place, or replaces one. Its create then adopts what was
   * begun there, or creates it again.
   */
  declared(seed: string): void {
    if (this.#declared.has(seed)) return;
    this.#declared.add(seed);
    if (isOfKilledRun(this.#notes.get(seed))) this.run.tell({ declares: seed });
  }

  /** All notes by seed, whichever run wrote them. */
  all(): Map<string, BegunCreate> {
    return this.#notes.all();
  }

  /**
   * Creates of killed runs, by seed, that this process has to report: without those at places that this run has declared,
   * and without those of the other host if that one reports them in this run.
   */
  ofKilledRuns(): Map<string, BegunCreate> {
    const killed = [...this.#notes.all()].filter(([, note]) => isOfKilledRun(note));
    if (killed.length === 0) return new Map();
    const [own, other] = this.#native ? (["native", "dynamic"] as const) : (["dynamic", "native"] as const);
    this.run.tell({ serves: own });
    const heard = this.run.heard();
    const declared = new Set([...this.#declared, ...heard.map(({ declares }) => declares)]);
    const isLeftToOther = heard.some(({ serves }) => serves === other);
    const isOwn = ({ native = false }: BegunCreate) => native === this.#native;
    // mutant other-host-is-silent: new Map()
    return new Map(killed.filter(([seed, note]) => !declared.has(seed) && (isOwn(note) || !isLeftToOther)));
  }

  begin(seed: string, create: Pick<BegunCreate, "kind" | "name" | "begun" | "before" | "account">): void {
    this.#forgetTimer(seed);
    const left = this.find(seed);
    // The program has another name or account for it by now. What the killed run left is told on, unless it was told as
    // unclear.
    if (left !== undefined && (left.name !== create.name || isElsewhere(left, create.account)) && !left.unclear)
      this.#notes.set(keyOf(seed, left), left);
    // mutant no-note: gone
    this.#notes.set(seed, { ...create, ...ownMark(), ...(this.#native && { native: true }) });
  }

  /** The answer was lost: the resource may still appear until then. */
  lost(seed: string, until: Date): void {
    this.#add(seed, { until: until.getTime() });
  }

  /** Several resources have the name. Once all but one are deleted, that one may be somebody else's. */
  unclear(seed: string): void {
    this.#add(seed, { unclear: true });
  }

  #add(seed: string, more: Partial<BegunCreate>): void {
    const begun = this.find(seed);
    if (begun !== undefined) this.#notes.set(seed, { ...begun, ...more });
  }

  /**
   * Called when the engine gets the answer. The note stays for a while, because a kill could still come before the engine
   * has saved the answer.
   */
  answered(seed: string): void {
    this.#forgetTimer(seed);
    this.#answered.set(
      seed,
      setTimeout(() => this.end(seed), RECORDED_AFTER_MS),
    );
    this.#answered.get(seed)?.unref();
  }

  /** The engine's state holds a resource of this name at this place. */
  recorded(seed: string, name: string): void {
    const begun = this.find(seed);
    // If the name was in use before the create, the state may hold the resource that was to be replaced.
    if (begun?.name === name && begun.before.length === 0) this.end(seed);
  }

  /** Deletes the note: the create made nothing, or the state holds what it made. */
  end(seed: string): void {
    this.#forgetTimer(seed);
    this.#notes.delete(seed);
  }

  /** Called when the engine ends in good order, so it has saved every answer. */
  close(): void {
    for (const seed of [...this.#answered.keys()]) this.end(seed);
  }

  #forgetTimer(seed: string): void {
    clearTimeout(this.#answered.get(seed));
    this.#answered.delete(seed);
  }
}

/** A run counts as killed when its process is gone. One elsewhere always does: see `mayGoOn`. */
export function isOfKilledRun(note: BegunCreate | undefined): boolean {
  return note !== undefined && !(ranHere(note) && isRunning(note.process, note.started));
}

/**
 * Whether the create may be one of a run that goes on elsewhere: in another container that has the same folder of notes.
 * What it makes is in no state before it is usable.
 */
export function mayGoOn(note: BegunCreate, now: number): boolean {
  return !ranHere(note) && now < note.begun + LONGEST_CREATE_MS;
}

/**
 * The time after which the resource of a begun create is not expected any more. Milliseconds since 1970. The service
 * promises no such limit.
 */
export function mayAppearUntil({ begun, until = begun + APPEARS_WITHIN_MS }: BegunCreate): number {
  return until;
}

/** The key of a note whose place in the program has another create by now. */
const keyOf = (seed: string, { begun }: BegunCreate) => `${seed}-${begun}`;

/** The place in the program that a note's key names. */
export function placeOf(key: string): string {
  return key.replace(/-\d+$/, "");
}

/** One journal for all kinds in a process. */
export const journal = new CreateJournal();

/** Called when the engine has saved every answer. */
export function closeJournal(): void {
  journal.close();
}
