import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isRunning, ownMark, ranHere, startOf } from "../../common/isRunning";
import { parseJson } from "../../common/json";
import { notesFolder } from "./notes";

const DAY_MS = 86_400_000;

const RunNote = z.object({
  /** Id of the process that told it. */
  process: z.number(),
  /** When that process began. */
  started: z.string().optional(),
  /** Where it runs: its id has a meaning only there. */
  host: z.string().optional(),
  machine: z.string().optional(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Id of a resource that the program takes over, or has taken over: no other process may delete it. */
  holds: z.string().optional(),
  /** Short hash of the account that the id is in, if it is known. */
  account: z.string().optional(),
  /** Short hash of an account that the state of a resource of this process names. */
  records: z.string().optional(),
  /** The host that reports what killed runs have left. */
  serves: z.enum(["dynamic", "native"]).optional(),
  /** A place in the program where a killed run had begun a create, which this process takes care of. */
  declares: z.string().optional(),
});

/** What a process of a run tells the others. */
export type RunNote = z.infer<typeof RunNote>;

/**
 * What the processes of one run tell each other. The engine starts a process for each `Provider`, and one for all dynamic
 * resources. They share the engine's address, so it names the run's file.
 *
 * A process can't tell a preview from an update, so previews leave a file, too. A file stays when its run ends, because
 * another process may still be deleting something. The next run that tells something removes it.
 */
export class RunNotes {
  readonly #began = Date.now();
  readonly #told = new Set<string>();

  /**
   * @param run the engine's address; without it nothing is told
   * @param folder keeps the files of one program's runs
   */
  constructor(
    private readonly run: string | undefined = engineAddress(),
    private readonly folder: string = notesFolder("running"),
    private readonly process: number = globalThis.process.pid,
  ) {}

  /** Answers false if the file can't be written. */
  tell(note: Pick<RunNote, "holds" | "account" | "records" | "serves" | "declares">): boolean {
    const text = JSON.stringify(note);
    if (this.run === undefined || this.#told.has(text)) return true;
    const mark = { ...ownMark(), process: this.process, started: startOf(this.process) };
    const line: RunNote = { ...note, ...mark, at: Date.now() };
    try {
      mkdirSync(this.folder, { recursive: true });
      if (this.#told.size === 0) this.#removeOld();
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
    } catch {
      return false;
    }
    this.#told.add(text);
    return true;
  }

  /**
   * What other processes of this run have told. A run that was killed may have left a file under the same address: of that
   * one nothing counts.
   *
   * @throws Error if the file can't be read
   */
  heard(): RunNote[] {
    if (this.run === undefined) return [];
    return notesIn(this.#file).filter(
      (note) =>
        ranHere(note) &&
        note.process !== this.process &&
        (note.at >= this.#began || isRunning(note.process, note.started)),
    );
  }

  #removeOld(): void {
    for (const name of readdirSync(this.folder)) {
      const file = join(this.folder, name);
      if (!notesIn(file).some(mayRun)) rmSync(file, { force: true });
    }
  }

  get #file(): string {
    return join(this.folder, `${String(this.run).replace(/\W+/g, "-")}.jsonl`);
  }
}

/** Whether the process that told it may still run. Another container's is not seen from here: it counts as running for a day. */
function mayRun(note: RunNote): boolean {
  return ranHere(note) ? isRunning(note.process, note.started) : note.at > Date.now() - DAY_MS;
}

/** The address of the engine that started this process; undefined if none did. */
export function engineAddress(argument: string | undefined = process.argv[2]): string | undefined {
  return argument !== undefined && /^[\w.[\]:-]+:\d+$/.test(argument) ? argument : undefined;
}

/** A line that is only half written does not count. */
function notesIn(file: string): RunNote[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.flatMap((line) => RunNote.safeParse(parseJson(line)).data ?? []);
}

/** One for all kinds in a process. */
export const runNotes = new RunNotes();
