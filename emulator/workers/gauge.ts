import type { Service } from "../service";
import type { WorkerRecord } from "../store/records";

/** After so many crashes in a row, the scheduler counts a worker as unhealthy. */
const CRASHES_UNTIL_UNHEALTHY = 3;

/**
 * The scheduler's numbers of workers, for `/health`. They lag behind `/workers`: a worker that crashed once or twice still
 * counts as initializing.
 */
export function workerGauge({ store }: Service, endpointId: string) {
  const gauge = { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 };
  for (const worker of store.workers.by("endpoint", endpointId)) gauge[slotOf(worker)] += 1;
  return { ...gauge, ready: gauge.idle };
}

const SLOTS = { IDLE: "idle", RUNNING: "running", THROTTLED: "throttled", INITIALIZING: "initializing" } as const;

function slotOf({ status, crashes }: WorkerRecord) {
  if (crashes >= CRASHES_UNTIL_UNHEALTHY) return "unhealthy";
  return status === "UNHEALTHY" ? "initializing" : SLOTS[status];
}
