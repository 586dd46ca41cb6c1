import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { parseJson } from "../../common/json";
import { pulumiHome } from "../../common/pulumiHome";

/**
 * Notes on this machine that belong to no run, each a file in one folder. They are best effort: where the folder can't be
 * written to, none is kept.
 */
export class Notes<Note> {
  constructor(
    private readonly folder: string,
    private readonly schema: z.ZodType<Note>,
  ) {}

  get(key: string): Note | undefined {
    return this.#try(() => this.schema.safeParse(parseJson(readFileSync(this.#file(key), "utf8"))).data);
  }

  /** Answers false where it can't be written: then the note stays as it was. */
  set(key: string, note: Note): boolean {
    const next = `${this.#file(key)}.${process.pid}`;
    const isWritten = this.#try(() => {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeFileSync(next, JSON.stringify(note), { mode: 0o600 });
      renameSync(next, this.#file(key));
      return true;
    });
    if (isWritten === undefined) this.#try(() => rmSync(next, { force: true }));
    return isWritten === true;
  }

  delete(key: string): void {
    this.#try(() => rmSync(this.#file(key), { force: true }));
  }

  all(): Map<string, Note> {
    const keys = this.#try(() => readdirSync(this.folder)) ?? [];
    return new Map(
      keys.flatMap((file) => {
        const key = file.replace(/\.json$/, "");
        const note = this.get(key);
        return note === undefined ? [] : [[key, note]];
      }),
    );
  }

  /** Best effort: the home folder may not be writable, and a file may be another user's, as after a run with sudo. */
  #try<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch {
      return undefined;
    }
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

/**
 * The folder with the ledger of one program's stacks. A stack of the same name in another folder or backend is another
 * stack, so both are part of the path.
 *
 * @param program the program's folder
 */
export function ledgerFolder(program: string = process.cwd()): string {
  const { PULUMI_BACKEND_URL = "" } = process.env;
  const place = createHash("sha256").update(`${program}\n${PULUMI_BACKEND_URL}`).digest("hex").slice(0, 16);
  return join(notesHome(), "ledger", place);
}

/** The folder in which this package keeps its notes, with a folder inside for each subject. */
export const notesHome = (): string => join(pulumiHome(), "computecloud");
