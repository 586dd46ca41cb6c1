import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { parseJson } from "../client/values/json";

/**
 * Notes on this machine, each a file of a folder. One process reads the folder once, and knows by that which notes other
 * runs have left.
 *
 * Without a home to write to there are none: that is not a reason not to do what they are about.
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

  set(key: string, note: Note): void {
    try {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(this.#file(key), JSON.stringify(note));
      this.#known().add(key);
    } catch {
      // No home to write to.
    }
  }

  delete(key: string): void {
    if (this.#known().delete(key)) rmSync(this.#file(key), { force: true });
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

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Where the notes of one program's stacks are. Stacks of the same name in other folders or backends are other stacks.
 *
 * @param about what the notes are about
 * @param program the program's folder
 */
export function notesFolder(about: "creating" | "awake", program: string = process.cwd()): string {
  const { PULUMI_BACKEND_URL = "" } = process.env;
  const place = createHash("sha256").update(`${program}\n${PULUMI_BACKEND_URL}`).digest("hex").slice(0, 16);
  return join(notesHome(), about, place);
}

/** Where this package keeps notes, a folder for each subject. */
export function notesHome(): string {
  const { PULUMI_HOME = join(homedir(), ".pulumi") } = process.env;
  return join(PULUMI_HOME, "computecloud");
}
