import type { EndpointRecord } from "../store/records";

/** The input of the scaler. Times are in ms since the epoch. */
export interface Load {
  /** Waiting and running jobs, except those of low priority, and open requests. */
  readonly demand: number;
  /** When the oldest waiting job was queued, except those of low priority, or the oldest waiting request arrived. */
  readonly oldestQueuedAt: number | undefined;
  /** Workers in every state. */
  readonly workers: number;
  /** When the last worker was started. */
  readonly lastStartedAt: number;
}

type Scaled = Pick<EndpointRecord, "workers" | "scaling">;

/** The number of workers that the endpoint should have now. Only the idle timeout lowers it, or a lower `max`. */
export function wantedWorkers(endpoint: Scaled, load: Load, now: number): number {
  const { min, max } = endpoint.workers;
  return Math.min(max, Math.max(min, load.workers, byLoad(endpoint, load, now)));
}

/** When the queue delay next demands a worker; undefined if it does not. */
export function nextScaleUp({ scaling, workers }: Scaled, load: Load): number | undefined {
  if (scaling.type !== "QUEUE_DELAY" || load.oldestQueuedAt === undefined || load.workers >= workers.max)
    return undefined;
  const delay = scaling.queueDelay * 1000;
  // One worker at a time: the delay passes again before the next.
  return load.workers === 0 ? load.oldestQueuedAt : Math.max(load.oldestQueuedAt, load.lastStartedAt) + delay;
}

function byLoad(endpoint: Scaled, load: Load, now: number): number {
  if (endpoint.scaling.type === "REQUEST_COUNT") return Math.ceil(load.demand / endpoint.scaling.requestCount);
  const due = nextScaleUp(endpoint, load);
  return due !== undefined && due <= now ? load.workers + 1 : load.workers;
}
