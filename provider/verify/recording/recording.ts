import { z } from "zod";

const Exchange = z.strictObject({
  /** The fact whose trial made the call. */
  fact: z.string(),
  to: z.enum(["rest", "graphql", "queue"]),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** With the query. */
  path: z.string(),
  /** The account's key in one of its forms, or another one; never the key itself. */
  key: z.enum(["bearer", "raw", "made up", "none"]),
  body: z.unknown().optional(),
  answer: z.strictObject({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    /** JSON; the placeholder of a text where it is none; left out where there is no body. */
    body: z.unknown().optional(),
  }),
});
export type Exchange = z.infer<typeof Exchange>;

/** What `verify --record` writes, and `npm run conformance` plays. */
export const Recording = z.strictObject({
  /** Of the package that recorded it. */
  version: z.string(),
  /** In the order in which they were made. */
  exchanges: z.array(Exchange),
});
export type Recording = z.infer<typeof Recording>;

/** The file of a recording in its folder. */
export const RECORDING_FILE = "recording.json";

/** What stands for a text, such as `<id-3>`, or `<secret-2:40000>` for one whose length counts. */
export const PLACEHOLDER = /<([a-z]+)-\d+(?::(\d+))?>/g;
