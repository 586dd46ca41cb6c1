import { randomUUID } from "node:crypto";
import { threadId } from "node:worker_threads";
import { isBeside, isOfEarlierBoot, isRunning, ownMark } from "../../common/isRunning";
import type { JournalEntry } from "./journalTypes";

type Claim = Extract<JournalEntry, { event: "opened" }>;

const RUNS = Symbol.for("pulumi-computecloud.journalRuns");

/**
 * The runs of this thread by their tokens, and whether each still runs. Every copy of this module in the thread shares them. What
 * is missing here has another thread, or an earlier process of the same id.
 */
const runs: Map<string, boolean> = Reflect.get(globalThis, RUNS) ?? new Map();
Reflect.set(globalThis, RUNS, runs);

const MOST_RUNS = 1_000;

/** What happens to runs that did not close their journal, where nothing here tells whether they have ended. */
export interface Trust {
  /** The program says that they have ended. */
  readonly takeOver: boolean;
  /** A store keeps out the runs of other machines itself. */
  readonly isStore: boolean;
}

/**
 * The runs that have taken a journal and not closed it. It belongs to the first of them that may still run. Of a run in the same
 * container of the same machine the system tells whether its process runs; one of an earlier boot has ended. Nothing tells of
 * a run elsewhere, or in another thread.
 */
export class Claims {
  readonly ownClaim: Claim = {
    event: "opened",
    token: randomUUID(),
    ...ownMark(),
    ...(threadId > 0 && { thread: threadId }),
  };
  readonly #open = new Map<string, Claim>();

  constructor(private readonly trust: Trust) {}

  read(entry: JournalEntry): void {
    if (entry.event === "opened") this.#open.set(entry.token, entry);
    else if (entry.event === "closed") this.#open.delete(entry.token);
  }

  take(): void {
    runs.set(this.ownClaim.token, true);
  }

  release(): void {
    if (!runs.delete(this.ownClaim.token)) return;
    runs.set(this.ownClaim.token, false);
    const [oldest] = runs;
    // The journals of all but the last of them say themselves that they were closed.
    if (runs.size > MOST_RUNS && oldest?.[1] === false) runs.delete(oldest[0]);
  }

  /** The run that has the journal; undefined when it is free. */
  get holder(): Claim | undefined {
    return [...this.#open.values()].find((claim) => this.#mayRun(claim));
  }

  /** Whether nothing here tells if it runs, because it is on another machine or in another container. */
  isElsewhere(claim: Claim): boolean {
    return !isBeside(claim, this.ownClaim);
  }

  /** The same because it is in another thread of this process. */
  isInAnotherThread(claim: Claim): boolean {
    const { process, started } = this.ownClaim;
    const isOfProcess = claim.process === process && (claim.started === undefined || claim.started === started);
    return !this.isElsewhere(claim) && isOfProcess && !runs.has(claim.token);
  }

  /** The runs that have ended without closing the journal, once it is ours. */
  get ended(): string[] {
    return [...this.#open.keys()].filter((token) => token !== this.ownClaim.token);
  }

  #mayRun(claim: Claim): boolean {
    const { takeOver, isStore } = this.trust;
    if (claim.token === this.ownClaim.token) return true;
    if (this.isElsewhere(claim)) return !takeOver && !isStore && !isOfEarlierBoot(claim, this.ownClaim);
    // mutant threads-twice: false
    if (this.isInAnotherThread(claim)) return !takeOver;
    return claim.process === this.ownClaim.process
      ? runs.get(claim.token) === true
      : isRunning(claim.process, claim.started);
  }
}
