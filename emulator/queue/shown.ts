import type { JobRecord } from "../store/records";

/** A job as `/status` shows it; times are in ms. */
export function jobShown(job: JobRecord) {
  const { id, status, output, error, workerId, retries, queuedAt, startedAt, finishedAt } = job;
  return {
    ...(startedAt !== undefined && { delayTime: startedAt - queuedAt }),
    ...(error !== undefined && { error }),
    ...(startedAt !== undefined && finishedAt !== undefined && { executionTime: finishedAt - startedAt }),
    id,
    ...(output !== undefined && { output }),
    ...((retries > 0 || status === "FAILED") && { retries }),
    status,
    ...(startedAt !== undefined && { workerId }),
  };
}
