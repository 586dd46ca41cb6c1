import type { Problem } from "../problem";
import type { WorkerRecord } from "../store/records";

/** What a worker's last health check showed: its status, or that nothing listens on one of its ports. */
export type Health = number | "closed";

/** Where a request goes. Without a ready worker a closed port refuses it, and a booting one answers health checks. */
export type Destination = WorkerRecord | "closed" | "booting";

/** A request to a load balancer, from its arrival until its answer is sent. */
export interface Visit {
  readonly endpointId: string;
  /** ms since the epoch, by the emulator's clock. */
  readonly arrivedAt: number;
  readonly isHealthCheck: boolean;
  workerId?: string;
  /** Called once, when there is somewhere to send it. */
  start(destination: Destination): void;
  /** Ends it with this refusal, or cuts off an answer that has begun. */
  end(refusal: Problem): void;
}

/** The open requests to load balancers, and the health of their workers. A restart forgets both, as it ends connections. */
export class Traffic {
  readonly visits = new Set<Visit>();
  /** By worker: what its last health check showed; undefined while one is under way. */
  readonly health = new Map<string, Health | undefined>();

  /** The open requests to an endpoint, oldest first. */
  to(endpointId: string): readonly Visit[] {
    return Array.from(this.visits).filter((visit) => visit.endpointId === endpointId);
  }

  at({ id, endpointId }: WorkerRecord): readonly Visit[] {
    return this.to(endpointId).filter(({ workerId }) => workerId === id);
  }
}
