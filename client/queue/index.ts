// The types of a queue, without those of the rest of the client: a program's compiler need not read zod's types.

export type { QueueOptions, StandaloneQueue } from "./createQueue";
export type { Queue } from "./jobs";
export type { JournalEntry, JournalStore } from "./journalTypes";
export type { Limit, Limits } from "./limits";
export type * from "./options";
export type { JobResult } from "./runMany";
export type { StandardSchema } from "./standardSchema";
export type * from "./types";
