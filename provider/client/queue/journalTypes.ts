/* Without zod: a program's compiler reads these types. */

/** What a batch notes. It names jobs and places of inputs, and holds neither inputs nor outputs. */
export type JournalEntry =
  | { event: "batch"; version: 1; endpointId: string }
  /** The submission of an input is about to be sent. `digest`: eight hexadecimal digits that stand for the input. */
  | { event: "submitting"; index: number; digest: string }
  /** It became this job. `at`: milliseconds since 1970. */
  | { event: "submitted"; index: number; id: string; at: number }
  /** Nothing came of it. */
  | { event: "refused"; index: number }
  /** The loop is given the result. */
  | { event: "delivering"; index: number }
  /** The loop has asked for another result since. */
  | { event: "delivered"; index: number };

/** Where a batch's journal is kept, if not in a file: in a database, for example. It serves one run at a time. */
export interface JournalStore {
  /** All entries so far, in the order of their `append`s. */
  entries(): Iterable<unknown> | AsyncIterable<unknown>;
  /** Returns, or resolves, once the entry outlives this process. */
  append(entry: JournalEntry): void | Promise<void>;
}
