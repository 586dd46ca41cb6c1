/* Without zod: a program's compiler reads these types. */

/** One entry of a batch's journal. It has ids of jobs and positions of inputs, but no input and no output. */
export type JournalEntry =
  /**
   * A run takes the journal, with `takeOver` also from one that did not close it. `host`, `machine`, `process`, `started` and
   * `thread`, if not the main one, tell whether it still runs.
   */
  | {
      event: "opened";
      token: string;
      process: number;
      host: string;
      machine?: string | undefined;
      started?: string | undefined;
      thread?: number | undefined;
      takeOver?: boolean | undefined;
    }
  /** That run is over. */
  | { event: "closed"; token: string }
  | { event: "batch"; version: 2; endpointId: string }
  /** The submission of an input is about to be sent. `digest`: eight hexadecimal digits that stand for the job's input. */
  | { event: "submitting"; index: number; digest: string }
  /** The submission became this job. `at`: milliseconds since 1970. */
  | { event: "submitted"; index: number; id: string; at: number }
  /** The submission was refused: no job exists. */
  | { event: "refused"; index: number }
  /** The loop is about to get the result. */
  | { event: "delivering"; index: number }
  /** The loop has asked for the next result. */
  | { event: "delivered"; index: number };

type Entries = Iterable<unknown> | AsyncIterable<unknown>;

/**
 * A place for a batch's journal other than a file; `tableJournal` of `pulumi-computecloud/postgres` is one. It has to serve one
 * run at a time, for example by a lock of the database: `append` of the run's `opened` may wait for it, or reject. A run on
 * another machine that did not close the journal counts as ended.
 */
export interface JournalStore {
  /** All entries so far, in the order of their `append`s. Called twice at the start: before and after the run's own entry. */
  entries(): Entries | Promise<Entries>;
  /**
   * Returns, or resolves, once the entry is stored durably.
   *
   * @param signal aborted when the run no longer waits for that
   */
  append(entry: JournalEntry, signal?: AbortSignal): unknown;
}
