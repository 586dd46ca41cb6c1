import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../client/json";

const Entry = z.object({
  kind: z.string(),
  name: z.string(),
  /** Milliseconds since 1970. */
  begun: z.number(),
  /** Ids that bore the name before. */
  before: z.array(z.string()),
});

/** A create that was begun. */
export type BegunCreate = z.infer<typeof Entry>;

/** What the creates of a kind need of the journal. */
export type CreateNotes = Pick<CreateJournal, "find" | "begin" | "answered" | "recorded" | "end">;

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
  readonly #folder: string;
  readonly #answered = new Map<string, NodeJS.Timeout>();
  #keys: Set<string> | undefined;

  /** @param folder keeps the notes of one program's stacks */
  constructor(folder: string = journalFolder()) {
    this.#folder = folder;
  }

  /** The create at this place that no engine has recorded. */
  find(seed: string): BegunCreate | undefined {
    if (!this.#known().has(seed)) return undefined;
    try {
      return Entry.safeParse(parseJson(readFileSync(this.#file(seed), "utf8"))).data;
    } catch {
      return undefined;
    }
  }

  begin(seed: string, create: BegunCreate): void {
    this.#forgetTimer(seed);
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(this.#file(seed), JSON.stringify(create));
      this.#known().add(seed);
    } catch {
      // Without a home to write to, an interrupted create is not found again; that is no reason not to create.
    }
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
    if (!this.#known().delete(seed)) return;
    rmSync(this.#file(seed), { force: true });
  }

  /** The engine is about to end in good order: it has recorded every answer. */
  close(): void {
    for (const seed of [...this.#answered.keys()]) this.end(seed);
  }

  #forgetTimer(seed: string): void {
    clearTimeout(this.#answered.get(seed));
    this.#answered.delete(seed);
  }

  #known(): Set<string> {
    this.#keys ??= new Set(list(this.#folder).map((file) => file.replace(/\.json$/, "")));
    return this.#keys;
  }

  #file(seed: string): string {
    return join(this.#folder, `${seed}.json`);
  }
}

/** One for all kinds of a process. */
export const journal = new CreateJournal();

/** The engine has recorded all that it was told. */
export function closeJournal(): void {
  journal.close();
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Stacks of the same name in other folders or backends are other stacks. */
function journalFolder(): string {
  const { PULUMI_HOME = join(homedir(), ".pulumi"), PULUMI_BACKEND_URL = "" } = process.env;
  const place = createHash("sha256").update(`${process.cwd()}\n${PULUMI_BACKEND_URL}`).digest("hex").slice(0, 16);
  return join(PULUMI_HOME, "computecloud", "creating", place);
}
