import { DAY_MS } from "../clock";
import type { Service } from "../service";
import type { EndpointRecord } from "../store/records";
import { updateEndpoint } from "./endpoints";

const HOUR_MS = 3_600_000;

/** After so long without requests, the service lowers `workers.max` to this; longest first. */
const LIMITS = [
  { idleMs: 7 * DAY_MS, max: 0 },
  { idleMs: 3 * DAY_MS, max: 2 },
] as const;

/** Simulates the service's idle policy: unused endpoints lose their workers, and never get them back by themselves. */
export function watchIdleEndpoints(service: Service): void {
  service.clock.after(HOUR_MS, () => {
    for (const endpoint of [...service.store.endpoints.values()]) lowerIdle(service, endpoint);
    watchIdleEndpoints(service);
  });
}

function lowerIdle(service: Service, endpoint: EndpointRecord): void {
  const idleMs = service.clock.now() - endpoint.lastRequestAt;
  const limit = LIMITS.find((each) => idleMs >= each.idleMs);
  if (limit === undefined || endpoint.workers.max <= limit.max) return;
  const min = Math.min(endpoint.workers.min, limit.max);
  updateEndpoint(service, endpoint, { ...endpoint, workers: { ...endpoint.workers, min, max: limit.max } });
}
