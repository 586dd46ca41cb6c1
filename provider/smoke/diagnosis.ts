import type { Client, Endpoint, Job, QueueHealth, Worker } from "../../client";
import { lastLines } from "../../common/lastLines";

const LOG_LENGTH = 10;

/** What the service shows of an endpoint after a job or a request did not pass. */
export interface Diagnosis {
  /** Only a queue has it. */
  readonly health?: QueueHealth | undefined;
  readonly workers?: readonly Pick<Worker, "id" | "status" | "uptimeSeconds">[] | undefined;
  readonly workersMax?: number | undefined;
  readonly server?: ReturnType<typeof serverPorts> | undefined;
  /** Last log lines of the worker that is most likely to show the cause. */
  readonly log?: { readonly workerId: string; readonly lines: readonly string[] } | undefined;
}

/** Where a load balancer calls the worker's server. */
function serverPorts({ env = {}, ports = [], requestUrls = {} }: Endpoint) {
  const number = (value = "") => (/^\d+$/.test(value) ? value : undefined);
  const port = number(env.PORT) ?? "80";
  const { base, health }: { [Key in "base" | "health"]?: string | undefined } = requestUrls;
  const root = base?.replace(/\/$/, "");
  return {
    /** It serves there. */
    port,
    /** It answers the health check there. */
    healthPort: number(env.PORT_HEALTH) ?? port,
    /** Where it does so, as the endpoint's addresses show it. */
    healthPath: root !== undefined && health?.startsWith(root) ? health.slice(root.length) : "/ping",
    /** The ports that the container exposes, such as `80/http`. */
    exposed: ports,
  };
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
  hasQueue = true,
): Promise<Diagnosis> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(Math.ceil(patienceMs))]);
  const [health, workers, endpoint] = await Promise.all([
    hasQueue ? orNothing(client.queue(endpointId).health({ signal })) : undefined,
    orNothing(client.serverless.workers(endpointId, { signal })),
    orNothing(client.serverless.get(endpointId, { signal })),
  ]);
  const workerId = job?.workerId ?? mostTelling(workers?.workers ?? [])?.id;
  const open = (ending: AbortSignal, id: string) =>
    client.serverless.workerLogs(endpointId, id, { tail: LOG_LENGTH, signal: ending });
  const lines = workerId && (await orNothing(lastLines((ending) => open(ending, workerId), LOG_LENGTH, signal)));
  return {
    health,
    workers: workers?.workers?.map(({ id, status, uptimeSeconds }) => ({ id, status, uptimeSeconds })),
    workersMax: endpoint?.workers?.max,
    server: endpoint && serverPorts(endpoint),
    log: !workerId || !lines ? undefined : { workerId, lines: lines.map(({ line }) => line) },
  };
}

export async function orNothing<T>(promise: Promise<T>): Promise<T | undefined> {
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

interface WorkersCase {
  readonly when: (count: (state: WorkerState) => number, seen: Diagnosis) => boolean;
  readonly cause: string;
}

type WorkerState = "unhealthy" | "throttled" | "initializing" | "running" | "idle";

/** Causes of a job that a worker has taken. */
const jobCauses: Readonly<Partial<Record<Job["status"], string>>> = {
  FAILED: "the worker ran it and reported an error",
  CANCELLED: "somebody cancelled it, or purged the queue",
  TIMED_OUT: "it ran longer than the endpoint allows, or waited until its time to live was over",
  COMPLETED: "its output is not what was expected",
  IN_PROGRESS: "a worker has it and has not finished: the handler is slow or hangs",
};

/** Why no worker has taken a job, or answers a request. The first one that applies counts. */
const workersCases: readonly WorkersCase[] = [
  {
    when: (count) => count("unhealthy") > 0,
    cause: "the workers crash again and again: look at the image, its command and the log lines below",
  },
  { when: (_, { workersMax }) => workersMax === 0, cause: "the endpoint can't start workers: its maximum is 0" },
  {
    when: (count) => count("throttled") > 0 && count("running") + count("idle") === 0,
    cause: "no host has room for the workers: allow more GPU types, pools or data centers",
  },
  {
    when: (count) => count("initializing") > 0 && count("running") + count("idle") === 0,
    cause: "the workers are still starting: a slow cold start (allow a longer timeout) or an early crash (see the log)",
  },
  {
    when: (count) => count("running") + count("idle") === 0,
    cause: "the endpoint has no workers: nothing is free, or they crash before they are counted",
  },
];

/** The likely cause as text. It is a guess from what the service shows. */
export function causeOf(status: Job["status"] | undefined, seen: Diagnosis): string {
  return (
    (status && jobCauses[status]) ??
    workersCause(seen) ??
    "there are workers, but none has taken it: they may be busy with other jobs"
  );
}

/** Why no worker takes anything; undefined if one is there to take it. */
export function workersCause(seen: Diagnosis): string | undefined {
  // The scheduler's counts and the list of workers may disagree. The larger number is used.
  const count = (state: WorkerState) =>
    Math.max(
      seen.health?.workers[state] ?? 0,
      seen.workers?.filter((worker) => worker.status?.toLowerCase() === state).length ?? 0,
    );
  return workersCases.find(({ when }) => when(count, seen))?.cause;
}
