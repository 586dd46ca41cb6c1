import { z } from "../../common/zod";

/** Who wrote an entry, and when. */
const MARK = {
  process: z.number(),
  /** When that process began: a container gives the same ids again and again. */
  started: z.string().optional(),
  /** Where it runs: its id has a meaning only there. */
  host: z.string(),
  machine: z.string().optional(),
  /** Milliseconds since 1970. */
  at: z.number(),
};

/** Short hash of the account, if it is known. */
const account = z.string().optional();
const entry = <Is extends string, Shape extends z.ZodRawShape>(is: Is, shape: Shape) =>
  z.object({ ...MARK, is: z.literal(is), ...shape });

/** Made with the first line that is read: most runs on a machine read none. */
export const Entry = z.lazy(() =>
  z.discriminatedUnion("is", [
    entry("creating", {
      place: z.string(),
      kind: z.string(),
      name: z.string(),
      /** Milliseconds since 1970. */
      begun: z.number(),
      /** The same time by the service's clock. */
      there: z.number().optional(),
      /** Ids of the resources that had the name before the create. */
      before: z.array(z.string()),
      account,
      /** Set when the answer was lost: the time until which the resource may still appear. Milliseconds since 1970. */
      until: z.number().optional(),
      /** Set once several resources had the name: none that is left is certain to be the one that the create made. */
      unclear: z.boolean().optional(),
      /** Set by the plugin. Otherwise the process for dynamic resources began the create. */
      native: z.boolean().optional(),
      /** For messages: stacks of one program share a folder. */
      stack: z.string().optional(),
    }),
    /**
     * The create at this place made nothing, or the state holds what it made. `id`: its own process had that answer. `last`:
     * so short before its end that the engine may not have saved it.
     */
    entry("settled", { place: z.string(), id: z.string().optional(), last: z.boolean().optional() }),
    /** `until`: a request of that change may still arrive and undo a later one. Milliseconds since 1970. */
    entry("awake", { id: z.string(), workersMax: z.number(), account, until: z.number().optional() }),
    /** The endpoint has its own maximum of workers again, or was deleted. */
    entry("rested", { id: z.string() }),
    entry("deleted", { id: z.string() }),
    /** `before`: digests of the values that the update changed, by path. */
    entry("updated", { id: z.string(), before: z.record(z.string(), z.string()) }),
    /** To the other processes of the run: the program has this id, or takes it over. None of them may delete it. */
    entry("holds", { id: z.string(), account }),
    /** To the same: what has this id is replaced, so its process may delete it. */
    entry("frees", { id: z.string() }),
    /** To the same: the service refuses to delete this template as long as this endpoint lives. */
    entry("binds", { id: z.string(), endpoint: z.string() }),
    /** To the same: the state of a resource of this process names this account. */
    entry("records", { account: z.string() }),
    /** To the same: this process creates resources in this account, which its `allowedAccounts` does not list. */
    entry("creates", { account: z.string() }),
    /** To the same: this host is in the run and reports what killed runs have left. */
    entry("reports", { by: z.enum(["dynamic", "native"]) }),
    /** To the same: this process takes care of the create that a killed run had begun at this place. */
    entry("declares", { place: z.string() }),
  ]),
);
export type Entry = z.infer<typeof Entry>;
export type EntryOf<Is> = Extract<Entry, { is: Is }>;
type Unmarked<Each> = Each extends Entry ? Omit<Each, keyof typeof MARK> : never;
/** What a process says, without its mark. */
export type Statement = Unmarked<Entry>;

/** A create that a run has begun, with the mark of its process. */
export type BegunCreate = Omit<EntryOf<"creating">, "is" | "place">;
