import { jsonOf } from "../../common/json";
import type { Job, JobStatus } from "./types";

const finalStatuses: ReadonlySet<JobStatus> = new Set(["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"]);

/** Whether a job in this status no longer changes by itself. */
export const isFinal = (status: JobStatus): boolean => finalStatuses.has(status);

/** The worker's error as text: workers answer with a string or with an object. */
export function errorText({ error }: Job): string | undefined {
  if (error === undefined || error === null) return undefined;
  return typeof error === "string" ? error : jsonOf(error);
}
