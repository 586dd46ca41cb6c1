import type { EndpointRecord } from "../store/records";

/** What the scaler looks at. Instants are ms since the epoch. */
export interface Load {
  /** Jobs that wait or run; those of low priority do not count. */
  readonly demand: number;
  /** When the job that waits longest came in; low priority does not count. */
  readonly oldestQueuedAt: number | undefined;
  /** Workers in every state. */
  readonly workers: number;
  /** When the last worker was started. */
  readonly lastStartedAt: number;
}

type Scaled = Pick<EndpointRecord, "workers" | "scaling">;

/** How many workers the endpoint ought to have now. Going down is the idle timeout's business, save below `max`. */
export function wantedWorkers(endpoint: Scaled, load: Load, now: number): number {
  const { min, max } = endpoint.workers;
  return Math.min(max, Math.max(min, load.workers, byLoad(endpoint, load, now)));
}

/** When the queue's delay next asks for a worker; undefined when it does not. */
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
