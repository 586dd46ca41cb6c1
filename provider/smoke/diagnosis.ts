import type { Client, Job, QueueHealth, Worker } from "../../client";
import { lastLines } from "../../common/lastLines";

const LOG_LENGTH = 10;

/** What the service shows of an endpoint after a job did not pass. */
export interface Diagnosis {
  readonly health?: QueueHealth | undefined;
  readonly workers?: readonly Pick<Worker, "id" | "status" | "uptimeSeconds">[] | undefined;
  readonly workersMax?: number | undefined;
  /** Last log lines of the worker that is most likely to show the cause. */
  readonly log?: { readonly workerId: string; readonly lines: readonly string[] } | undefined;
}

/**
 * Reads everything about the endpoint that may show the cause. What can't be read is left out, because it must not hide
 * the failure.
 */
export async function diagnose(
  client: Client,
  { endpointId, signal: caller }: { readonly endpointId: string; readonly signal: AbortSignal },
  job: Job | undefined,
  patienceMs: number,
): Promise<Diagnosis> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(Math.ceil(patienceMs))]);
  const [health, workers, endpoint] = await Promise.all([
    orNothing(client.queue(endpointId).health({ signal })),
    orNothing(client.serverless.workers(endpointId, { signal })),
    orNothing(client.serverless.get(endpointId, { signal })),
  ]);
  const workerId = job?.workerId ?? mostTelling(workers?.workers ?? [])?.id;
  const open = (ending: AbortSignal, id: string) =>
    client.serverless.workerLogs(endpointId, id, { tail: LOG_LENGTH, signal: ending });
  const lines =
    workerId === undefined
      ? undefined
      : await orNothing(lastLines((ending) => open(ending, workerId), LOG_LENGTH, signal));
  return {
    health,
    workers: workers?.workers?.map(({ id, status, uptimeSeconds }) => ({ id, status, uptimeSeconds })),
    workersMax: endpoint?.workers?.max,
    log: workerId === undefined || lines === undefined ? undefined : { workerId, lines: lines.map(({ line }) => line) },
  };
}

async function orNothing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch {
    return undefined;
  }
}

/** States of workers, the most telling log first. A throttled worker never started and has no log. */
const telling: readonly Worker["status"][] = ["UNHEALTHY", "RUNNING", "INITIALIZING", "IDLE"];

function mostTelling(workers: readonly Worker[]): Worker | undefined {
  return telling.flatMap((status) => workers.filter((worker) => worker.status === status))[0];
}

interface Case {
  readonly when: (status: Job["status"] | undefined, seen: Diagnosis, count: (state: WorkerState) => number) => boolean;
  readonly cause: string;
}

type WorkerState = "unhealthy" | "throttled" | "initializing" | "running" | "idle";

/** Causes of a job that did not complete. The first one that applies counts. */
const cases: readonly Case[] = [
  { when: (status) => status === "FAILED", cause: "the worker ran it and reported an error" },
  { when: (status) => status === "CANCELLED", cause: "somebody cancelled it, or purged the queue" },
  {
    when: (status) => status === "TIMED_OUT",
    cause: "it ran longer than the endpoint allows, or waited until its time to live was over",
  },
  {
    when: (status) => status === "COMPLETED",
    cause: "its output is not what was expected",
  },
  {
    when: (status) => status === "IN_PROGRESS",
    cause: "a worker has it and has not finished: the handler is slow or hangs",
  },
  {
    when: (_, __, count) => count("unhealthy") > 0,
    cause: "the workers crash again and again: look at the image, its command and the log lines below",
  },
  {
    when: (_, { workersMax }) => workersMax === 0,
    cause: "the endpoint can't start workers: its maximum is 0",
  },
  {
    when: (_, __, count) => count("throttled") > 0 && count("running") + count("idle") === 0,
    cause: "no host has room for the workers: allow more GPU types, pools or data centers",
  },
  {
    when: (_, __, count) => count("initializing") > 0 && count("running") + count("idle") === 0,
    cause: "the workers are still starting: a slow cold start (allow a longer timeout) or an early crash (see the log)",
  },
  {
    when: (_, __, count) => count("running") + count("idle") === 0,
    cause: "the queue has no workers: nothing is free, or they crash before they are counted",
  },
  { when: () => true, cause: "there are workers, but none has taken it: they may be busy with other jobs" },
];

/** The likely cause as text. It is a guess from what the service shows. */
export function causeOf(status: Job["status"] | undefined, seen: Diagnosis): string {
  // The scheduler's counts and the list of workers may disagree. The larger number is used.
  const count = (state: WorkerState) =>
    Math.max(
      seen.health?.workers[state] ?? 0,
      seen.workers?.filter((worker) => worker.status?.toLowerCase() === state).length ?? 0,
    );
  return cases.find(({ when }) => when(status, seen, count))?.cause ?? "";
}
