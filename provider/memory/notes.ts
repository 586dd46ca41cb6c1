import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { parseJson } from "../../common/json";
import { pulumiHome } from "../../common/pulumiHome";

/**
 * Notes on this machine, each a file in one folder.
 *
 * A process lists the folder once, at the first use. It sees the notes of earlier runs and its own, and none that another
 * process writes later.
 *
 * Notes are best effort. Where the folder can't be written to, none is kept, and the operation that it is about goes
 * ahead.
 */
export class Notes<Note> {
  #keys: Set<string> | undefined;

  constructor(
    private readonly folder: string,
    private readonly schema: z.ZodType<Note>,
  ) {}

  get(key: string): Note | undefined {
    if (!this.#known().has(key)) return undefined;
    try {
      return this.schema.safeParse(parseJson(readFileSync(this.#file(key), "utf8"))).data;
    } catch {
      return undefined;
    }
  }

  /** The same for a note that another process may have written or deleted since this one listed the folder. */
  latest(key: string): Note | undefined {
    if (existsSync(this.#file(key))) this.#known().add(key);
    return this.get(key);
  }

  set(key: string, note: Note): void {
    try {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(this.#file(key), JSON.stringify(note));
      this.#known().add(key);
    } catch {
      // Best effort: the home folder may not be writable.
    }
  }

  delete(key: string): void {
    if (!this.#known().delete(key)) return;
    try {
      rmSync(this.#file(key), { force: true });
    } catch {
      // Best effort: it may be another user's, as after a run with sudo.
    }
  }

  all(): Map<string, Note> {
    const entries = [...this.#known()].map((key) => [key, this.get(key)] as const);
    return new Map(entries.flatMap(([key, note]) => (note === undefined ? [] : [[key, note]])));
  }

  #known(): Set<string> {
    this.#keys ??= new Set(list(this.folder).map((file) => file.replace(/\.json$/, "")));
    return this.#keys;
  }

  #file(key: string): string {
    return join(this.folder, `${key}.json`);
  }
}

/**
 * Whether a note is about another account than the key's: stacks of one program may be in several. A note that names none
 * counts as the key's. Undefined if it names one, and the key may not tell its own.
 *
 * @param account short hash of the key's account
 */
export function isElsewhere(
  note: { readonly account?: string | undefined },
  account: string | undefined,
): boolean | undefined {
  if (note.account === undefined) return false;
  // mutant note-of-another-account-taken: return false;
  return account === undefined ? undefined : note.account !== account;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The folder with the notes of one program's stacks. A stack of the same name in another folder or backend is another
 * stack, so both are part of the path.
 *
 * @param program the program's folder
 */
export function notesFolder(
  about: "creating" | "awake" | "running" | "deleted",
  program: string = process.cwd(),
): string {
  const { PULUMI_BACKEND_URL = "" } = process.env;
  const place = createHash("sha256").update(`${program}\n${PULUMI_BACKEND_URL}`).digest("hex").slice(0, 16);
  return join(notesHome(), about, place);
}

/** The folder in which this package keeps its notes, with a folder inside for each subject. */
export function notesHome(): string {
  return join(pulumiHome(), "computecloud");
}
