import { z } from "zod";

const Exchange = z.strictObject({
  /** The fact whose trial made the call. */
  fact: z.string(),
  to: z.enum(["rest", "graphql", "queue"]),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** Including the query. */
  path: z.string(),
  /** Which key was sent, and in which form; never the key itself. */
  key: z.enum(["bearer", "raw", "made up", "none"]),
  body: z.unknown().optional(),
  answer: z.strictObject({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    /** JSON; a placeholder for a text that is not JSON; absent without a body. */
    body: z.unknown().optional(),
  }),
});
export type Exchange = z.infer<typeof Exchange>;

/** What `record` writes and `play` reads. */
export const Recording = z.strictObject({
  /** The version of the package that recorded it. */
  version: z.string(),
  /** In the order in which they were made. */
  exchanges: z.array(Exchange),
});
export type Recording = z.infer<typeof Recording>;

/** The name of a recording's file in its folder. */
export const RECORDING_FILE = "recording.json";

/** Replaces a text, such as `<id-3>`, or `<secret-2:40000>` for a text whose length matters. */
export const PLACEHOLDER = /<([a-z]+)-\d+(?::(\d+))?>/g;
