import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../common/json";
import { notesFolder } from "./notes";

/** Longer than reads and lists are expected to show what was deleted. */
const SHOWN_FOR_MS = 90_000;

const Entry = z.object({ id: z.string(), at: z.number() });

/**
 * What runs on this machine have deleted in the last minutes, in one file of lines. Reads and lists may show it for a while,
 * so the next run must not take it for something that its state has lost. Best effort, as all notes.
 */
export class Deletions {
  readonly #file: string;
  #recent: Set<string> | undefined;

  /** @param folder of one program's stacks */
  constructor(private readonly folder: string = notesFolder("deleted")) {
    this.#file = join(folder, "ids.jsonl");
  }

  add(id: string): void {
    try {
      if (this.#recent === undefined) {
        mkdirSync(this.folder, { recursive: true });
        // Removes what is too old to matter.
        writeFileSync(this.#file, this.#read().map(line).join(""));
      }
      this.#ids.add(id);
      appendFileSync(this.#file, line({ id, at: Date.now() }));
    } catch {
      // The home folder may not be writable.
    }
  }

  /** Whether this run or one shortly before it has deleted the resource. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  get #ids(): Set<string> {
    this.#recent ??= new Set(this.#read().map(({ id }) => id));
    return this.#recent;
  }

  #read(): z.infer<typeof Entry>[] {
    const lines = existsSync(this.#file) ? readFileSync(this.#file, "utf8").split("\n") : [];
    return lines
      .flatMap((text) => Entry.safeParse(parseJson(text)).data ?? [])
      .filter(({ at }) => Math.abs(Date.now() - at) < SHOWN_FOR_MS);
  }
}

const line = (entry: z.infer<typeof Entry>) => `${JSON.stringify(entry)}\n`;

/** One for all kinds in a process. */
export const deletions = new Deletions();
