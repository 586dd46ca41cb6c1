import { z } from "zod";
import { isRunning, ownMark } from "../../common/isRunning";
import { isElsewhere, Notes, notesFolder } from "./notes";

const Entry = z.object({
  workersMax: z.number(),
  /** Short hash of the account, if it is known. */
  account: z.string().optional(),
  process: z.number().optional(),
  started: z.string().optional(),
});

/**
 * Notes on this machine about endpoints whose maximum of workers a run has changed for a while. One at rest, with a maximum
 * of 0, is started for a job; one that is to be deleted is set to 0. If the run is killed or fails, the endpoint keeps that
 * maximum. The next run that compares the endpoint finds a difference, and its update restores what is declared.
 *
 * A run on another machine finds no note.
 */
export class Woken {
  readonly #notes: Notes<z.infer<typeof Entry>>;
  readonly #seen = new Set<string>();
  readonly #scheduled = new Set<string>();

  /** @param folder keeps the notes of one program's stacks */
  constructor(folder: string = notesFolder("awake")) {
    this.#notes = new Notes(folder, Entry);
  }

  begin(id: string, workersMax: number, account?: string): void {
    const { process, started } = ownMark();
    this.#notes.set(id, { workersMax, account, process, started });
  }

  /** Deletes the note: the endpoint has its own maximum again or was deleted. */
  end(id: string): void {
    this.#notes.delete(id);
  }

  /** The maximum of workers that an ended run left the endpoint with; undefined if none did. */
  leftoverMaximum(id: string): number | undefined {
    const note = this.#notes.get(id);
    return note === undefined || isRunning(note.process, note.started) ? undefined : note.workersMax;
  }

  /** The program declares a schedule for this endpoint, which may set 0 workers now. */
  schedules(id: string): void {
    this.#scheduled.add(id);
  }

  isScheduled(id: string): boolean {
    return this.#scheduled.has(id);
  }

  /** Called when this run puts the endpoint to rest, or its preview announces that. */
  markSeen(id: string): void {
    this.#seen.add(id);
  }

  /**
   * Ids of endpoints that a killed run left awake and that this run does not scale back.
   *
   * @param account the key's, if it is known: without the endpoints of others
   */
  forgotten(account?: string): string[] {
    return [...this.#notes.all()].flatMap(([id, note]) =>
      isElsewhere(note, account) || this.#seen.has(id) || (this.leftoverMaximum(id) ?? 0) === 0 ? [] : [id],
    );
  }

  /** The endpoint was not found. Its note ends, unless it may be in another account than the key's. */
  gone(id: string, account: string | undefined): void {
    if (isElsewhere(this.#notes.get(id) ?? {}, account) === false) this.end(id);
  }
}

/** One for all kinds in a process. */
export const woken = new Woken();
