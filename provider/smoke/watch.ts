import type { Client } from "../../client";
import { z } from "../../common/zod";

/** Jobs that the queue of an endpoint has counted as finished. */
export const finished = z.object({ completed: z.number(), failed: z.number() });
export type Finished = z.output<typeof finished>;

/** How long the queue may not know a new endpoint. */
export const GRACE_MS = 30_000;
/** Fewer jobs than this say nothing about their share of failures. */
const LEAST_JOBS = 20;
/** By how much the share of failed jobs may be higher than before. */
const TOLERANCE = 0.01;

/** More jobs of an endpoint fail than before. */
export class MoreFailuresError extends Error {
  override readonly name = "MoreFailuresError";
}

export async function finishedJobs(client: Client, endpointId: string, signal: AbortSignal): Promise<Finished> {
  const { jobs } = await client.queue(endpointId).health({ signal, graceMs: GRACE_MS });
  return finished.parse(jobs);
}

/**
 * Compares the share of failed jobs since the watch began with the share before.
 *
 * @param before counts until the change
 * @param first counts when the watch began
 * @throws MoreFailuresError
 */
export function judgeFailures(endpointId: string, before: Finished, first: Finished, now: Finished): void {
  const since = { completed: now.completed - first.completed, failed: now.failed - first.failed };
  if (since.completed + since.failed < LEAST_JOBS || shareOf(since) <= shareOf(before) + TOLERANCE) return;
  throw new MoreFailuresError(
    `Endpoint ${endpointId}: ${since.failed} of the last ${since.completed + since.failed} jobs failed ` +
      `(${percent(since)}); before: ${percent(before)}.`,
  );
}

function shareOf({ completed, failed }: Finished): number {
  return completed + failed === 0 ? 0 : failed / (completed + failed);
}

const percent = (counts: Finished) => `${(shareOf(counts) * 100).toFixed(1)} %`;
