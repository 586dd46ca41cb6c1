import type { Service } from "../service";
import type { WorkerRecord } from "../store/records";

/** Crashes in a row before the scheduler stops to believe that a worker is on its way. */
const CRASHES_UNTIL_UNHEALTHY = 3;

/**
 * Workers as the scheduler counts them for `/health`. It lags behind the records that `/workers` shows: a worker that
 * crashed once or twice still counts as initializing.
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
