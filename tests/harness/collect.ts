import type { JobResult } from "../../client";

/** The results of a batch, and what it threw in the end. */
export async function collect(results: AsyncIterable<JobResult>) {
  const all: JobResult[] = [];
  const error = await (async () => {
    for await (const result of results) all.push(result);
  })().catch((error: unknown) => error);
  return { all, error };
}
