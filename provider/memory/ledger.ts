import { Changes } from "./changes";
import { Creates, type Host } from "./creates";
import { ProgramIds } from "./programIds";
import { type RunOptions, RunPages } from "./runPages";
import { WorkerMaximums } from "./workerMaximums";

export interface LedgerOptions extends RunOptions {
  readonly host?: Host;
  /** What digests of values are made with, such as the key. */
  readonly secret?: string;
  /** The short hash of the account that the process works in, once it is known. */
  readonly account?: () => string | undefined;
  /** The stack that the operation under way is about, if it is known. */
  readonly stack?: () => string | undefined;
}

/**
 * What is known between the runs and the processes of a program: which creates a killed run had begun, which endpoints it
 * left with other workers, what was deleted a moment ago, and which resource of the program has which id.
 * docs/decisions.md, "What is remembered", has the cases. Each subject is a class of its own over the same pages.
 *
 * The ledger is on this machine: a run on another one, such as a fresh runner of a pipeline, finds nothing. It is best
 * effort: where the folder can't be written to, nothing is kept, and the operation that it is about goes ahead.
 */
export class Ledger {
  readonly #pages: RunPages;
  readonly creates: Creates;
  readonly ids: ProgramIds;
  readonly changes: Changes;
  readonly workers: WorkerMaximums;

  constructor({ host = "dynamic", secret = "", account, stack, ...run }: LedgerOptions = {}) {
    this.#pages = new RunPages(run);
    this.creates = new Creates(this.#pages, host, stack);
    this.ids = new ProgramIds(this.#pages, account);
    this.changes = new Changes(this.#pages, secret);
    this.workers = new WorkerMaximums(this.#pages);
  }

  /** The state of a resource of this process names this account. */
  recordsAccount(account: string): void {
    this.#pages.tell({ is: "records", account });
  }

  /** Whether the last line could not be written, so that the other processes learn nothing, nor tell anything. */
  get isMute(): boolean {
    return this.#pages.isMute;
  }

  /** This process creates resources in this account. */
  createsIn(account: string): void {
    this.#pages.tell({ is: "creates", account });
  }

  /** The accounts that states of the run's other processes name, or in which they create resources, and since when. */
  accountsOfRun(is: "records" | "creates"): { readonly account: string; readonly at: number }[] {
    return this.#pages.entriesOfRun(is);
  }
}

/** The address of the engine that started this process; undefined if none did. */
export function engineAddress(argument: string | undefined = process.argv[2]): string | undefined {
  return argument !== undefined && /^[\w.[\]:-]+:\d+$/.test(argument) ? argument : undefined;
}
