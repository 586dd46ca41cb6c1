import { z } from "zod";

const Source = z.enum(["container", "system"]);

export const LogLine = z.object({
  source: Source,
  line: z.string(),
  ts: z.string().describe("RFC 3339; also where a reading may go on from."),
});
export type LogLine = Pick<z.infer<typeof LogLine>, "line" | "ts"> & { source?: string | undefined };

export const LogQuery = z.strictObject({
  /** Default: both. */
  source: Source.optional(),
  /** Lines of history before the live ones, 0 to 5000. Default 100. */
  tail: z.int().optional(),
  /** RFC 3339. Beats `tail`. */
  since: z.string().optional(),
});
