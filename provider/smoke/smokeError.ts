import { errorText, type Job } from "../../client";
import { inSeconds } from "../../common/duration";
import { printableLine } from "../../common/printable";
import { MASK } from "../../common/redact";
import { causeOf, type Diagnosis } from "./diagnosis";
import type { Mismatch } from "./expectation";

const MOST_MISMATCHES = 5;

/** What is known of a smoke job that failed. */
export interface SmokeFailure {
  readonly endpointId: string;
  readonly jobId: string;
  /** The job as last polled; absent if the queue never showed it. */
  readonly job: Job | undefined;
  /** Number of jobs that were run, including this one. */
  readonly attempts: number;
  /** Where the output is not what was expected. */
  readonly mismatches: readonly Mismatch[];
  readonly diagnosis: Diagnosis;
  /** Milliseconds until the job was given up; absent if it ended. */
  readonly gaveUpAfterMs?: number | undefined;
}

/** The endpoint did not pass its smoke job. */
export class SmokeError extends Error {
  override readonly name = "SmokeError";
  readonly failure: SmokeFailure;
  /** The likely cause as text. */
  readonly reason: string;

  /** @param secret whether the job is a secret. Then no part of the error, its cause included, has the output */
  constructor(failure: SmokeFailure, cause: unknown, secret = false) {
    const safe = secret ? concealed(failure) : failure;
    const reason = causeOf(safe.job?.status, safe.diagnosis);
    super([headline(safe, reason), ...details(safe)].join("\n  "), secret ? {} : { cause });
    this.failure = safe;
    this.reason = reason;
  }
}

function concealed({ job, ...failure }: SmokeFailure): SmokeFailure {
  return {
    ...failure,
    job: job && { ...job, output: job.output === undefined ? undefined : MASK },
    mismatches: concealedMismatches(failure.mismatches),
  };
}

export function concealedMismatches(mismatches: readonly Mismatch[]): Mismatch[] {
  return mismatches.map(({ path }) => ({ path, problem: "is not as expected", found: MASK }));
}

function headline({ jobId, endpointId, job, gaveUpAfterMs, attempts }: SmokeFailure, reason: string): string {
  const status = job?.status ?? "unknown to the queue";
  const outcome =
    gaveUpAfterMs === undefined ? `is ${status}` : `was still ${status} after ${inSeconds(gaveUpAfterMs)}`;
  const tries = attempts > 1 ? ` (attempt ${attempts})` : "";
  return `Smoke job ${jobId} on endpoint ${endpointId} ${outcome}${tries}: ${reason}.`;
}

function details({ job, mismatches, diagnosis }: SmokeFailure): string[] {
  const error = job === undefined ? undefined : errorText(job);
  return [
    ...(error === undefined ? [] : [`Error: ${indented(error)}`]),
    ...mismatchLines("Output", mismatches),
    ...(diagnosis.health === undefined ? ["Health: could not be read"] : []),
    ...diagnosisLines(diagnosis),
  ];
}

/** The first of the differences as lines. */
export function mismatchLines(subject: string, mismatches: readonly Mismatch[]): string[] {
  const listed = mismatches.slice(0, MOST_MISMATCHES);
  return [
    ...listed.map(({ path, problem, found }) => {
      const seen = found === MASK ? "" : `, found ${found}`;
      return printableLine(`${subject}${path} ${problem}${seen}`);
    }),
    ...(mismatches.length > listed.length ? [`and ${mismatches.length - listed.length} more differences`] : []),
  ];
}

export function diagnosisLines({ health, workers = [], log }: Diagnosis): string[] {
  return [
    ...(health === undefined ? [] : [`Jobs: ${counts(health.jobs)}`, `Workers: ${counts(health.workers)}`]),
    ...workers.map(({ id, status, uptimeSeconds }) => `Worker ${id}: ${status}${uptime(uptimeSeconds)}`),
    ...logLines(`worker ${log?.workerId}`, log?.lines),
  ];
}

export function logLines(of: string, lines: readonly string[] = []): string[] {
  return lines.length === 0 ? [] : [`Last log lines of ${of}:`, ...lines.map((line) => `  ${printableLine(line)}`)];
}

function counts(gauge: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(gauge)
    .map(([name, count]) => `${count ?? 0} ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
    .join(", ");
}

function uptime(seconds: number | null | undefined): string {
  return typeof seconds === "number" ? `, up for ${seconds} s` : "";
}

const indented = (text: string): string => text.trimEnd().replaceAll("\n", "\n    ");
