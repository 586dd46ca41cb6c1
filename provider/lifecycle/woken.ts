import { z } from "zod";
import { isRunning } from "../client/values/isRunning";
import { Notes, notesFolder } from "./notes";

const Entry = z.object({ workersMax: z.number(), process: z.number().optional() });

/**
 * Notes on this machine about endpoints that rest at no workers, and were let start some for a job: where the run was
 * killed in it, the next one that compares the endpoint finds a difference, and puts it to rest.
 */
export class Woken {
  readonly #notes: Notes<z.infer<typeof Entry>>;
  readonly #seen = new Set<string>();

  /** @param folder keeps the notes of one program's stacks */
  constructor(folder: string = notesFolder("awake")) {
    this.#notes = new Notes(folder, Entry);
  }

  begin(id: string, workersMax: number): void {
    this.#notes.set(id, { workersMax, process: process.pid });
  }

  /** It rests, or is gone. */
  end(id: string): void {
    this.#notes.delete(id);
  }

  /** How many workers it may start since a run was killed. */
  left(id: string): number | undefined {
    const note = this.#notes.get(id);
    return note === undefined || isRunning(note.process) ? undefined : note.workersMax;
  }

  /** This run puts it to rest, or a preview shows that. */
  isSeen(id: string): void {
    this.#seen.add(id);
  }

  /** Those that nobody puts to rest. */
  forgotten(): string[] {
    return [...this.#notes.all().keys()].filter((id) => !this.#seen.has(id) && this.left(id) !== undefined);
  }
}

/** One for all kinds of a process. */
export const woken = new Woken();
