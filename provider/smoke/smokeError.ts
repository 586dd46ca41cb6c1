import type { Job } from "../client";
import { printableLine } from "../client/printable";
import { errorText } from "../client/queue/outcome";
import { redact } from "../client/redact";
import { causeOf, type Diagnosis } from "./diagnosis";
import type { Mismatch } from "./expectation";

const mostMismatches = 5;

/** What is known of a smoke job that failed. */
export interface SmokeFailure {
  readonly endpointId: string;
  readonly jobId: string;
  /** As last seen; absent when the queue never showed it. */
  readonly job: Job | undefined;
  /** Jobs that were run, this one included. */
  readonly attempts: number;
  /** Where the output is not what was expected. */
  readonly mismatches: readonly Mismatch[];
  readonly diagnosis: Diagnosis;
  /** Milliseconds waited, when it was given up. */
  readonly gaveUpAfterMs?: number | undefined;
  /** Leaves the output, and texts of the input, out of the message. */
  readonly hidden?: readonly string[] | undefined;
}

/** The endpoint did not pass its smoke job. */
export class SmokeError extends Error {
  override readonly name = "SmokeError";
  readonly failure: SmokeFailure;
  /** The likely cause, in words. */
  readonly reason: string;

  constructor(failure: SmokeFailure, options?: ErrorOptions) {
    const reason = causeOf(failure.job?.status, failure.diagnosis);
    const text = [headline(failure, reason), ...details(failure)].join("\n  ");
    super(failure.hidden === undefined ? text : redact(text, failure.hidden), options);
    this.failure = failure;
    this.reason = reason;
  }
}

function headline({ jobId, endpointId, job, gaveUpAfterMs, attempts }: SmokeFailure, reason: string): string {
  const status = job?.status ?? "unknown to the queue";
  const outcome =
    gaveUpAfterMs === undefined ? `is ${status}` : `was still ${status} after ${Math.round(gaveUpAfterMs / 1000)} s`;
  const tries = attempts > 1 ? ` (attempt ${attempts})` : "";
  return `Smoke job ${jobId} on endpoint ${endpointId} ${outcome}${tries}: ${reason}.`;
}

function details({ job, mismatches, hidden, diagnosis: { health, workers, log } }: SmokeFailure): string[] {
  const error = job === undefined ? undefined : errorText(job);
  const shown = mismatches.slice(0, mostMismatches);
  return [
    ...(error === undefined ? [] : [`Error: ${indented(error)}`]),
    ...shown.map(({ path, problem, found }) =>
      hidden === undefined ? `Output${path} ${problem}, found ${found}` : `Output${path} is not as expected`,
    ),
    ...(mismatches.length > shown.length ? [`and ${mismatches.length - shown.length} more differences`] : []),
    ...(health === undefined
      ? ["Health: could not be read"]
      : [`Jobs: ${counts(health.jobs)}`, `Workers: ${counts(health.workers)}`]),
    ...(workers ?? []).map(({ id, status, uptimeSeconds }) => `Worker ${id}: ${status}${uptime(uptimeSeconds)}`),
    ...(log === undefined || log.lines.length === 0
      ? []
      : [`Last log lines of worker ${log.workerId}:`, ...log.lines.map((line) => `  ${printableLine(line)}`)]),
  ];
}

function counts(gauge: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(gauge)
    .map(([name, count]) => `${count ?? 0} ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
    .join(", ");
}

function uptime(seconds: number | null | undefined): string {
  return typeof seconds === "number" ? `, up for ${seconds} s` : "";
}

function indented(text: string): string {
  return text.trimEnd().replaceAll("\n", "\n    ");
}
