import { randomUUID } from "node:crypto";
import { isBeside, isOfEarlierBoot, isRunning, ownMark } from "../../common/isRunning";
import type { JournalEntry } from "./journalTypes";

type Claim = Extract<JournalEntry, { event: "opened" }>;

/** Tokens of this process's open claims. They distinguish it from an earlier process with the same id. */
const held = new Set<string>();

/**
 * The runs that have taken a journal and not closed it. It belongs to the first of them that may still run. Of a run in the same
 * container of the same machine the system tells whether it runs; one of an earlier boot has ended. Nothing tells of a run
 * elsewhere.
 */
export class Claims {
  readonly own: Claim = { event: "opened", token: randomUUID(), ...ownMark() };
  readonly #open = new Map<string, Claim>();
  readonly #takeOver: boolean;

  /** @param takeOver whether runs elsewhere count as ended */
  constructor(takeOver: boolean) {
    this.#takeOver = takeOver;
  }

  read(entry: JournalEntry): void {
    if (entry.event === "opened") this.#open.set(entry.token, entry);
    else if (entry.event === "closed") this.#open.delete(entry.token);
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

  /** Whether nothing here tells if it runs. */
  isElsewhere(claim: Claim): boolean {
    return !isBeside(claim, this.own);
  }

  /** The runs that have ended without closing the journal, once it is ours. */
  get ended(): string[] {
    return [...this.#open.keys()].filter((token) => token !== this.own.token);
  }

  #mayRun(claim: Claim): boolean {
    if (!this.isElsewhere(claim)) return this.#runsBeside(claim);
    return !this.#takeOver && !isOfEarlierBoot(claim, this.own);
  }

  #runsBeside(claim: Claim): boolean {
    return claim.process === process.pid ? held.has(claim.token) : isRunning(claim.process, claim.started);
  }
}
