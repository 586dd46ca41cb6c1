import { randomUUID } from "node:crypto";
import { isBeside, isRunning, ownMark } from "../../common/isRunning";
import type { JournalEntry } from "./journalTypes";

type Claim = Extract<JournalEntry, { event: "opened" }>;

/** Tokens of this process's open claims. They distinguish it from an earlier process with the same id. */
const held = new Set<string>();

/**
 * The runs that have taken a journal and not closed it. It belongs to the first of them that still runs. Of a run on the same
 * machine the system tells whether it runs. A run elsewhere runs as long as it gives signs of life.
 */
export class Claims {
  readonly own: Claim = { event: "opened", token: randomUUID(), ...ownMark() };
  readonly #open = new Map<string, Claim>();
  readonly #silent = new Set<string>();
  /** Grows with each sign of life of a run. */
  signs = 0;
  /** The last run that has opened the journal after us. */
  successor: Claim | undefined;

  read(entry: JournalEntry): void {
    if (entry.event === "opened") {
      if (this.#open.has(this.own.token)) this.successor = entry;
      this.#open.set(entry.token, entry);
    } else if (entry.event === "closed") this.#open.delete(entry.token);
    else this.signs += 1;
  }

  take(): void {
    held.add(this.own.token);
  }

  release(): void {
    held.delete(this.own.token);
  }

  /** The run that has the journal; undefined when it is free. */
  get holder(): Claim | undefined {
    return [...this.#open.values()].find((claim) => this.#mayRun(claim));
  }

  /** Whether only its signs of life tell that it runs. */
  isElsewhere(claim: Claim): boolean {
    return !isBeside(claim, this.own);
  }

  /** None of the runs elsewhere gives a sign of life. */
  fellSilent(): void {
    for (const claim of this.#open.values()) if (this.isElsewhere(claim)) this.#silent.add(claim.token);
  }

  /** The runs that have ended without closing the journal, once it is ours. */
  get ended(): string[] {
    return [...this.#open.keys()].filter((token) => token !== this.own.token);
  }

  #mayRun(claim: Claim): boolean {
    if (this.isElsewhere(claim)) return !this.#silent.has(claim.token);
    return claim.process === process.pid ? held.has(claim.token) : isRunning(claim.process, claim.started);
  }
}
