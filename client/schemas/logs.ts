import { z } from "../../common/zod";

const Source = z.enum(["container", "system"]);

export const LogLine = z.object({
  source: Source.describe("Who wrote it: the container, or the system around it."),
  line: z.string().describe("What was written."),
  ts: z.string().describe("When it was written, RFC 3339."),
});
export type LogLine = Pick<z.infer<typeof LogLine>, "line" | "ts"> & { source?: string | undefined };

export const LogQuery = z.strictObject({
  /** Default: both. */
  source: Source.optional(),
  /** Lines of history before the live ones, 0 to 5000. Default 100. */
  tail: z.int().optional(),
  /** RFC 3339. Takes precedence over `tail`. */
  since: z.string().optional(),
});
export type LogQuery = z.infer<typeof LogQuery>;
