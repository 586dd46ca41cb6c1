import { z } from "zod";
import { DAY_MS } from "../clock";
import { badRequest } from "../problem";

const SECOND_MS = 1000;
const WEEK_MS = 7 * DAY_MS;

const within = (least: number, most: number) => z.int().min(least).max(most);
const submission = z.object({
  // The input may be any value, but must be present.
  input: z.unknown().refine((input) => input !== undefined, "input is required"),
  webhook: z.url().optional(),
  s3Config: z.record(z.string(), z.unknown()).optional(),
  policy: z
    .object({
      executionTimeout: within(5 * SECOND_MS, WEEK_MS).optional(),
      ttl: within(10 * SECOND_MS, WEEK_MS).default(DAY_MS),
      lowPriority: z.boolean().default(false),
    })
    .prefault({}),
});
/** The content of a submission. Times are in ms. */
export type Submission = z.output<typeof submission>;

/** The body of `/run` and `/runsync`. */
export const parseSubmission = (body: unknown) => parse(submission, body);

const milliseconds = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** `wait` of `/runsync`, ms. */
export const runSyncWait = milliseconds(SECOND_MS, 300 * SECOND_MS).optional();
export const PLAIN_SYNC_WAIT_MS = 90 * SECOND_MS;
/** `wait` of `/status-sync`, ms, clamped to its bounds. */
export const statusSyncWait = z.coerce
  .number()
  .default(90 * SECOND_MS)
  .transform((wait) => Math.min(Math.max(wait, SECOND_MS), 90 * SECOND_MS));
/** `wait` of `/stream`: how long a request without new chunks is held, ms. */
export const streamWait = milliseconds(0, 90 * SECOND_MS).default(10 * SECOND_MS);
/** `ttl` of `/status`: how long the job lives from now on, ms. */
export const statusTtl = milliseconds(1, WEEK_MS).optional();

/** One value of the query. */
export function queryValue<S extends z.ZodType>(schema: S, query: unknown, name: string): z.output<S> {
  const value = typeof query === "object" && query !== null ? Reflect.get(query, name) : undefined;
  return parse(schema, value, name);
}

function parse<S extends z.ZodType>(schema: S, value: unknown, name = ""): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badRequest(
    [[name, ...(issue?.path ?? [])].filter(Boolean).join("."), issue?.message].filter(Boolean).join(": "),
  );
}
